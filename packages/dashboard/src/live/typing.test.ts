import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Typing } from './typing.ts';

const MARA = { from: 'visitor', name: 'Mara' } as const;
const ADA = { from: 'agent', name: 'Ada' } as const;
const LONG_MS = 60_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('typing ends without further signs', () => {
  const typing = new Typing();
  typing.set('ses_a', MARA, true);
  expect(typing.get('ses_a')).toEqual(MARA);
  vi.advanceTimersByTime(LONG_MS);
  expect(typing.get('ses_a')).toBeUndefined();
});

test('when somebody else stops, typing neither ends at once nor stays for ever', () => {
  const typing = new Typing();
  typing.set('ses_a', MARA, true);
  typing.set('ses_a', ADA, false);
  expect(typing.get('ses_a')).toEqual(MARA);
  vi.advanceTimersByTime(LONG_MS);
  expect(typing.get('ses_a')).toBeUndefined();
});
