import type { OutboxItem } from './outbox/items.ts';

export interface Destination {
  apiToken?: string;
  apiUrl?: string;
  site?: string;
  /** For reports from now on. */
  userHash?: string;
}

export type ItemRequest = [url: string, body: unknown, headers?: Record<string, string>];

/** The request that sends one item through the widget's channel, as the protocol's `collectBody`. */
export const collectRequest = (
  { key, previous_key, user_hash, attributes, event }: OutboxItem,
  { site }: Destination,
  base: string,
): ItemRequest => [
  `${base}/widget/collect?site=${site}`,
  { key, previous_key, user_hash, attributes, events: event && [event] },
  // No headers: as plain text it needs no preflight request, for which a closing page has no time.
];
