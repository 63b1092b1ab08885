import { type Language, stem } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';
import { kindsOf, kindTerm } from '../kinds.ts';
import type { Passage } from './passages.ts';

/** How often each term occurs in a text. */
type TermCounts = Map<string, number>;

/** A unit that is matched on its own: a sentence, a heading, the title. */
interface UnitTerms {
  /** Index of its passage in the article; -1 for the title. */
  readonly passage: number;
  /** Line and sentence in the passage; -1 for headings and the title. */
  readonly line: number;
  readonly at: number;
  readonly counts: TermCounts;
}

interface ArticleTerms {
  /** The whole article, its title and headings counting more. */
  readonly text: TermCounts;
  readonly title: TermCounts;
  readonly units: readonly UnitTerms[];
}

/** How often a word of a title or heading counts, compared with one of the text. */
const TITLE_COUNT = 3;
const HEADING_COUNT = 2;

/** The terms of one article; the same passages give the same terms, so that they can be removed again. */
export function articleTerms(passages: readonly Passage[], language: Language): ArticleTerms {
  const text: TermCounts = new Map();
  const title = termsOf(passages[0]?.title ?? '', language);
  addCounts(text, title, TITLE_COUNT);
  const units: UnitTerms[] = [{ passage: -1, line: -1, at: -1, counts: title }];
  for (const [place, passage] of passages.entries()) {
    const headings = termsOf(passage.headings.join('\n'), language);
    const sameSection = passages[place - 1]?.headings.join('\n') === passage.headings.join('\n');
    if (!sameSection) addCounts(text, headings, HEADING_COUNT);
    if (headings.size > 0) units.push({ passage: place, line: -1, at: -1, counts: headings });
    for (const [line, { sentences }] of passage.lines.entries()) {
      for (const [at, sentence] of sentences.entries()) {
        const counts = termsOf(sentence.text, language);
        for (const kind of kindsOf(sentence.text)) counts.set(kindTerm(kind), 1);
        addCounts(text, counts, 1);
        if (counts.size > 0) units.push({ passage: place, line, at, counts });
      }
    }
  }
  return { text, title, units };
}

/** The parts of an article that a question may resemble, as sentences. */
export function samplesOf(passages: readonly Passage[]): string[] {
  const headings = passages.map((passage) => passage.headings.join(' ')).filter((text) => text !== '');
  const sentences = passages.flatMap(({ lines }) =>
    lines.flatMap((line) => line.sentences.map((sentence) => sentence.text)),
  );
  return [passages[0]?.title ?? '', ...new Set(headings), ...sentences].filter((text) => text !== '');
}

function termsOf(text: string, language: Language): TermCounts {
  const counts: TermCounts = new Map();
  for (const word of wordsOf(text)) {
    const term = stem(word, language);
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

function addCounts(into: TermCounts, counts: TermCounts, times: number): void {
  for (const [term, count] of counts) into.set(term, (into.get(term) ?? 0) + count * times);
}
