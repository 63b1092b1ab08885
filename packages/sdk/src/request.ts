import type { OutboxItem } from './outbox.ts';

export interface Destination {
  apiToken?: string;
  apiUrl?: string;
  site?: string;
  userHash?: string;
}

/** What sends one thing: REST with a token, else the widget's channel, as `CollectBody` (decisions 6). */
export const describeRequest = (
  { id, key, previous_key, attributes, event }: OutboxItem,
  { apiToken, apiUrl, site, userHash }: Destination,
  base: string,
): [url: string, body: unknown, headers?: Record<string, string>] => {
  if (!apiToken) {
    // As text/plain, fetch's default for a string, which needs no pre-flight.
    const events = event && [event];
    return [
      `${base}/widget/collect?site=${site}`,
      { key, previous_key, user_hash: userHash, attributes, events },
    ];
  }
  const url = new URL(apiUrl || `${base}/v1/api.ashx`, location.href);
  url.searchParams.set('resource', event ? 'track' : 'visitors');
  const { email, name, ...others } = attributes ?? {};
  const body = event
    ? { ...event, id: undefined, key }
    : { key, email, name, attributes: others, previous_key };
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${apiToken}`,
    'Idempotency-Key': id,
  };
  return [url.href, body, headers];
};
