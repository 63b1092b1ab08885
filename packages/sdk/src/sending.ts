import { toJson } from './json.ts';
import type { OutboxItem } from './outbox/items.ts';
import type { Answer } from './outbox/limiter.ts';
import { createOutbox } from './outbox.ts';
import { describeRequest } from './request.ts';
import { base, options } from './settings.ts';

const REQUEST_TIMEOUT_MS = 20_000;

const send = async (item: OutboxItem, keepalive: boolean): Promise<Answer> => {
  const [url, body, headers] = describeRequest(item, options, base);
  const answer = await fetch(url, {
    method: 'POST',
    body: toJson(body),
    credentials: 'omit',
    keepalive,
    headers,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  // Until the body is read, browsers count the request among those that outlive the page.
  await answer.text();
  return [answer.status, Number(answer.headers.get('Retry-After'))];
};

/** The page's reports about the visitor, on their way to the server. */
export const outbox = createOutbox(send);
