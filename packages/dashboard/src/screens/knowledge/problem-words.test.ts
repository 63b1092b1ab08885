import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../language.ts';
import { problemWords } from './problem-words.ts';

beforeAll(() => speak('de'));

test('a German desk says in German why a document can’t be imported', () => {
  const place = { index: 2, line: 9, message: 'the text is longer than 200000 characters' };
  expect(problemWords({ ...place, reason: 'body_long', values: { number: 200_000 } })).toBe(
    'Der Text ist länger als 200.000 Zeichen.',
  );
  // The message names the other document.
  expect(problemWords({ ...place, reason: 'same', values: { index: 1, line: 4 } })).toMatch(
    /^Dokument 1 \(Zeile 4\)/,
  );
});
