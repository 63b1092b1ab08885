import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { randomHex, uuidV7 } from './ids.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2096-03-04T05:06:07.890Z') }));
afterEach(() => void vi.useRealTimers());

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

test('an id is a UUID of version 7 that contains its time', () => {
  const id = uuidV7();
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(timeOf(id)).toBe(Date.now());
});

test('ids sort by creation, even within a millisecond', () => {
  const ids = Array.from({ length: 1000 }, () => uuidV7());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(1000);
});

test('each byte is written as two digits', () => {
  expect(Array.from({ length: 100 }, () => randomHex(8).length)).toEqual(Array(100).fill(16));
});
