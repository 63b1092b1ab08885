import { describe, expect, test } from 'vitest';
import { AppError } from '../base/errors.ts';
import { cursorId, decodeCursor, encodeCursor, pageOf } from './keyset.ts';

describe('a cursor', () => {
  test('returns the values that it was created from', () => {
    expect(decodeCursor(encodeCursor([3, 9_007_199_254_740_991]), 2)).toEqual([3, 9_007_199_254_740_991]);
    expect(cursorId(encodeCursor([7]))).toBe(7);
    expect(cursorId(undefined)).toBeUndefined();
  });

  test.each([
    '',
    'x',
    'MQ==',
    encodeCursor([1, 2]),
    encodeCursor([2 ** 53]),
    'Li4',
    '-1',
    encodeCursor([1.5]),
  ])('that another list created is a 400: %j', (cursor) => {
    expect(() => cursorId(cursor)).toThrow(AppError);
  });
});

describe('a page', () => {
  const rows = [{ id: 5 }, { id: 4 }, { id: 3 }];
  const make = (limit: number) =>
    pageOf(
      rows,
      limit,
      (row) => [row.id],
      (row) => row.id,
    );

  test('names where the next one begins, only when there is one', () => {
    expect(make(2)).toEqual({ items: [5, 4], limit: 2, next_cursor: encodeCursor([4]) });
    expect(make(3)).toEqual({ items: [5, 4, 3], limit: 3, next_cursor: null });
  });

  test('without rows is empty', () => {
    expect(pageOf([], 1, () => [1], String)).toEqual({ items: [], limit: 1, next_cursor: null });
  });
});
