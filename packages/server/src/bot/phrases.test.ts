import { LANGUAGES } from '@foyer/protocol/values/languages';
import { expect, test } from 'vitest';
import { smallTalkReply } from '../intents/small-talk.ts';
import { SMALL_TALK } from '../intents/small-talk-words.ts';
import { asksWhich, filesGot, notKnown } from './phrases.ts';

test('the bot has its own words in every language that the widget speaks, each its own', () => {
  for (const callsPerson of [false, true]) {
    const said = LANGUAGES.map((language) => notKnown(language, callsPerson));
    expect(new Set(said).size).toBe(LANGUAGES.length);
  }
  for (const says of [asksWhich, filesGot]) expect(new Set(LANGUAGES.map(says)).size).toBe(LANGUAGES.length);
});

test('every phrase of small talk is met as it stands in the list', () => {
  expect(SMALL_TALK).toHaveLength(LANGUAGES.length);
  const unmet = SMALL_TALK.flatMap(({ phrases, replies }) =>
    (['greeting', 'thanks', 'goodbye', 'bot'] as const).flatMap((kind) =>
      phrases[kind].filter((phrase) => {
        const reply = smallTalkReply(phrase);
        return reply === null || (reply !== replies[kind] && !isSharedWord(phrase));
      }),
    ),
  );
  expect(unmet).toEqual([]);
});

/** Said in two languages: the first in the list answers. */
function isSharedWord(phrase: string): boolean {
  const langs = SMALL_TALK.filter(({ phrases }) =>
    Object.values(phrases).some((list) => list.includes(phrase)),
  );
  return langs.length > 1;
}
