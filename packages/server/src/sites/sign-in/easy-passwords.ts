import { readFile } from 'node:fs/promises';
import { invalidInput } from '../../base/errors.ts';
import { packageFile } from '../../base/package-files.ts';
import type { IsBreached } from './breached-passwords.ts';

/**
 * About 2,000 of the most common passwords, and names and words to which many people only add digits; in lower case.
 */
const COMMON = packageFile('src/sites/sign-in/common-passwords.txt');
/** With fewer unpredictable characters than these, a password can be guessed; a random one of ten has eight or nine. */
const FRESH_MIN = 5;
/** Known words with a year or a few digits are easy to guess too. */
const FRESH_BESIDE_WORDS_MIN = 6;
const DISTINCT_MIN = 4;
const PERSONAL_WORD_MIN = 3;
/** Replaces a word that counts as one character. */
const WORD = '\u2022';
const KEY_ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm'];
const LOOKALIKES = new Map(
  Object.entries({ '@': 'a', 4: 'a', 3: 'e', 1: 'i', '!': 'i', 0: 'o', $: 's', 5: 's', 7: 't' }),
);

let loaded: Promise<ReadonlySet<string>> | undefined;

const commonPasswords = (): Promise<ReadonlySet<string>> => {
  loaded ??= readFile(COMMON, 'utf8').then((text) => new Set(text.split(/\r?\n/).filter(Boolean)));
  return loaded;
};

const withoutSeparators = (text: string): string => text.replace(/[\s._!-]/g, '');

/** `passwordpassword` is `password`. */
const withoutRepetition = (text: string): string => text.slice(0, (text + text).indexOf(text, 1));

/** The parts of an email address and of names that somebody could guess, longest first. */
function wordsOf(personal: readonly string[]): string[] {
  const texts = personal.map((text) => text.toLowerCase());
  const parts = texts.flatMap((text) => [withoutSeparators(text), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set([...texts, ...parts])]
    .filter((word) => word.length >= PERSONAL_WORD_MIN)
    .sort((a, b) => b.length - a.length);
}

const areNeighbours = (a: string, b: string): boolean =>
  Math.abs((a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0)) <= 1 ||
  KEY_ROWS.some(
    (row) => row.includes(a) && row.includes(b) && Math.abs(row.indexOf(a) - row.indexOf(b)) === 1,
  );

/** Characters that neither repeat the one before nor follow it in the alphabet or on a keyboard. */
const countFresh = (characters: readonly string[]): number =>
  characters.filter((one, at) => at === 0 || !areNeighbours(characters[at - 1] ?? '', one)).length;

const letters = (text: string): string => [...text].map((one) => LOOKALIKES.get(one) ?? one).join('');

/** Replaces a common password that has only digits and signs around it by a mark: `P@ssw0rd123!`. */
function withoutCommon(text: string, common: ReadonlySet<string>): string {
  const stem = /\p{L}.*\p{L}/su.exec(text)?.[0] ?? '';
  const isCommon = [stem, letters(stem)].some((one) => common.has(one));
  return isCommon ? text.replace(stem, WORD) : text;
}

/**
 * Whether a password can be guessed in a few thousand attempts: a common one, a repetition, a run on the keyboard, or
 * mostly words known about the person.
 */
export async function isEasyPassword(password: string, personal: readonly string[]): Promise<boolean> {
  const common = await commonPasswords();
  const lower = password.toLowerCase();
  const known = wordsOf(personal).reduce((text, word) => text.replaceAll(word, WORD), lower);
  const bare = withoutRepetition(withoutSeparators(known));
  if (common.has(lower) || common.has(bare) || common.has(letters(bare))) return true;
  const characters = [...withoutCommon(bare, common)];
  const least = characters.includes(WORD) ? FRESH_BESIDE_WORDS_MIN : FRESH_MIN;
  return countFresh(characters) < least || new Set(characters).size < DISTINCT_MIN;
}

/**
 * For a newly chosen password, never for one that is compared: refuses one that is easy to guess or known from a
 * breach.
 * @param personal the person's email address and names, and those of their sites
 * @throws AppError 400 about the field at `path`
 */
export async function refuseWeakPassword(
  password: string,
  personal: readonly string[],
  isBreached: IsBreached,
  path = 'password',
): Promise<void> {
  if (await isEasyPassword(password, personal))
    throw invalidInput([{ path, message: 'is too easy to guess', reason: 'easy_password' }]);
  if (await isBreached(password))
    throw invalidInput([{ path, message: 'is known from a data breach', reason: 'breached_password' }]);
}
