import type { PassageHit, SearchHit, SentenceHit } from '../../knowledge/search/search-hits.ts';
import { escapeMarkdown, type Line } from '../../text/plain-text.ts';
import { folded } from '../../text/words.ts';
import { wantedQuantity } from './quantity.ts';

/** About what a visitor reads in a chat bubble without scrolling. */
export const ANSWER_MAX_CHARS = 600;
const PROSE_MAX_CHARS = 350;
/** List items that meet the question about as well as the best one belong to the answer too. */
const ALMOST_AS_GOOD = 0.7;
/** Headings that add this much of the question say that the section as a whole is the answer. */
const SECTION_LEAD = 0.25;
/** A short list is worth showing whole unless one of its items says nearly all. */
const SHORT_LIST_CHARS = 350;
const ITEM_SAYS_ALL = 0.6;
const STEPS_VALUE = 0.45;
/** A shorter start of an article only leads to what follows. */
const START_MIN_CHARS = 160;
/** A question that has no more to it than this is named by the words above a section. */
const NAMED_FROM = 0.95;
/** Who asks how many wants the number: a sentence that gives one is worth as much as a section about the subject. */
const QUANTITY_VALUE = 0.8;
const HOW_TO =
  /^\W*(?:how (?:do|can|to|should|would)|what (?:do|should) i do|wie (?:kann|mache|muss|geht)|comment|como|come (?:posso|si|faccio)|hoe (?:kan|moet|doe)|как |jak |nasil|як )/;

/**
 * What answers a question in an article, as markdown: a sentence or two, the steps, or the section.
 * Empty when the article has no text.
 */
export function extractAnswer(hit: SearchHit, question: string): string {
  const answer = bestAnswer(hit, question);
  const quantity = wantedQuantity(question);
  if (quantity === null || quantity.test(folded(answer))) return answer;
  const numbered = withQuantity(hit, quantity);
  if (numbered === undefined) return answer;
  const { passage, sentence } = numbered;
  return render(around(passage.passage.lines, sentence, passage.sentences));
}

function bestAnswer(hit: SearchHit, question: string): string {
  const passage = passageFor(hit, question);
  if (passage === undefined) return '';
  const { lines } = passage.passage;
  const steps = lines.findIndex(isStep);
  if (steps >= 0 && HOW_TO.test(folded(question))) return render(lines.slice(leadsTo(lines, steps)));
  const subject = subjectOf(hit);
  if (subject !== undefined) return render(subject.passage.lines);
  const anchor = passage.sentences[0];
  if (anchor === undefined) return render(lines);
  const inSection = passage.coverage - anchor.coverage >= SECTION_LEAD;
  const section = inSection ? sectionWith(lines, anchor.line) : null;
  return render(section ?? around(lines, anchor, passage.sentences));
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

/** The sentence with the quantity that was asked for, in the passage that is most about the subject. */
function withQuantity(
  hit: SearchHit,
  quantity: RegExp,
): { passage: PassageHit; sentence: SentenceHit } | undefined {
  const best = Math.max(...hit.passages.map(({ value }) => value));
  return hit.passages
    .flatMap((passage) => {
      const sentence = passage.sentences.find(({ line, at }) =>
        quantity.test(folded(passage.passage.lines[line]?.sentences[at]?.text ?? '')),
      );
      return sentence && passage.value + QUANTITY_VALUE >= best ? [{ passage, sentence }] : [];
    })
    .toSorted((a, b) => b.passage.value - a.passage.value)[0];
}

/** The best passage that has text; who asks how to do something prefers steps. */
function passageFor(hit: SearchHit, question: string): PassageHit | undefined {
  const full = hit.passages.filter(({ passage }) => passage.lines.length > 0);
  if (!HOW_TO.test(folded(question))) return full[0];
  const worthOf = (each: PassageHit): number =>
    each.value + (each.passage.lines.some(isStep) ? STEPS_VALUE : 0);
  return full.toSorted((a, b) => worthOf(b) - worthOf(a))[0];
}

/** The section from its start, if the best sentence is near enough to be in the answer. */
function sectionWith(lines: readonly Line[], anchor: number): readonly Line[] | null {
  const before = lines.slice(0, anchor + 1).reduce((sum, line) => sum + sizeOf(line), 0);
  return before <= ANSWER_MAX_CHARS ? lines : null;
}

function around(lines: readonly Line[], anchor: SentenceHit, hits: readonly SentenceHit[]): Line[] {
  const line = lines[anchor.line];
  if (line === undefined) return [];
  if (line.kind === 'item' || line.kind === 'row') return listAnswer(lines, anchor, hits);
  if (line.kind === 'code') return [...lines.slice(Math.max(0, anchor.line - 1), anchor.line + 1)];
  const prose = proseAnswer(line, anchor.at);
  return endsInColon(prose) ? [prose, ...listAfter(lines, anchor.line)] : [prose];
}

/** The sentence and those that follow it in its paragraph; also the one before, if it leans on that. */
function proseAnswer(line: Line, at: number): Line {
  const first = at > 0 && leansBack(line.sentences[at]?.text ?? '') ? at - 1 : at;
  let size = 0;
  let end = first;
  for (const sentence of line.sentences.slice(first)) {
    size += sentence.text.length + 1;
    if (end > at && size > PROSE_MAX_CHARS) break;
    end += 1;
  }
  return { ...line, sentences: line.sentences.slice(first, end) };
}

/** Steps are an answer as a whole; of other lists the best items, under the words that lead to them. */
function listAnswer(lines: readonly Line[], anchor: SentenceHit, hits: readonly SentenceHit[]): Line[] {
  let start = anchor.line;
  while (start > 0 && isListLine(lines[start - 1])) start -= 1;
  const list = listAfter(lines, start - 1);
  const lead = start > 0 ? lines[start - 1] : undefined;
  const short = list.reduce((sum, line) => sum + sizeOf(line), 0) <= SHORT_LIST_CHARS;
  const whole = list.some(isStep) || (short && anchor.coverage < ITEM_SAYS_ALL);
  const items = whole ? list : list.filter((_, at) => isNearBest(start + at, anchor, hits));
  if (lead !== undefined && endsInColon(lead)) return [lastSentence(lead), ...items];
  const [only, second] = items;
  return only !== undefined && second === undefined ? [{ ...only, marker: '' }] : items;
}

/** Where an answer that starts with this list starts: at the line that leads to it, if there is one. */
function leadsTo(lines: readonly Line[], list: number): number {
  const lead = lines[list - 1];
  return lead !== undefined && endsInColon(lead) ? list - 1 : list;
}

function isNearBest(line: number, anchor: SentenceHit, hits: readonly SentenceHit[]): boolean {
  return hits.some((hit) => hit.line === line && hit.score >= anchor.score * ALMOST_AS_GOOD);
}

function listAfter(lines: readonly Line[], at: number): Line[] {
  let end = at + 1;
  while (isListLine(lines[end])) end += 1;
  return lines.slice(at + 1, end);
}

function isStep(line: Line): boolean {
  return /^\d/.test(line.marker);
}

function isListLine(line: Line | undefined): boolean {
  return line?.kind === 'item' || line?.kind === 'row';
}

function lastSentence(line: Line): Line {
  return { ...line, sentences: line.sentences.slice(-1) };
}

function endsInColon(line: Line): boolean {
  return /[:：]$/.test(line.sentences.at(-1)?.text ?? '');
}

function leansBack(sentence: string): boolean {
  return /^(?:it|its|they|this|that|these|those|he|she|then|otherwise|er|es|dies\w*|sonst|il|elle|ils|cela|ce|eso|esto|isso|isto|questo|dit|het)\b/i.test(
    sentence,
  );
}

/** Whole lines while they fit; a first line that is too long by itself is cut between words. */
function render(lines: readonly Line[]): string {
  let text = '';
  let kind: string | null = null;
  for (const line of lines) {
    const shown = line.marker + line.sentences.map((sentence) => sentence.markdown).join(' ');
    const joint = kind === null ? '' : kind === line.kind && isListLine(line) ? '\n' : '\n\n';
    if (text.length + joint.length + shown.length > ANSWER_MAX_CHARS) {
      return text === '' ? shortened(line) : text;
    }
    text += joint + shown;
    kind = line.kind;
  }
  return text;
}

/** Sentences while they fit; of a single sentence that doesn't, its words, without links or code. */
function shortened(line: Line): string {
  const kept: string[] = [];
  let size = line.marker.length;
  for (const { markdown } of line.sentences) {
    size += markdown.length + 1;
    if (size > ANSWER_MAX_CHARS) break;
    kept.push(markdown);
  }
  if (kept.length > 0) return line.marker + kept.join(' ');
  const words = line.sentences[0]?.text ?? '';
  return `${escapeMarkdown(cutAtWord(words, PROSE_MAX_CHARS))}…`;
}

function cutAtWord(text: string, most: number): string {
  const cut = text
    .slice(0, most)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = cut.lastIndexOf(' ');
  return space > most / 2 ? cut.slice(0, space) : cut;
}

function sizeOf(line: Line): number {
  return line.sentences.reduce((sum, sentence) => sum + sentence.markdown.length + 1, line.marker.length);
}
