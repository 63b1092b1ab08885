import { expect, test } from 'vitest';
import { isMacroSlash } from './macro-slash.ts';

/** `|` is the caret behind the slash. */
const asks = (written: string): boolean => {
  const [before = '', after = ''] = written.split('|');
  return isMacroSlash(before, after);
};

test.each(['/|', 'Hello /|', 'Hello\n/|', 'Hello\t/|', 'Hello\u00a0/|', '/| Regards', 'Hello /|\nRegards'])(
  'in %j a slash asks for a macro',
  (written) => expect(asks(written)).toBe(true),
);

test.each([
  'and/|or',
  'and/|',
  '24/|',
  '24/12/|',
  'https:/|',
  'https://|',
  'see /help/|',
  '//|',
  '(/|',
  '/|word',
  'x|',
  '|',
])('in %j it doesn’t', (written) => expect(asks(written)).toBe(false));
