import { LANGUAGES } from '@foyer/protocol/values/languages';
import { describe, expect, it } from 'vitest';
import { expectPlurals, expectSameKeys, formsOf } from '../../../protocol/test/phrase-faults.ts';
import { literals, said, unsaid } from '../../test/words-in-code.ts';
import { loadWords, say, speak, type Words } from '../strings.ts';
import { words as english } from './en.ts';

/** Three words in a row, placeholders aside. */
const isSentence = (text: string): boolean => /\p{L}+ \p{L}+ \p{L}+/u.test(text.replace(/\{\w+\}/g, ''));
const keysOf = (table: Words) => Object.keys(table) as (keyof Words)[];

describe.each(LANGUAGES)('the words of %s', (language) => {
  it('are there, for every key and none beside, and have the placeholders of the English ones', async () => {
    const [spoken, words] = await loadWords(language);
    expect(spoken).toBe(language);
    expectSameKeys(english, words);
  });

  it('have every form of a plural that the language has, none beside, and count in the common one', async () => {
    const [, words] = await loadWords(language);
    expectPlurals(language, words);
  });

  it('leave nothing in English that is a sentence', async () => {
    const [, words] = await loadWords(language);
    if (language === 'en') return;
    const same = keysOf(words).filter((key) =>
      formsOf(words[key]).some((form) => isSentence(form) && formsOf(english[key]).includes(form)),
    );
    expect(same).toEqual([]);
  });
});

describe('the code', () => {
  it('says no word that no table has', () => {
    const known = new Set<string>(keysOf(english));
    expect(said().filter((key) => !known.has(key))).toEqual([]);
  });

  it('shows no word that is in no table', () => {
    expect(unsaid()).toEqual([]);
  });

  it('uses every word of the table', () => {
    const { whole, beginnings } = literals();
    const unused = keysOf(english).filter(
      (key) => !whole.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
    );
    expect(unused).toEqual([]);
  });
});

describe('what is said', () => {
  it('takes the form that the count asks for, and writes numbers as the language does', async () => {
    speak(...(await loadWords('en')));
    expect(say('too_long', { count: 1 })).toBe('1 character over the limit');
    expect(say('too_long', { count: 1200 })).toBe('1,200 characters over the limit');
  });

  it('keeps what a visitor wrote to the letter, braces and all', async () => {
    speak(...(await loadWords('en')));
    expect(say('says', { name: '$&', text: '{name} $1' })).toBe('$&: {name} $1');
  });
});
