import type { OutboxItem } from './outbox/items.ts';

export interface Destination {
  apiToken?: string;
  apiUrl?: string;
  site?: string;
  /** For reports from now on. */
  userHash?: string;
}

/**
 * The request that sends one item: REST with a token, otherwise `/widget/collect` with the protocol's
 * `collectBody`.
 */
export const describeRequest = (
  { id, key, previous_key, user_hash, attributes, event }: OutboxItem,
  { apiToken, apiUrl, site }: Destination,
  base: string,
): [url: string, body: unknown, headers: Record<string, string>] => {
  if (!apiToken) {
    const body = { key, previous_key, user_hash, attributes, events: event && [event] };
    // Needs no preflight request, for which a closing page has no time.
    return [`${base}/widget/collect?site=${site}`, body, { 'Content-Type': 'text/plain' }];
  }
  const url = new URL(apiUrl || `${base}/v1/api.ashx`, location.href);
  url.searchParams.set('resource', event ? 'track' : 'visitors');
  const { email, name, ...others } = attributes ?? {};
  const body = event
    ? { ...event, id: undefined, key, user_hash }
    : { key, email, name, attributes: others, previous_key, user_hash };
  return [
    url.href,
    body,
    { 'Content-Type': 'application/json', Authorization: `Bearer ${apiToken}`, 'Idempotency-Key': id },
  ];
};
