import { folded } from '../text/words.ts';
import { HANDOFF_LANGUAGES, HANDOFF_PATTERNS, type HandoffLanguage } from './handoff-words.ts';
import { fits, places, wordsIn } from './word-phrases.ts';

const READ_MAX_CHARS = 1_000;
/** How many words may lie between the contact and the person. */
const REACH = 7;
const BETWEEN_MAX = 5;
const ALONE_MAX_WORDS = 6;
const WHOLE_MAX_WORDS = 9;
const PARTS_MAX = 10;
/** One or two words between commas are members of a list: "for a couple, a person, or a group". */
const PART_MIN_WORDS = 3;

/** Whether a visitor asks to be put through to a person, in any of the languages of `HANDOFF_LANGUAGES`. */
export function asksForPerson(message: string): boolean {
  const text = folded(message.slice(0, READ_MAX_CHARS).toWellFormed());
  const packed = text.replace(/[\s\p{P}]+/gu, '');
  if (HANDOFF_PATTERNS.some((pattern) => pattern.test(packed))) return true;
  const sentences = text.split(/[.!?\n;:…؟¿¡]+/).flatMap(partsOf);
  return HANDOFF_LANGUAGES.some((language) => sentences.some((words) => requests(words, language)));
}

/** A sentence, and what stands between its commas: "Stop, I want a human" is no request to stop it. */
function partsOf(sentence: string): string[][] {
  const whole = wordsIn(sentence);
  const parts = sentence
    .split(/[,،、]+/)
    .slice(0, PARTS_MAX)
    .map(wordsIn);
  return [whole, ...parts.filter((part) => part.length >= PART_MIN_WORDS && part.length < whole.length)];
}

function requests(words: readonly string[], language: HandoffLanguage): boolean {
  if (words.length === 0) return false;
  if (standsAlone(words, language) || isWholeRequest(words, language)) return true;
  return places(words, language.person).some(([start, end]) => {
    if (!mayEndHere(words, end, language)) return false;
    return isContacted(words, start, end, language) || isWishedFor(words, start, end, language);
  });
}

/** "Agent", "real person please": nothing but the person and courtesy. */
function standsAlone(words: readonly string[], language: HandoffLanguage): boolean {
  if (words.length > ALONE_MAX_WORDS) return false;
  const persons = places(words, language.person).filter(([start, end]) => !isVague(words, start, end));
  return persons.some(([start, end]) => {
    const rest = [...words.slice(0, start), ...words.slice(end)];
    return rest.every((word) =>
      [language.courtesy, language.before, language.person].some((list) =>
        list.some((each) => fits(word, each)),
      ),
    );
  });
}

function isWholeRequest(words: readonly string[], language: HandoffLanguage): boolean {
  if (words.length > WHOLE_MAX_WORDS) return false;
  const plain = withoutCourtesy(words, language);
  return (
    plain !== '' && language.whole.some((phrase) => withoutCourtesy(phrase.split(' '), language) === plain)
  );
}

function withoutCourtesy(words: readonly string[], { courtesy }: HandoffLanguage): string {
  return words.filter((word) => !courtesy.some((each) => fits(word, each))).join(' ');
}

/** Words that mean a person only beside a verb. */
const ALONE_TOO_VAGUE = new Set(
  'someone somebody anyone anybody people team sales support staff jemand personne alguien alguem qualcuno iemand ktos kims biri birisi хтось кимось احد מישהו i'.split(
    ' ',
  ),
);

function isVague(words: readonly string[], start: number, end: number): boolean {
  return end - start === 1 && ALONE_TOO_VAGUE.has(words[start] ?? '');
}

function isContacted(
  words: readonly string[],
  start: number,
  end: number,
  language: HandoffLanguage,
): boolean {
  const joined =
    language.to.length === 0 ||
    precededBy(words, start, language.before, [...language.to, ...language.direct]) !== null ||
    startsWithAny(words, end, language.direct);
  if (!joined) return false;
  return places(words, language.contact).some(([from, to]) => {
    const near = to <= start ? start - to <= REACH : from >= end && from - end <= REACH;
    return near && !isNegated(words, from, language);
  });
}

function isWishedFor(
  words: readonly string[],
  start: number,
  end: number,
  language: HandoffLanguage,
): boolean {
  if (isVague(words, start, end)) return false;
  const at = precededBy(words, start, language.before, language.wish);
  return at !== null && !isNegated(words, at, language);
}

/** Where one of `wanted` stands before `start` with nothing but `between` words in the middle, or null. */
function precededBy(
  words: readonly string[],
  start: number,
  between: readonly string[],
  wanted: readonly string[],
): number | null {
  for (let at = start - 1; at >= 0 && start - at <= BETWEEN_MAX; at -= 1) {
    const hit = places(words.slice(0, at + 1), wanted).find(([, end]) => end === at + 1);
    if (hit !== undefined) return hit[0];
    if (!between.some((each) => each.split(' ').some((part) => fits(words[at] ?? '', part)))) return null;
  }
  return null;
}

function mayEndHere(words: readonly string[], end: number, language: HandoffLanguage): boolean {
  return end === words.length || startsWithAny(words, end, [...language.after, ...language.person]);
}

function startsWithAny(words: readonly string[], at: number, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => {
    const parts = phrase.split(' ');
    return parts.every((part, offset) => fits(words[at + offset] ?? '', part));
  });
}

function isNegated(words: readonly string[], at: number, language: HandoffLanguage): boolean {
  const before = words.slice(Math.max(0, at - 3), at);
  return places(before, language.not).length > 0;
}
