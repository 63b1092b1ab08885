import { expect, test } from 'vitest';
import { kindOf, readValue, textOf } from './attribute-value.ts';

test('a value is formatted by its kind and parsed into the same value', () => {
  for (const value of ['pro', 3, -2.5, true, false, ['a', 'b']])
    expect(readValue(kindOf(value), textOf(value))).toEqual(value);
});

test('an invalid value of a kind counts as none', () => {
  expect(readValue('number', 'three')).toBeUndefined();
  expect(readValue('number', '')).toBeUndefined();
  expect(readValue('text', '   ')).toBeUndefined();
  expect(readValue('list', '\n a \n\n b\n')).toEqual(['a', 'b']);
  expect(readValue('number', '2,5')).toBe(2.5);
});
