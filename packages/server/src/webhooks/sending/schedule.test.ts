import { describe, expect, it } from 'vitest';
import { outcomeOf } from './schedule.ts';

const DELAYS_MS = [30_000, 120_000, 600_000, 3_600_000, 21_600_000];
const FAILED_AT = new Date('2026-01-01T00:00:00.000Z');
const failed = { statusCode: 500, error: 'The receiver answered 500.' };

const waits = (random: number) =>
  [0, 1, 2, 3, 4, 5].map((failuresBefore) => {
    const outcome = outcomeOf(failed, failuresBefore, FAILED_AT, {
      delaysMs: DELAYS_MS,
      random: () => random,
    });
    return outcome.state === 'retry' ? outcome.at.getTime() - FAILED_AT.getTime() : outcome.state;
  });

describe('the retry schedule', () => {
  it('is 30 s, 2 min, 10 min, 1 h, 6 h after the failure before, then dead', () => {
    expect(waits(0)).toEqual([30_000, 120_000, 600_000, 3_600_000, 21_600_000, 'dead']);
  });

  it('is longer by at most a tenth, never shorter', () => {
    expect(waits(1)).toEqual([33_000, 132_000, 660_000, 3_960_000, 23_760_000, 'dead']);
  });

  it('ends with a success', () => {
    const outcome = outcomeOf({ statusCode: 204, error: null }, 5, FAILED_AT, {
      delaysMs: [],
      random: () => 0,
    });
    expect(outcome).toEqual({ state: 'delivered' });
  });

  it('ends at once when the receiver says that it is gone', () => {
    const outcome = outcomeOf({ statusCode: 410, error: 'gone' }, 0, FAILED_AT, {
      delaysMs: DELAYS_MS,
      random: () => 0,
    });
    expect(outcome).toEqual({ state: 'dead', gone: true });
  });

  it('counts an incomplete 2xx as a failure', () => {
    const outcome = outcomeOf({ statusCode: 200, error: 'closed' }, 0, FAILED_AT, {
      delaysMs: DELAYS_MS,
      random: () => 0,
    });
    expect(outcome.state).toBe('retry');
  });
});
