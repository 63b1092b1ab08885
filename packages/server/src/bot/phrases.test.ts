import { LANGUAGES } from '@foyer/protocol/values/languages';
import { expect, test } from 'vitest';
import { asksWhich, filesGot, notKnown } from './phrases.ts';

test('the bot has its own words in every language of the widget, and no two languages share them', () => {
  for (const callsPerson of [false, true]) {
    const said = LANGUAGES.map((language) => notKnown(language, callsPerson));
    expect(new Set(said).size).toBe(LANGUAGES.length);
  }
  const asks = LANGUAGES.flatMap((language) => [asksWhich(language, 1), asksWhich(language, 3)]);
  expect(new Set(asks).size).toBe(2 * LANGUAGES.length);
  expect(new Set(LANGUAGES.map(filesGot)).size).toBe(LANGUAGES.length);
});
