import { afterEach, expect, test } from 'vitest';
import { bytesOf, toJson } from './json.ts';

const values: unknown[] = [
  { a: [1, 'two', null, true, { b: [] }], 'odd "name"': 'line\nbreak', c: undefined, d: () => 1, e: 1.5 },
  [undefined, Number.NaN, Number.POSITIVE_INFINITY, -0],
  'text',
  null,
  [],
  {},
];

afterEach(() => {
  Reflect.deleteProperty(Array.prototype, 'toJSON');
  Reflect.deleteProperty(Date.prototype, 'own');
});

test('the JSON equals the result of JSON.stringify', () => {
  for (const value of values) expect(toJson(value)).toBe(JSON.stringify(value));
});

test('the JSON is correct even if an old library has added toJSON to arrays', () => {
  const right = values.map((value) => JSON.stringify(value));
  Object.assign(Array.prototype, {
    toJSON(this: unknown[]) {
      return `[${this.join(', ')}]`;
    },
  });
  expect(JSON.stringify([1])).not.toBe('[1]');
  expect(values.map(toJson)).toEqual(right);
});

test('dates are times', () => {
  expect(toJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

test('a circular value is refused, not followed for ever', () => {
  const round: Record<string, unknown> = {};
  round.self = round;
  expect(() => toJson(round)).toThrow(RangeError);
});

test('sizes are in bytes: five thousand Chinese characters are fifteen thousand', () => {
  expect(bytesOf('好'.repeat(5_000))).toBe(15_002);
  expect(bytesOf({ sum: 3 })).toBe('{"sum":3}'.length);
});
