import { expect } from 'vitest';
import type { Phrase, Phrases } from '../src/values/phrases.ts';

export const formsOf = (phrase: Phrase): string[] =>
  typeof phrase === 'string' ? [phrase] : Object.values(phrase);

const gapsOf = (phrase: Phrase): string[] =>
  [
    ...new Set(
      formsOf(phrase)
        .join(' ')
        .match(/\{\w+\}/g),
    ),
  ].sort();

/** A table has every key of the English one and none beside, nothing empty, and the same gaps. */
export function expectSameKeys(english: Phrases, words: Phrases): void {
  expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort());
  for (const [key, phrase] of Object.entries(english)) {
    const translated = words[key] ?? '';
    for (const form of formsOf(translated)) expect(form.trim(), key).not.toBe('');
    expect(gapsOf(translated), key).toEqual(gapsOf(phrase));
  }
}

/** A plural has every form that the language has and none beside, and counts in the common one. */
export function expectPlurals(language: string, words: Phrases): void {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
  for (const [key, phrase] of Object.entries(words)) {
    if (typeof phrase === 'string') continue;
    expect(Object.keys(phrase).sort(), key).toEqual(categories);
    expect(phrase.other, key).toContain('{count}');
  }
}
