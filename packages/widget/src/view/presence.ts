import { HOUR_S, MINUTE_S } from '@foyer/protocol/values/durations';
import type { ConversationState } from '../core/conversation.ts';
import { type StringKey, say } from '../strings.ts';
import { daysUntil, hour, weekday } from '../time.ts';

/** Less than this is "a few minutes". */
const FEW_S = 5 * MINUTE_S;
const STEP_MIN = 5;

/** "We usually reply in about 10 minutes": rounded up. */
export const replyTime = (seconds: number): string => {
  if (seconds <= FEW_S) return say('reply_few');
  const minutes = Math.ceil(seconds / MINUTE_S / STEP_MIN) * STEP_MIN;
  if (minutes < 60) return say('reply_minutes', { count: minutes });
  return say('reply_hours', { count: Math.ceil(seconds / HOUR_S) });
};

/** When the team is back, in the visitor's time. */
export const backAt = (utc: string, now: Date = new Date()): string => {
  const days = daysUntil(utc, now);
  const key: StringKey = days === 0 ? 'back_today' : days === 1 ? 'back_tomorrow' : 'back_on';
  return say(key, { time: hour(utc), day: weekday(utc, days) });
};

/** Who is online, as far as known, in one line. */
export const presenceLine = ({ agentsOnline, nextOpening, site }: ConversationState): string => {
  if (agentsOnline) {
    const seconds = site?.reply_time_s ?? null;
    return seconds === null ? say('home_online') : replyTime(seconds);
  }
  return nextOpening === null ? say('home_away') : backAt(nextOpening);
};
