import { folded } from '../text/words.ts';
import { ANGER_LANGUAGES, ANGER_STRETCHES } from './anger-words.ts';
import { places, wordsIn } from './word-phrases.ts';

const READ_MAX_CHARS = 1_000;
/** Two signs make anger: one strong word, or two mild ones, or one of them said loudly. */
const ANGRY_FROM = 2;
const STRONG = 2;
const MILD = 1;
/** Shouting: nearly all of several words in capitals. "IKEA", "USB-C" and the code of an order are no shouts. */
const SHOUT_MIN_WORDS = 3;
const SHOUT_MIN_LETTERS = 12;
const SHOUT_SHARE = 0.8;
const LOUD_MARKS = /[!！]{2,}|[?？][!！]|[!！][?？]|[?？]{3,}/u;

/**
 * Whether a visitor is so angry that a person should take over. It would rather miss anger than see it where there is
 * none: displeasure alone, a strong word for a thing, or capitals alone are not enough.
 */
export function isAngry(message: string): boolean {
  const text = message.slice(0, READ_MAX_CHARS).toWellFormed();
  const said = wordsValue(folded(text));
  if (said === 0) return false;
  const loud = Number(isShouted(text)) + Number(LOUD_MARKS.test(text));
  return said + loud >= ANGRY_FROM;
}

function wordsValue(text: string): number {
  const words = wordsIn(text);
  const packed = text.replace(/[\s\p{P}]+/gu, '');
  const values = ANGER_LANGUAGES.map(({ strong, mild }) =>
    places(words, strong).length > 0 ? STRONG : MILD * distinct(words, mild),
  );
  return Math.max(...values, stretchesValue(packed));
}

/** How many different places have a mild word: "very very bad" is one. */
function distinct(words: readonly string[], phrases: readonly string[]): number {
  return new Set(places(words, phrases).map(([start]) => words[start])).size;
}

function stretchesValue(packed: string): number {
  const { strong, mild } = ANGER_STRETCHES;
  if (strong.some((stretch) => packed.includes(stretch))) return STRONG;
  return MILD * mild.filter((stretch) => packed.includes(stretch)).length;
}

function isShouted(text: string): boolean {
  const letters = text.match(/\p{Lu}|\p{Ll}/gu) ?? [];
  const capitals = letters.filter((letter) => /\p{Lu}/u.test(letter)).length;
  const words = text.match(/\p{Lu}{2,}/gu) ?? [];
  return (
    words.length >= SHOUT_MIN_WORDS &&
    letters.length >= SHOUT_MIN_LETTERS &&
    capitals >= SHOUT_SHARE * letters.length
  );
}
