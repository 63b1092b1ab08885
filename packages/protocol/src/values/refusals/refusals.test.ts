import { describe, expect, it } from 'vitest';
import { expectPlurals, expectSameKeys, formsOf } from '../../../test/phrase-faults.ts';
import { ERROR_REASONS, ERROR_STATUS } from '../../errors.ts';
import type { Phrases } from '../phrases.ts';
import { TICKET_STATUSES } from '../wire-names.ts';
import { words as de } from './de.ts';
import { words as en } from './en.ts';

const TABLES: readonly [string, Phrases][] = [
  ['en', en],
  ['de', de],
];

describe.each(TABLES)('the words of refusals in %s', (language, words) => {
  it('are there for every code, reason and state, and for nothing else', () => {
    expectSameKeys(en, words);
    const keys = [
      ...Object.keys(ERROR_STATUS).map((code) => `code_${code}`),
      ...ERROR_REASONS.map((reason) => `reason_${reason}`),
      ...TICKET_STATUSES.map((status) => `state_${status}`),
      'somebody',
    ];
    expect(Object.keys(words).sort()).toEqual(keys.sort());
  });

  it('have the plurals of the language, and the quotes and dots of typography', () => {
    expectPlurals(language, words);
    const typed = Object.values(words)
      .flatMap(formsOf)
      .filter((form) => /["']|\.\.\./.test(form));
    expect(typed).toEqual([]);
  });
});

it('no refusal is left in English', () => {
  const english: Phrases = en;
  const left = Object.entries<Phrases[string]>(de).flatMap(([key, phrase]) =>
    formsOf(phrase).filter((form) => formsOf(english[key] ?? '').includes(form)),
  );
  expect(left).toEqual([]);
});
