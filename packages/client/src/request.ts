import type { Envelope } from '@foyer/protocol';
import { FoyerError, type FoyerErrorCode } from './errors.ts';

/** One request as it goes out. */
export interface Outgoing {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answered {
  data: unknown;
  /** Of a list: the cursor of the next page; null on its last page. */
  nextCursor: string | null;
}

const UNREADABLE = 'The answer is not one of Foyer’s. Check baseUrl, and the proxy in front of it.';

const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;

function failure(response: Response, code: FoyerErrorCode, message: string, parts = {}): FoyerError {
  return new FoyerError({
    code,
    message,
    status: response.status,
    requestId: response.headers.get('X-Service-Request-Id') ?? '',
    retryAfter: secondsOf(response.headers.get('Retry-After')),
    ...parts,
  });
}

async function open(response: Response, text: string): Promise<Answered> {
  let envelope: Envelope<unknown> | undefined;
  try {
    envelope = JSON.parse(text);
  } catch {
    // A proxy says in its own words that there is nobody behind it.
    const away = [502, 503, 504].includes(response.status);
    throw failure(response, away ? 'unavailable' : 'unreadable', UNREADABLE);
  }
  if (envelope?.ok === true) return { data: envelope.data, nextCursor: envelope.page?.next_cursor ?? null };
  const { code, message, request_id, issues } = envelope?.error ?? {};
  if (!code) throw failure(response, 'unreadable', UNREADABLE);
  throw failure(response, code, message ?? code, { requestId: request_id, issues });
}

/**
 * Sends a request once.
 * @param timeoutMs until the complete response has arrived
 * @throws FoyerError, or the reason of `signal`
 */
export async function send(
  { url, method, headers, body }: Outgoing,
  {
    timeoutMs,
    signal,
    fetch,
  }: { timeoutMs: number; signal: AbortSignal | undefined; fetch: typeof globalThis.fetch },
): Promise<Answered> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      // The token goes to the address that it was given for, and to no other.
      redirect: 'error',
      credentials: 'omit',
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) {
      throw new FoyerError({ code: 'timeout', message: `No answer came within ${timeoutMs} ms.`, cause });
    }
    throw new FoyerError({ code: 'network', message: 'The server can’t be reached.', cause });
  }
  return open(response, text);
}

/** The error that a refused request was answered with. */
export async function failureOf(response: Response): Promise<FoyerError> {
  try {
    await open(response, await response.text());
  } catch (error) {
    if (error instanceof FoyerError) return error;
  }
  return failure(response, 'unreadable', UNREADABLE);
}
