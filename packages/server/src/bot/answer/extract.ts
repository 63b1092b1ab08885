import type { PassageHit, SearchHit } from '../../knowledge/search/search-hits.ts';
import { escapeMarkdown, type Line } from '../../text/plain-text.ts';
import { folded } from '../../text/words.ts';

/** About what a visitor reads in a chat bubble without scrolling. */
export const ANSWER_MAX_CHARS = 600;

const STEPS_VALUE = 0.45;
const HOW_TO =
  /^\W*(?:how (?:do|can|to|should|would)|what (?:do|should) i do|wie (?:kann|mache|muss|geht)|comment|como|come (?:posso|si|faccio)|hoe (?:kan|moet|doe)|как |jak |nasil|як )/;
/** If headings and title contain this share of the question, it only names a section. */
const NAMED_FROM = 0.95;
/** Less of another section would be a sentence out of context. */
const STRETCH_MIN_CHARS = 120;
/** A shorter introduction of an article only leads to the rest. */
const START_MIN_CHARS = 160;
/** A section that matches the question this well, compared with the best one, is added if there is room. */
const ALMOST_AS_GOOD = 0.75;

/**
 * The part of an article that answers a question, as Markdown: the best matching section with those that are almost as
 * good, or as much of it around its best sentences as fits in `most` characters. Empty if the article has no text. A
 * whole short section beats its best sentence: on `bench/sites` the sentence alone lacked the wanted fact in a third of
 * the answers from the right article, the sections in a twelfth.
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
 * For a question that only names a subject ("opening hours", "refund"): the section with that heading, or else the
 * start of the article with that title. Any sentence might contain the word.
 */
function subjectOf({ passages }: SearchHit): PassageHit | undefined {
  const full = passages.filter(({ passage, named }) => passage.lines.length > 0 && named >= NAMED_FROM);
  const [headed] = full.toSorted((a, b) => b.headed - a.headed);
  if (headed === undefined || headed.headed > 0) return headed;
  return full.find(
    ({ passage: { headings, text } }) => headings.length === 0 && text.length >= START_MIN_CHARS,
  );
}

/** A how-to question gets the steps, if the article has some that match about as well. */
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
 * The consecutive items with the highest total score within `most` characters; ties go to the longest. An item that is
 * too long may be the only one.
 * @returns the index of the first, and the index after the last.
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

/** Whole lines while they fit; if the first line is too long, it is cut between words. */
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

/** Whole sentences while they fit; if the first is too long, as many of its words as fit, without links or code. */
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
