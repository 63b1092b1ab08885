import type { Session, TicketSummary } from '@foyer/protocol';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { agoInWords, lengthOf } from '../../../../times.ts';
import { t } from '../../t.ts';

/**
 * Whose turn it is and since when: `waiting` means that the customer waits for the team, `replied` that the team
 * has answered.
 */
export interface Turn {
  kind: 'waiting' | 'replied';
  sinceMs: number;
}

const turn = (kind: Turn['kind'], utc: string): Turn => ({ kind, sinceMs: Date.parse(utc) });

/** Undefined for a chat that needs nobody: the bot has it, or it is closed or about to be. */
export function turnOfChat({
  status,
  closes_utc,
  unanswered_since_utc,
  last_message,
}: Session): Turn | undefined {
  if (status === 'bot' || status === 'closed' || closes_utc) return undefined;
  if (unanswered_since_utc) return turn('waiting', unanswered_since_utc);
  return last_message?.sender === 'agent' ? turn('replied', last_message.created_utc) : undefined;
}

/** Undefined for a ticket that is done, or set to wait without a reply. */
export function turnOfTicket(ticket: TicketSummary): Turn | undefined {
  const { status, unanswered_since_utc, replied_utc } = ticket;
  if (status === 'solved' || status === 'closed') return undefined;
  if (unanswered_since_utc === null) return replied_utc ? turn('replied', replied_utc) : undefined;
  return status === 'new' || status === 'open' ? turn('waiting', unanswered_since_utc) : undefined;
}

export function turnWords({ kind, sinceMs }: Turn, nowMs: number): string {
  if (kind === 'replied')
    return t('turn_replied', { when: agoInWords(new Date(sinceMs).toISOString(), nowMs) });
  const waitMs = nowMs - sinceMs;
  return waitMs < 10_000 ? t('turn_waiting_now') : t('turn_waiting', { length: lengthOf(waitMs) });
}

/** When a wait counts as long and as too long: a chat's visitor is watching, a ticket is read within the day. */
const LONG_MS = {
  chat: { warn: 5 * MINUTE_MS, danger: 30 * MINUTE_MS },
  ticket: { warn: 4 * HOUR_MS, danger: DAY_MS },
};

/** The longer somebody waits, the more the row stands out. */
export function turnLook(found: Turn | undefined, of: keyof typeof LONG_MS, nowMs: number): string {
  if (found?.kind !== 'waiting') return 'text-faint';
  const waitMs = nowMs - found.sinceMs;
  if (waitMs >= LONG_MS[of].danger) return 'font-medium text-danger-text';
  return waitMs >= LONG_MS[of].warn ? 'font-medium text-warn-text' : 'font-medium text-accent-text';
}
