import { describe, expect, test } from 'vitest';
import { ANGRY, CALM } from '../../test/fixtures/anger.ts';
import { isAngry } from './anger.ts';

describe('anger is seen', () => {
  for (const [language, messages] of Object.entries(ANGRY)) {
    test.each(messages)(`${language}: %s`, (message) => {
      expect(isAngry(message)).toBe(true);
    });
  }
});

describe('what is loud, displeased or about a bad thing is no anger', () => {
  for (const [language, messages] of Object.entries(CALM)) {
    test.each(messages)(`${language}: %s`, (message) => {
      expect(isAngry(message)).toBe(false);
    });
  }
  test.each(['', '   ', '!!!', 'AAAA BBBB CCCC', '\ud800', '!'.repeat(100_000), 'terribl '.repeat(30_000)])(
    'odd input %#',
    (message) => {
      expect(isAngry(message)).toBe(false);
    },
  );
});
