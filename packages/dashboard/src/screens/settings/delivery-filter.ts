import type { DeliveryStatus, WebhookEvent } from '@foyer/protocol';

const HOUR_MS = 3_600_000;

/** How far back, as the address says it. */
export const SINCE = {
  '1h': { words: 'The last hour', ms: HOUR_MS },
  '24h': { words: 'The last 24 hours', ms: 24 * HOUR_MS },
  '7d': { words: 'The last 7 days', ms: 7 * 24 * HOUR_MS },
  '30d': { words: 'The last 30 days', ms: 30 * 24 * HOUR_MS },
} as const;
export type Since = keyof typeof SINCE;

export const isSince = (value: unknown): value is Since =>
  typeof value === 'string' && Object.hasOwn(SINCE, value);

const MINUTE_MS = 60_000;

/** To the minute, so that a list that is looked at again is the same list. */
export const sinceTime = (since: Since, now = Date.now()): string =>
  new Date(Math.floor((now - SINCE[since].ms) / MINUTE_MS) * MINUTE_MS).toISOString();

/** What of a delivery log is shown. */
export interface DeliveryFilter {
  status?: DeliveryStatus;
  event?: WebhookEvent;
  since?: Since;
}
