import type { PassageHit, SearchHit } from '../../knowledge/search/search-hits.ts';
import { escapeMarkdown, type Line } from '../../text/plain-text.ts';
import { folded } from '../../text/words.ts';

/** About what a visitor reads in a chat bubble without scrolling. */
export const ANSWER_MAX_CHARS = 600;

const STEPS_VALUE = 0.45;
const HOW_TO =
  /^\W*(?:how (?:do|can|to|should|would)|what (?:do|should) i do|wie (?:kann|mache|muss|geht)|comment|como|come (?:posso|si|faccio)|hoe (?:kan|moet|doe)|как |jak |nasil|як )/;
/** A question that has no more to it than this is named by the words above a section. */
const NAMED_FROM = 0.95;
/** Less of another section would be a sentence without its sense. */
const STRETCH_MIN_CHARS = 120;
/** A shorter start of an article only leads to what follows. */
const START_MIN_CHARS = 160;
/** A section that meets the question this well, beside the best one, belongs to the answer too if there is room. */
const ALMOST_AS_GOOD = 0.75;

/**
 * What answers a question in an article, as Markdown: the section that meets the question best, with those that are
 * almost as good, or as much of it around its best sentences as fits in `most` characters. Empty when the article has no
 * text.
 *
 * A whole short section beats its best sentence: on `bench/sites` the sentence alone lacked the wanted fact in a third
 * of the answers from the right article, the sections in a twelfth.
 */
export function extractAnswer(hit: SearchHit, question: string, most = ANSWER_MAX_CHARS): string {
  const full = hit.passages.filter(({ passage }) => passage.lines.length > 0);
  const best = subjectOf(hit) ?? stepsFor(question, full) ?? full[0];
  if (best === undefined) return '';
  const shown = [{ place: best.place, lines: linesOf(best, most) }];
  let room = most - lengthOfAll(best.passage.lines);
  for (const other of full) {
    if (other === best || other.value < ALMOST_AS_GOOD * best.value || room < STRETCH_MIN_CHARS) continue;
    const lines = linesOf(other, room);
    shown.push({ place: other.place, lines });
    room -= lengthOfAll(lines);
  }
  shown.sort((one, other) => one.place - other.place);
  return render(
    shown.flatMap(({ lines }) => lines),
    most,
  );
}

/**
 * Where the question only names a subject ("opening hours", "refund"): the section with that heading, or else the start
 * of the article with that title. A sentence with the word would be any one of it.
 */
function subjectOf({ passages }: SearchHit): PassageHit | undefined {
  const full = passages.filter(({ passage, named }) => passage.lines.length > 0 && named >= NAMED_FROM);
  const [headed] = full.toSorted((a, b) => b.headed - a.headed);
  if (headed === undefined || headed.headed > 0) return headed;
  return full.find(
    ({ passage: { headings, text } }) => headings.length === 0 && text.length >= START_MIN_CHARS,
  );
}

/** Who asks how to do something wants the steps, if the article has some that meet the question about as well. */
function stepsFor(question: string, full: readonly PassageHit[]): PassageHit | undefined {
  if (!HOW_TO.test(folded(question))) return undefined;
  const least = (full[0]?.value ?? 0) - STEPS_VALUE;
  return full.find(({ passage, value }) => value >= least && passage.lines.some(isStep));
}

const isStep = ({ marker }: Line): boolean => /^\d/.test(marker);

/** The passage's lines, or those around its best sentences. */
function linesOf({ passage: { lines }, sentences }: PassageHit, most: number): readonly Line[] {
  const scores = lines.map((line, place) =>
    line.sentences.map((_, at) => sentences.find((hit) => hit.line === place && hit.at === at)?.score ?? 0),
  );
  const [from, to] = bestStretch(
    lines.map(lengthOf),
    scores.map((each) => each.reduce((sum, score) => sum + score, 0)),
    most,
  );
  const [line] = lines.slice(from, to);
  if (line === undefined || to - from > 1 || lengthOf(line) <= most) return lines.slice(from, to);
  const [first, last] = bestStretch(
    line.sentences.map(({ markdown }) => markdown.length + 1),
    scores[from] ?? [],
    most,
  );
  return [{ ...line, sentences: line.sentences.slice(first, last) }];
}

/**
 * The neighbours that score most together within `most` characters, and of those that score alike the longest; one that
 * is too long by itself may stand alone.
 * @returns the place of the first, and the place behind the last.
 */
function bestStretch(lengths: readonly number[], scores: readonly number[], most: number): [number, number] {
  let best: [number, number] = [0, 0];
  let bestScore = -1;
  let bestLength = 0;
  for (let from = 0; from < lengths.length; from += 1) {
    let length = 0;
    let score = 0;
    for (let to = from; to < lengths.length; to += 1) {
      length += lengths[to] ?? 0;
      if (length > most && to > from) break;
      score += scores[to] ?? 0;
      if (score < bestScore || (score === bestScore && length <= bestLength)) continue;
      best = [from, to + 1];
      bestScore = score;
      bestLength = length;
    }
  }
  return best;
}

/** Whole lines while they fit; a first line that is too long by itself is cut between words. */
function render(lines: readonly Line[], most: number): string {
  let text = '';
  let before: Line | undefined;
  for (const line of lines) {
    const shown = line.marker + line.sentences.map(({ markdown }) => markdown).join(' ');
    const joint = before === undefined ? '' : before.kind === line.kind && isListLine(line) ? '\n' : '\n\n';
    if (text.length + joint.length + shown.length > most) return text === '' ? shortened(line, most) : text;
    text += joint + shown;
    before = line;
  }
  return text;
}

const isListLine = ({ kind }: Line): boolean => kind === 'item' || kind === 'row';

/** Sentences while they fit; of a single sentence that doesn't, its words, without links or code. */
function shortened(line: Line, most: number): string {
  const kept: string[] = [];
  let size = line.marker.length;
  for (const { markdown } of line.sentences) {
    size += markdown.length + 1;
    if (size > most) break;
    kept.push(markdown);
  }
  if (kept.length > 0) return line.marker + kept.join(' ');
  return `${escapeMarkdown(cutAtWord(line.sentences[0]?.text ?? '', Math.floor(most / 2)))}…`;
}

function cutAtWord(text: string, most: number): string {
  const cut = text
    .slice(0, most)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = cut.lastIndexOf(' ');
  return space > most / 2 ? cut.slice(0, space) : cut;
}

const lengthOfAll = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + lengthOf(line), 0);

function lengthOf(line: Line): number {
  return line.sentences.reduce((sum, { markdown }) => sum + markdown.length + 1, line.marker.length + 1);
}
