import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';

const CHANNEL = 'foyer';
/** PostgreSQL takes at most 8,000 bytes a notice. */
const PAYLOAD_BYTES = 7_000;
/** Notices gather this long: a commit with NOTIFY waits for all others, so a busy node sends few. */
const GATHER_MS = 5;
const RECONNECT_MS = [200, 500, 1_000, 2_000, 5_000];

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
  /** Something may have been missed: whatever is remembered must be asked for anew. */
  onGap(): void;
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
  let closed = false;
  let failures = 0;

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
    void mine.end().catch(() => undefined);
    const wait = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)];
    retry = setTimeout(() => void listen().then(onGap, () => undefined), wait);
  };

  const listen = async (): Promise<void> => {
    const mine = new pg.Client({
      connectionString: url,
      application_name: 'foyer bus',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client = mine;
    mine.on('error', () => lost(mine));
    mine.on('end', () => lost(mine));
    mine.on('notification', ({ payload }) => receive(payload));
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      failures = 0;
    } catch (error) {
      lost(mine);
      throw error;
    }
  };

  const flush = async (): Promise<void> => {
    timer = undefined;
    const payloads = packPayloads(node, queued);
    queued = [];
    if (payloads.length === 0) return;
    // Lost when the database is away: the others find the gap by their own reconnecting.
    await pool
      .query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads])
      .catch((error) => log.warn({ err: error }, 'notices were not sent'));
  };

  await listen();
  return {
    publish(message) {
      if (closed) return;
      queued.push(message);
      timer ??= setTimeout(() => void flush(), GATHER_MS);
    },
    async close() {
      clearTimeout(timer);
      await flush();
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
