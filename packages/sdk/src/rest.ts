import type { OutboxItem } from './outbox/items.ts';
import type { Destination, ItemRequest } from './request.ts';

/** The REST request that sends one item with a token. A module of its own: few pages have one. */
export const restRequest = (
  { id, key, previous_key, user_hash, attributes, event }: OutboxItem,
  { apiToken, apiUrl }: Destination,
  base: string,
): ItemRequest => {
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
