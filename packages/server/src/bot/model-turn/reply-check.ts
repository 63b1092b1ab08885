import type { ModelReplyProblem } from '@foyer/protocol';
import type { Passage } from '../../knowledge/search/passages.ts';
import { withoutOpenLink } from '../../text/facts/addresses.ts';
import { Evidence, statedFacts } from '../../text/facts/evidence.ts';
import { type FactLanguage, factLanguageOf } from '../../text/facts/fact-language.ts';
import { type Fact, factsOf } from '../../text/facts/facts.ts';
import { isPartOfNumber } from '../../text/facts/number-words.ts';
import { folded } from '../../text/words.ts';
import type { KnownSituation } from './chat-situation.ts';
import type { ModelReply } from './reply-format.ts';

/** A reply that must not be shown. */
export interface Withheld {
  readonly problem: ModelReplyProblem;
  /** The statement that no passage supports. */
  readonly detail: string | null;
}

interface Checked {
  readonly passages: readonly Passage[];
  /** In English. */
  readonly situation: KnownSituation;
  readonly boundary: string;
  /** The visitor’s, for texts whose language can't be detected. */
  readonly language: FactLanguage;
}

/** Words of a passage that an answer rests on; of the situation if there is no passage. */
export interface FoundQuote {
  readonly passage: Passage | null;
  readonly words: string;
}

/** The fewest letters and digits of a quote, unless it is the whole passage: "the" is found everywhere. */
const QUOTE_MIN_CHARS = 8;
/** Less for numbers: "30 days" is specific. */
const NUMBER_MIN_CHARS = 4;
/** One of these characters counts as three letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const DENSE_CHARS = 3;
/** An address may be long. */
const DETAIL_MAX_CHARS = 200;
/** The most words at the end that are held back because they may belong to a number that continues. */
const HELD_WORDS_MAX = 8;

/** Letters and digits alone: models change quotation marks, spaces and markdown. */
const bare = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]+/gu, '');
const sizeOf = (text: string): number => text.length + (text.match(DENSE)?.length ?? 0) * (DENSE_CHARS - 1);

/** Whether one of the texts contains the words; a quote may have omissions. */
function isFound(words: string, texts: readonly string[]): boolean {
  const parts = words
    .split(/\[?(?:…|\.{3})\]?/)
    .map(bare)
    .filter((part) => part !== '');
  const isLongEnough = parts.some(
    (part) => sizeOf(part) >= (/\p{N}/u.test(part) ? NUMBER_MIN_CHARS : QUOTE_MIN_CHARS),
  );
  return texts.some(
    (text) =>
      parts.length > 0 &&
      (isLongEnough || (parts.length === 1 && parts[0] === text)) &&
      parts.every((part) => text.includes(part)),
  );
}

/** Passages don't change until their article does, and reading one takes about a millisecond. */
const facts = new WeakMap<Passage, Map<FactLanguage, readonly Fact[]>>();

/** Its text may contain words of a table's head that its markdown lacks, and the markdown contains the addresses. */
function factsOfPassage(passage: Passage, otherwise: FactLanguage): readonly Fact[] {
  const byLanguage = facts.get(passage) ?? new Map<FactLanguage, readonly Fact[]>();
  let known = byLanguage.get(otherwise);
  if (known === undefined) {
    const { title, headings, markdown, text } = passage;
    known = [[title, ...headings].join('\n'), markdown, text].flatMap((part) => statedFacts(part, otherwise));
    facts.set(passage, byLanguage.set(otherwise, known));
  }
  return known;
}

/** Checks a language model's text against its sources, also while it is written. */
export class ReplyCheck {
  readonly #given: Checked;
  readonly #evidence = new Map<string, Evidence>();
  readonly #bare = new Map<Passage, readonly string[]>();

  constructor(given: Checked) {
    this.#given = given;
  }

  /** The quotes that are found in their passages; the situation has the number 0. */
  quotesOf({ quotes }: Extract<ModelReply, { kind: 'answer' }>): FoundQuote[] {
    return quotes.flatMap(({ passage: place, words }) => {
      const passage = place === 0 ? null : this.#given.passages[place - 1];
      return passage !== undefined && isFound(words, this.#bareOf(passage)) ? [{ passage, words }] : [];
    });
  }

  #bareOf(passage: Passage | null): readonly string[] {
    if (passage === null) {
      const { moments, hours } = this.#given.situation;
      return [bare(moments), bare(hours)];
    }
    let texts = this.#bare.get(passage);
    if (texts === undefined) {
      texts = [bare(passage.text), bare(passage.markdown), bare(passage.title)];
      this.#bare.set(passage, texts);
    }
    return texts;
  }

  /** Why a reply, or the part of it so far, must not be shown; undefined if it may be. */
  problemWith(reply: ModelReply): Withheld | undefined {
    switch (reply.kind) {
      case 'answer': {
        const cited = this.quotesOf(reply);
        if (cited.length === 0) return { problem: 'no_quote', detail: null };
        const articles = new Set(cited.map(({ passage }) => passage?.articleId));
        return this.#problemOf(reply.text, (passage) => articles.has(passage.articleId));
      }
      case 'ask':
      case 'talk':
        return this.#problemOf(reply.text, () => true);
      case 'handoff':
        return reply.summary.includes(this.#given.boundary)
          ? { problem: 'boundary', detail: null }
          : undefined;
      default:
        return undefined;
    }
  }

  #problemOf(text: string, isCited: (passage: Passage) => boolean): Withheld | undefined {
    const { boundary, passages, situation, language } = this.#given;
    if (text.includes(boundary)) return { problem: 'boundary', detail: null };
    const cited = passages.filter(isCited);
    const key = cited.map((passage) => passages.indexOf(passage)).join(' ');
    let evidence = this.#evidence.get(key);
    if (evidence === undefined) {
      const known = cited.flatMap((passage) => factsOfPassage(passage, language));
      evidence = new Evidence([
        ...known,
        ...factsOf(situation.moments, 'en', true),
        ...factsOf(situation.hours, 'en', false),
      ]);
      this.#evidence.set(key, evidence);
    }
    const detail = evidence.unsupported(text, factLanguageOf(text, language));
    return detail === undefined
      ? undefined
      : { problem: 'fact', detail: detail.slice(0, DETAIL_MAX_CHARS).toWellFormed() };
  }

  /** What may be shown of an unfinished text: not its last word, nor a number that may continue. */
  heldBack(written: string): string {
    const text = withoutOpenLink(written);
    const language = factLanguageOf(text, this.#given.language);
    let shown = withoutLastWord(text);
    for (let held = 0; held < HELD_WORDS_MAX; held += 1) {
      shown = shown.trimEnd();
      const last = shown.slice(withoutLastWord(shown).length);
      const mayGoOn = /\p{N}/u.test(last) || isSign(last) || isPartOfNumber(last, language);
      if (last === '' || !mayGoOn) break;
      shown = shown.slice(0, -last.length);
    }
    return shown.trim();
  }
}

/** Up to the last space; in Chinese and Japanese, which have none, up to the last punctuation mark. */
const withoutLastWord = (text: string): string =>
  text.replace(/(?<![^\s。！？、，；：])[^\s。！？、，；：]+[。！？、，；：]{0,3}$/u, '');

/** A currency sign, for example, before its number. */
const isSign = (word: string): boolean => /^[^\p{L}\p{N}]+$/u.test(word.trim());
