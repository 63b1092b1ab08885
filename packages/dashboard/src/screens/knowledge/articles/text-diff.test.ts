import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './text-diff.ts';

test('changes are shown line by line', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'gone', text: 'b' },
    { kind: 'new', text: 'x' },
    { kind: 'same', text: 'c' },
  ]);
});

test('both texts can be restored from the difference, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', 'c'), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const read = (without: string): string =>
        lines
          .filter(({ kind }) => kind !== without)
          .map((line) => line.text)
          .join('\n');
      expect(read('new')).toBe(before);
      expect(read('gone')).toBe(after);
    }),
  );
});

test('texts of many thousands of lines are compared too', () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n');
  expect(diffLines(long, long.replaceAll('line', 'row'))).toHaveLength(40_000);
});
