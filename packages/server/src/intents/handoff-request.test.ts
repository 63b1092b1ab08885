import { describe, expect, test } from 'vitest';
import { OTHER_MESSAGES, REQUESTS } from '../../test/fixtures/handoff-requests.ts';
import { asksForPerson } from './handoff-request.ts';

describe('a request for a person is recognised', () => {
  for (const [language, messages] of Object.entries(REQUESTS)) {
    test.each(messages)(`${language}: %s`, (message) => {
      expect(asksForPerson(message)).toBe(true);
    });
  }
});

describe('what only sounds like one is not', () => {
  for (const [language, messages] of Object.entries(OTHER_MESSAGES)) {
    test.each(messages)(`${language}: %s`, (message) => {
      expect(asksForPerson(message)).toBe(false);
    });
  }
  test.each(['', ' ', '???', '😀😀', '\0', '\ud800', 'a'.repeat(100_000), 'talk '.repeat(30_000)])(
    'odd input %#',
    (message) => {
      expect(asksForPerson(message)).toBe(false);
    },
  );
});
