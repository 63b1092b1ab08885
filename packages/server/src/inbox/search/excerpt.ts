import type { FoundWords } from '@foyer/protocol';
import { LANGUAGES, languageOf, stem } from '../../text/languages.ts';
import { folded, wordsOf } from '../../text/words.ts';

const EXCERPT_CHARS = 160;
/** A list shows one line, so the hit must be near the beginning. */
const CHARS_BEFORE = 24;
/** Enough hits in one text to choose the best place. */
const HITS_MAX = 200;

/** A word, as `wordsOf` splits text. */
const TOKEN = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const SPACES = /\s+/g;

/** Maps a word of a text to the matching word of a query, like the search index. */
export interface Question {
  /** The number of different words. */
  size: number;
  placeOf(word: string, language: ReturnType<typeof languageOf>): number | undefined;
}

/**
 * Matches words as written, by their stem in any language, and by the beginning of the last word, which may be
 * incomplete.
 */
export function questionOf(q: string): Question {
  const words = [...new Set(wordsOf(q))];
  const places = new Map<string, number>();
  words.forEach((word, place) => {
    for (const form of [word, ...LANGUAGES.map((language) => stem(word, language))])
      if (!places.has(form)) places.set(form, place);
  });
  const last = words.at(-1) ?? '';
  const isBeginning = (word: string): boolean => last.length > 1 && word.startsWith(last);
  return {
    size: words.length,
    placeOf: (word, language) =>
      places.get(word) ?? (isBeginning(word) ? words.length - 1 : places.get(stem(word, language))),
  };
}

/** How many different words of the question the text contains. */
export function hitsIn(text: string, question: Question): number {
  const words = wordsOf(text);
  const language = languageOf(words);
  return new Set(words.map((word) => question.placeOf(word, language)).filter((place) => place !== undefined))
    .size;
}

interface Hit {
  from: number;
  to: number;
  place: number;
}

/** Hits in Chinese and Japanese text, whose words are pairs of characters. */
function pairsIn(token: string, at: number, placeOf: (word: string) => number | undefined): Hit[] {
  const characters = [...token];
  const hits: Hit[] = [];
  let from = at;
  characters.forEach((character, index) => {
    const pair = character + (characters[index + 1] ?? '');
    const place = placeOf(folded(pair));
    if (place !== undefined) hits.push({ from, to: from + pair.length, place });
    from += character.length;
  });
  return hits;
}

function hitsOf(text: string, question: Question): Hit[] {
  const language = languageOf(wordsOf(text));
  const placeOf = (word: string): number | undefined => question.placeOf(word, language);
  const hits: Hit[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (hits.length >= HITS_MAX) break;
    if (CJK.test(token)) {
      hits.push(...pairsIn(token, index, placeOf));
      continue;
    }
    const place = wordsOf(token)
      .map(placeOf)
      .find((one) => one !== undefined);
    if (place !== undefined) hits.push({ from: index, to: index + token.length, place });
  }
  return hits;
}

/** Where most different words are closest together. */
function bestStart(hits: readonly Hit[]): number {
  let best = { from: 0, count: 0, length: 0 };
  for (const [first, { from }] of hits.entries()) {
    const seen = new Set<number>();
    let length = 0;
    for (const { to, place } of hits.slice(first)) {
      if (to > from + EXCERPT_CHARS - CHARS_BEFORE) break;
      if (!seen.has(place)) length = to - from;
      seen.add(place);
    }
    const count = seen.size;
    if (count > best.count || (count === best.count && length < best.length)) best = { from, count, length };
  }
  return best.from;
}

/** Where the excerpt begins: at a whole word, a little before the hit. */
function cutBefore(text: string, hit: number): number {
  if (hit <= CHARS_BEFORE) return 0;
  const space = text.indexOf(' ', hit - CHARS_BEFORE);
  return space === -1 || space >= hit ? hit : space + 1;
}

/** The excerpt of a text with the question's words, which are marked. */
export function excerptOf(text: string, question: Question): FoundWords['excerpt'] {
  const line = text.replace(SPACES, ' ').trim();
  const hits = hitsOf(line, question);
  const start = cutBefore(line, bestStart(hits));
  const end = Math.min(line.length, start + EXCERPT_CHARS);
  const pieces: FoundWords['excerpt'] = [];
  const put = (piece: string, hit: boolean): void => {
    const last = pieces.at(-1);
    if (last?.hit === hit) last.text += piece;
    else if (piece !== '') pieces.push({ text: piece, hit });
  };
  let at = start;
  put(start > 0 ? '…' : '', false);
  for (const { from, to } of hits) {
    if (to <= at || from >= end) continue;
    put(line.slice(at, Math.max(at, from)).toWellFormed(), false);
    put(line.slice(Math.max(at, from), Math.min(to, end)).toWellFormed(), true);
    at = Math.min(to, end);
  }
  put(line.slice(at, end).toWellFormed() + (end < line.length ? '…' : ''), false);
  return pieces;
}
