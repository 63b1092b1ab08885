import type { SegmentPart } from '@foyer/protocol';
import { expect, test } from 'vitest';
import type { VisitorRow } from './rows.ts';
import { evaluate } from './segments/rules.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const DAYS_30_MS = 30 * 86_400_000;
const holds = (part: SegmentPart, happenedMsAgo: number): boolean | undefined =>
  evaluate(part, {
    now: NOW,
    visitor: {} as VisitorRow,
    reached: () => new Date(NOW.getTime() - happenedMsAgo),
  });

test('an event counts until its window ends, and no longer in the moment in which it does', () => {
  const bought = { event: 'bought', op: 'gte', count: 1, within_days: 30 } as const;
  expect(holds(bought, DAYS_30_MS - 1)).toBe(true);
  expect(holds(bought, DAYS_30_MS)).toBe(false);
  const quiet = { ...bought, op: 'lt' } as const;
  expect(holds(quiet, DAYS_30_MS - 1)).toBe(false);
  expect(holds(quiet, DAYS_30_MS)).toBe(true);
});
