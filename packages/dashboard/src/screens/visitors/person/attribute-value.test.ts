import { expect, test } from 'vitest';
import { kindOf, readValue, textOf } from './attribute-value.ts';

test('a value is written as its kind and read back as the same', () => {
  for (const value of ['pro', 3, -2.5, true, false, ['a', 'b']])
    expect(readValue(kindOf(value), textOf(value))).toEqual(value);
});

test('what is no value of its kind is none', () => {
  expect(readValue('number', 'three')).toBeUndefined();
  expect(readValue('number', '')).toBeUndefined();
  expect(readValue('text', '   ')).toBeUndefined();
  expect(readValue('list', '\n a \n\n b\n')).toEqual(['a', 'b']);
  expect(readValue('number', '2,5')).toBe(2.5);
});
