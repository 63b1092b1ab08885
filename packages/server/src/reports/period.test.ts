import { expect, test } from 'vitest';
import { daysOf, periodOf, weekdayOf } from './period.ts';

test.each([
  ['today', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['7d', '2026-02-23', '2026-03-01', '2026-02-16', '2026-02-22'],
  ['30d', '2026-01-31', '2026-03-01', '2026-01-01', '2026-01-30'],
  ['90d', '2025-12-02', '2026-03-01', '2025-09-03', '2025-12-01'],
  ['month', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
] as const)('%s on the first of March', (range, from, to, beforeFrom, beforeTo) => {
  const before = { from: beforeFrom, to: beforeTo };
  expect(periodOf({ range }, '2026-03-01')).toEqual({ from, to, before });
});

test('a custom range is compared with as many days before it', () => {
  const span = { range: 'custom', from: '2026-05-10', to: '2026-05-19' } as const;
  expect(periodOf(span, '2026-11-22')).toEqual({
    from: '2026-05-10',
    to: '2026-05-19',
    before: { from: '2026-04-30', to: '2026-05-09' },
  });
});

test('days continue over the end of a leap year’s February, and weeks begin on Mondays', () => {
  expect(daysOf({ from: '2028-02-28', to: '2028-03-01' })).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
  expect(['2026-11-22', '2026-11-23'].map(weekdayOf)).toEqual([7, 1]);
});
