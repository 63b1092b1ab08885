import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';

const CHANNEL = 'foyer';
/** PostgreSQL takes at most 8,000 bytes a notice. */
const PAYLOAD_BYTES = 7_000;
/** Notices gather this long: a commit with NOTIFY waits for all others, so a busy node sends few. */
const GATHER_MS = 5;
const RECONNECT_MS = [200, 500, 1_000, 2_000, 5_000];
/** How often the line is tried: one that was cut without a word is as silent as one with nothing to say. */
const CHECK_MS = 5_000;
const ANSWER_MS = 5_000;
/** What could not be sent is kept, up to so many notices, and sent this much later. */
const KEPT_MAX = 10_000;
const RESEND_MS = 1_000;

/** Notices between the processes on one database: best effort, because the truth is in the database. */
export interface Bus {
  publish(message: object): void;
  close(): Promise<void>;
}

export interface BusOptions {
  url: string;
  pool: pg.Pool;
  log: Logger;
  /** From other processes only. */
  onMessage(message: unknown): void;
  /**
   * Something may have been missed: whatever is remembered must be asked for anew.
   * @param since when the line was last known to be whole.
   */
  onGap(since: Date): void;
}

/** Joins messages into as few payloads as fit. */
export function packPayloads(node: string, messages: readonly object[]): string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let size = 0;
  for (const message of messages) {
    const json = JSON.stringify(message);
    const bytes = Buffer.byteLength(json) + 1;
    if (size + bytes > PAYLOAD_BYTES && parts.length > 0) {
      payloads.push(`${node}[${parts.join(',')}]`);
      [parts, size] = [[], 0];
    }
    parts.push(json);
    size += bytes;
  }
  if (parts.length > 0) payloads.push(`${node}[${parts.join(',')}]`);
  return payloads;
}

/** The bus over LISTEN and NOTIFY. */
export async function openBus({ url, pool, log, onMessage, onGap }: BusOptions): Promise<Bus> {
  const node = randomBytes(6).toString('hex');
  let queued: object[] = [];
  let timer: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  let isWhole = false;
  let closed = false;
  let failures = 0;
  let wholeAt = new Date();

  const receive = (payload: string | undefined): void => {
    if (!payload || payload.startsWith(node)) return;
    try {
      const messages: unknown = JSON.parse(payload.slice(node.length));
      if (Array.isArray(messages)) for (const message of messages) onMessage(message);
    } catch (error) {
      log.warn({ err: error }, 'a notice could not be read');
    }
  };

  const lost = (mine: pg.Client): void => {
    if (closed || client !== mine) return;
    client = undefined;
    isWhole = false;
    void mine.end().catch(() => undefined);
    const wait = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)];
    retry = setTimeout(() => void listenAgain(), wait);
  };

  const listen = async (): Promise<void> => {
    const mine = new pg.Client({
      connectionString: url,
      application_name: 'foyer bus',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client = mine;
    mine.on('error', () => lost(mine));
    mine.on('end', () => lost(mine));
    mine.on('notification', ({ payload }) => receive(payload));
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      failures = 0;
      isWhole = true;
      wholeAt = new Date();
    } catch (error) {
      lost(mine);
      throw error;
    }
  };

  const listenAgain = async (): Promise<void> => {
    const since = wholeAt;
    await listen().then(
      () => onGap(since),
      () => undefined,
    );
  };

  const check = async (mine: pg.Client): Promise<void> => {
    try {
      await mine.query('select');
      wholeAt = new Date();
    } catch {
      lost(mine);
    }
  };
  const checking = setInterval(() => {
    if (client && isWhole) void check(client);
  }, CHECK_MS);

  const flush = async (): Promise<void> => {
    timer = undefined;
    const messages = queued;
    const payloads = packPayloads(node, messages);
    queued = [];
    if (payloads.length === 0) return;
    // A crash of the database may lose them: the others find the gap by their own reconnecting. So they need not wait for
    // the disk.
    await pool
      .query(
        `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload) from unnest($2::text[]) as payload`,
        [CHANNEL, payloads],
      )
      .catch((error) => {
        log.warn({ err: error, kept: messages.length }, 'notices were not sent');
        if (closed || messages.length + queued.length > KEPT_MAX) return;
        queued = [...messages, ...queued];
        timer ??= setTimeout(() => void flush(), RESEND_MS);
      });
  };

  await listen();
  return {
    publish(message) {
      if (closed) return;
      if (Buffer.byteLength(JSON.stringify(message)) > PAYLOAD_BYTES)
        return log.error('a notice is too large for the bus');
      queued.push(message);
      timer ??= setTimeout(() => void flush(), GATHER_MS);
    },
    async close() {
      clearTimeout(timer);
      clearInterval(checking);
      await flush();
      closed = true;
      clearTimeout(timer);
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
