import { toJson } from './json.ts';
import { REQUEST_TIMEOUT_MS } from './limits.ts';
import type { OutboxItem } from './outbox/items.ts';
import type { Answer } from './outbox/limiter.ts';
import { createOutbox } from './outbox.ts';
import { collectRequest } from './request.ts';
import { base, options } from './settings.ts';

/** The module for requests with a token. Loaded before the first one, so that a closing page has it. */
export const loadRest = (): Promise<typeof import('./rest.ts')> =>
  import(/* @vite-ignore */ `${base}/assets/js/rest.js`);

const send = async (item: OutboxItem, keepalive: boolean): Promise<Answer> => {
  const describe = options.apiToken ? (await loadRest()).restRequest : collectRequest;
  const [url, body, headers] = describe(item, options, base);
  const answer = await fetch(url, {
    method: 'POST',
    body: toJson(body),
    credentials: 'omit',
    keepalive,
    headers: headers ?? {},
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  // Until the body is read, browsers count the request among those that outlive the page.
  await answer.text();
  return [answer.status, Number(answer.headers.get('Retry-After'))];
};

/** The page's reports about the visitor, on their way to the server. */
export const outbox = createOutbox(send);
