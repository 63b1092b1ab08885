import type { WebhookBody, WebhookEvent } from '@foyer/protocol';
import { FoyerError } from './errors.ts';
import { failureOf } from './request.ts';

type StreamName = Exclude<WebhookEvent, 'ping' | 'security_event'>;

/** An event of the site, as webhooks get it. */
export type FoyerEvent<E extends StreamName = StreamName> = {
  [N in E]: {
    /** The stream's position: pass it as `lastEventId` in another process to continue after it. */
    streamId: string;
    event: N;
    data: WebhookBody<N> & { id: string; event: N; site_id: number; created_utc: string };
  };
}[E];

export interface StreamOptions<E extends StreamName = StreamName> {
  /** By default everything that the token may see. */
  types?: readonly E[];
  /** The `streamId` of the last event that was handled. */
  lastEventId?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Called once the stream is open, and each time it is open again. */
  onOpen?: (streamId: string) => void;
  /** Called if events were missed, because the stream was away too long. */
  onReset?: () => void;
}

interface Sent {
  id: string;
  event: string;
  data: string;
}

const FIRST_MS = 500;
const LONGEST_MS = 15_000;
/** Three heartbeats: a connection that is silent for so long is dead. */
const SILENCE_MS = 45_000;

function readBlock(block: string): Sent {
  const sent = { id: '', event: '', data: '' };
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    const name = line.slice(0, at);
    if (name === 'id' || name === 'event' || name === 'data') sent[name] = line.slice(at + 2);
  }
  return sent;
}

async function* read(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<Sent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      alive();
      text += value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const sent = readBlock(text.slice(0, end));
        text = text.slice(end + 2);
        if (sent.event) yield sent;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });

/** Whether another try may succeed: not if the token or the request is wrong. */
const mayReconnect = (error: unknown): boolean =>
  !(error instanceof FoyerError) || error.status === 0 || error.status === 429 || error.status >= 500;

interface Place {
  base: string;
  token: string;
  fetch: typeof globalThis.fetch;
}

/**
 * The events of the site, one after the other. A connection that breaks is opened again behind the last event, so none is
 * lost and none comes twice.
 * @throws FoyerError if the token was revoked, has expired, or may not see these events
 */
export async function* streamEvents<E extends StreamName>(
  { base, token, fetch }: Place,
  { types, lastEventId = '', signal, onOpen, onReset }: StreamOptions<E>,
): AsyncGenerator<FoyerEvent<E>, void, undefined> {
  let last = lastEventId;
  let delayMs = FIRST_MS;
  while (!signal?.aborted) {
    const broken = new AbortController();
    let timer = setTimeout(() => broken.abort(), SILENCE_MS);
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => broken.abort(), SILENCE_MS);
    };
    try {
      const headers: Record<string, string> = {
        Authorization: `Bearer ${token}`,
        Accept: 'text/event-stream',
      };
      if (last) headers['Last-Event-ID'] = last;
      const query = types ? `?types=${types.join(',')}` : '';
      const response = await fetch(`${base}/v1/stream${query}`, {
        headers,
        signal: signal ? AbortSignal.any([signal, broken.signal]) : broken.signal,
        redirect: 'error',
        credentials: 'omit',
      });
      if (!response.ok || !response.body) throw await failureOf(response);
      for await (const { id, event, data } of read(response.body, alive)) {
        last = id;
        delayMs = FIRST_MS;
        if (event === 'reset') onReset?.();
        if (event === 'open' || event === 'reset') onOpen?.(id);
        else yield { streamId: id, event, data: JSON.parse(data) } as FoyerEvent<E>;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayReconnect(error)) throw error;
    } finally {
      clearTimeout(timer);
      broken.abort();
    }
    await pause(delayMs * (1 + Math.random() / 2), signal);
    delayMs = Math.min(delayMs * 2, LONGEST_MS);
  }
}
