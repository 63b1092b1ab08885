import { SNOOZE_MAX_MINUTES } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { invalidInput } from '../../base/errors.ts';

/** @throws AppError 400 for a time in the past or too far ahead */
export function checkSnoozeTime(now: Date, until: Date): void {
  const ahead = until.getTime() - now.getTime();
  const message =
    ahead <= 0
      ? 'must be in the future'
      : ahead > SNOOZE_MAX_MINUTES * MINUTE_MS
        ? `must be at most ${SNOOZE_MAX_MINUTES} minutes in the future`
        : undefined;
  if (message) throw invalidInput([{ path: 'until_utc', message }]);
}

/** The time this many minutes from now. */
export const minutesFrom = (now: Date, minutes: number): Date =>
  new Date(now.getTime() + minutes * MINUTE_MS);
