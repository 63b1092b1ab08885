import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { AddressRefused, addressProblem, type GuardOptions, guardedLookup } from './address-guard.ts';

/** Far more than any response has; an endless response is cut off here. */
const RESPONSE_MAX_BYTES = 8 * 1_048_576;
const IDLE_SOCKET_MS = 4_000;
/** Statuses whose `Response` may have no body. */
const BODILESS = new Set([204, 205, 304]);

async function* bounded(response: IncomingMessage): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > RESPONSE_MAX_BYTES) throw new Error('the response is too large');
    yield chunk;
  }
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (BODILESS.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(ReadableStream.from(bounded(message)), { status, headers });
}

/**
 * `fetch` through the address guard, for libraries that accept one. It sends texts only and follows no redirect: that
 * would bypass the guard, and pass on the key.
 */
export function createGuardedFetch(guard: GuardOptions): typeof fetch {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS }),
  };
  const lookup = guardedLookup(guard);
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // Node connects to an IP address without a lookup, so literal ones are refused here.
    if (addressProblem(url.href, guard) !== null) throw new AddressRefused();
    const secure = url.protocol === 'https:';
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = (secure ? https : http).request(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      agent: agents[secure ? 'https:' : 'http:'],
      lookup,
      ...(signal ? { signal } : {}),
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(typeof body === 'string' ? body : undefined);
    return responseOf(await promise);
  };
}
