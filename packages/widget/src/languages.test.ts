import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import type { Phrase } from '@foyer/protocol/values/phrases';
import { describe, expect, it } from 'vitest';
import { expectPlurals, expectSameKeys, formsOf } from '../../protocol/test/phrase-faults.ts';
import { firstLoad, literals, said, saidIn, unsaid } from '../test/words-in-code.ts';
import { words as homeWords } from './languages/home/en.ts';
import { words as placeWords } from './languages/places/en.ts';
import { loadPlaceWords, loadWords, type StringKey, say, speak } from './strings.ts';

const english = { ...homeWords, ...placeWords };

/** Three words in a row, placeholders aside. */
const isSentence = (text: string): boolean => /\p{L}+ \p{L}+ \p{L}+/u.test(text.replace(/\{\w+\}/g, ''));
const keys = Object.keys(english) as StringKey[];

const tableOf = async (language: Language) => {
  await loadPlaceWords();
  const spoken = await loadWords(language);
  expect(spoken.language).toBe(language);
  return { ...spoken.words, ...spoken.others } as Record<StringKey, Phrase>;
};

describe.each(LANGUAGES)('the words of %s', (language) => {
  it('have the same keys and placeholders as the English ones', async () => {
    expectSameKeys(english, await tableOf(language));
  });

  it('have exactly the plural forms of the language, and a count in the common one', async () => {
    expectPlurals(language, await tableOf(language));
  });

  it('have no English sentences', async () => {
    if (language === 'en') return;
    const words = await tableOf(language);
    const same = keys.filter((key) =>
      formsOf(words[key]).some((form) => isSentence(form) && formsOf(english[key]).includes(form)),
    );
    expect(same).toEqual([]);
  });
});

describe('the code', () => {
  it('uses no key that no table has', () => {
    const known = new Set<string>(keys);
    expect(said().filter((key) => !known.has(key))).toEqual([]);
  });

  it('of the first load uses only phrases of the first load', () => {
    expect(firstLoad().length).toBeGreaterThan(20);
    expect(saidIn(firstLoad()).filter((key) => !(key in homeWords))).toEqual([]);
  });

  it('shows no text that is in no table', () => {
    expect(unsaid()).toEqual([]);
  });

  it('uses every phrase of the table', () => {
    const { whole, beginnings } = literals();
    const unused = keys.filter(
      (key) => !whole.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
    );
    expect(unused).toEqual([]);
  });
});

describe('a phrase', () => {
  it('is in the current language, even if the phrases of other screens were loaded before it was set', async () => {
    speak(await loadWords('en'));
    await loadPlaceWords();
    expect(say('help_title')).toBe('Help');
    const german = loadWords('de');
    const asked = loadPlaceWords();
    speak(await german);
    await asked;
    expect(say('help_title')).toBe('Hilfe');
    expect(say('home_recent')).toBe('Ihre Chats');
  });

  it('has the plural form of its count, and numbers in the language’s format', async () => {
    await loadPlaceWords();
    speak(await loadWords('en'));
    expect(say('too_long', { count: 1 })).toBe('1 character over the limit');
    expect(say('too_long', { count: 1200 })).toBe('1,200 characters over the limit');
  });

  it('keeps a visitor’s text exactly, including braces', async () => {
    speak(await loadWords('en'));
    expect(say('says', { name: '$&', text: '{name} $1' })).toBe('$&: {name} $1');
  });
});
