import { LANGUAGES } from '@foyer/protocol';
import { describe, expect, it } from 'vitest';
import { words as english } from './languages/en.ts';
import type { Plural, WordKey, Words } from './phrase-table.ts';
import { speechOf, WORDS } from './phrases.ts';

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
const forms = (entry: string | Plural): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry);
const keysOf = (words: Words): WordKey[] => Object.keys(words) as WordKey[];
/** Three words in a row, placeholders aside. */
const isSentence = (text: string): boolean => /\p{L}+ \p{L}+ \p{L}+/u.test(text.replace(/\{\w+\}/g, ''));

describe.each(LANGUAGES)('what pages and mails say in %s', (language) => {
  const words = WORDS[language];

  it('has every key and no others, with the placeholders of the English words', () => {
    expect(keysOf(words).sort()).toEqual(keysOf(english).sort());
    for (const key of keysOf(english)) {
      const wanted = placeholders(forms(english[key]).join(' '));
      for (const form of forms(words[key])) expect(form.trim(), key).not.toBe('');
      expect(placeholders(forms(words[key]).join(' ')), key).toEqual(wanted);
    }
  });

  it('has every plural form of the language, and no others', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const key of keysOf(words)) {
      const entry: string | Plural = words[key];
      if (typeof entry === 'string') continue;
      expect(Object.keys(entry).sort(), key).toEqual(categories);
      expect(entry.other, key).toContain('{count}');
    }
  });

  it('leaves no sentence in English', () => {
    const same = keysOf(words).filter((key) =>
      forms(words[key]).some((form) => isSentence(form) && forms(english[key]).includes(form)),
    );
    expect(language === 'en' ? [] : same).toEqual([]);
  });
});

describe('a phrase', () => {
  const noon = new Date('2026-03-01T12:05:00Z');

  it('has the form for its count, and numbers in the format of the language', () => {
    expect(speechOf('en').say('help_articles', { count: 1 })).toBe('1 article');
    expect(speechOf('pl').say('help_articles', { count: 22 })).toBe('22 artykuły');
    expect(speechOf('de').say('text_too_long', { count: 20_001, max: 20_000 })).toContain('20.001');
  });

  it('inserts values unchanged, braces and all', () => {
    expect(speechOf('en').say('request', { id: '1234' })).toBe('Request 1234');
    expect(speechOf('en').say('not_sent_title', { title: '$& {title}' })).toBe('Not sent: $& {title}');
  });

  it('formats days, times and sizes for the language', () => {
    expect(speechOf('en').date(noon)).toBe('1 March 2026');
    expect(speechOf('en').time(noon, 'UTC')).toBe('1 March 2026 at 12:05 UTC');
    expect(speechOf('de').time(noon, 'UTC')).toBe('1. März 2026 um 12:05 UTC');
    expect(speechOf('de').time(noon, 'Europe/Berlin')).toBe('1. März 2026 um 13:05 MEZ');
    expect(speechOf('en').time(noon, 'Asia/Kolkata')).toBe('1 March 2026 at 17:35 GMT+5:30');
    expect([1, 312, 1024, 1_048_000, 1_572_864].map(speechOf('en').size)).toEqual([
      '1 byte',
      '312 bytes',
      '1 kB',
      '1,023 kB',
      '1.5 MB',
    ]);
    expect(speechOf('fr').size(1_572_864)).toMatch(/^1,5\sMo$/);
  });
});
