import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Typing } from './typing.ts';

const MARA = { from: 'visitor', name: 'Mara' } as const;
const ADA = { from: 'agent', name: 'Ada' } as const;
const LONG_MS = 60_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('who gives no sign any more has stopped', () => {
  const typing = new Typing();
  typing.set('ses_a', MARA, true);
  expect(typing.get('ses_a')).toEqual(MARA);
  vi.advanceTimersByTime(LONG_MS);
  expect(typing.get('ses_a')).toBeUndefined();
});

test('somebody else’s stop neither takes who writes away nor keeps them for ever', () => {
  const typing = new Typing();
  typing.set('ses_a', MARA, true);
  typing.set('ses_a', ADA, false);
  expect(typing.get('ses_a')).toEqual(MARA);
  vi.advanceTimersByTime(LONG_MS);
  expect(typing.get('ses_a')).toBeUndefined();
});
