import { LANGUAGES } from '@foyer/protocol/values/languages';
import { expect, test } from 'vitest';
import { asksWhich, filesGot, notKnown } from './phrases.ts';

test('the bot has its own words in every language that the widget speaks, each its own', () => {
  for (const callsPerson of [false, true]) {
    const said = LANGUAGES.map((language) => notKnown(language, callsPerson));
    expect(new Set(said).size).toBe(LANGUAGES.length);
  }
  for (const says of [asksWhich, filesGot]) expect(new Set(LANGUAGES.map(says)).size).toBe(LANGUAGES.length);
});
