import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';

const CHANNEL = 'foyer';
/** PostgreSQL accepts at most 8,000 bytes per notification. */
const PAYLOAD_BYTES = 7_000;
/** Notices are collected for this long: commits with NOTIFY wait for each other, so a busy node should send few. */
const GATHER_MS = 5;
const RECONNECT_MS = [200, 500, 1_000, 2_000, 5_000];
/** How often the connection is checked: a broken one looks like one with nothing to send. */
const CHECK_MS = 5_000;
const ANSWER_MS = 5_000;
/** How many unsent notices are kept, and how soon they are sent again. */
const KEPT_MAX = 10_000;
const RESEND_MS = 1_000;

/** Notices between the processes on one database. Best effort, because the database has the data. */
export interface Bus {
  publish(message: object): void;
  close(): Promise<void>;
}

interface BusOptions {
  url: string;
  pool: pg.Pool;
  log: Logger;
  /** Only for messages of other processes. */
  onMessage(message: unknown): void;
  /**
   * Notices may have been missed, so cached data must be read again.
   * @param since when the connection was last known to work
   */
  onGap(since: Date): void;
}

/** Combines messages into as few payloads as possible. */
function packPayloads(node: string, messages: readonly object[]): string[] {
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

/** Opens the bus with LISTEN and NOTIFY. */
export async function openBus(options: BusOptions): Promise<Bus> {
  const bus = new PostgresBus(options);
  await bus.listen();
  return bus;
}

class PostgresBus implements Bus {
  readonly #options: BusOptions;
  readonly #node = randomBytes(6).toString('hex');
  readonly #checking: NodeJS.Timeout;
  #queued: object[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #isListening = false;
  #listenedAt = new Date();
  #closed = false;
  #failures = 0;

  constructor(options: BusOptions) {
    this.#options = options;
    this.#checking = setInterval(() => {
      if (this.#client && this.#isListening) void this.#check(this.#client);
    }, CHECK_MS);
  }

  publish(message: object): void {
    if (this.#closed) return;
    if (Buffer.byteLength(JSON.stringify(message)) > PAYLOAD_BYTES) {
      this.#options.log.error('a notice is too large for the bus');
      return;
    }
    this.#queued.push(message);
    this.#flushing ??= setTimeout(() => void this.#flush(), GATHER_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.#flushing);
    clearInterval(this.#checking);
    await this.#flush();
    this.#closed = true;
    clearTimeout(this.#flushing);
    clearTimeout(this.#reconnecting);
    await this.#client?.end().catch(() => undefined);
  }

  /** @throws if the database doesn't answer; it keeps retrying */
  async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'foyer bus',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload }) => this.#receive(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#failures = 0;
      this.#isListening = true;
      this.#listenedAt = new Date();
    } catch (error) {
      this.#lost(client);
      throw error;
    }
  }

  #receive(payload: string | undefined): void {
    if (!payload || payload.startsWith(this.#node)) return;
    try {
      const messages: unknown = JSON.parse(payload.slice(this.#node.length));
      if (Array.isArray(messages)) for (const message of messages) this.#options.onMessage(message);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'reading a notice failed');
    }
  }

  async #check(client: pg.Client): Promise<void> {
    try {
      await client.query('select');
      this.#listenedAt = new Date();
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#isListening = false;
    void client.end().catch(() => undefined);
    const wait = RECONNECT_MS[Math.min(this.#failures++, RECONNECT_MS.length - 1)];
    this.#reconnecting = setTimeout(() => void this.#listenAgain(), wait);
  }

  async #listenAgain(): Promise<void> {
    const since = this.#listenedAt;
    await this.listen().then(
      () => this.#options.onGap(since),
      () => undefined,
    );
  }

  async #flush(): Promise<void> {
    const { pool, log } = this.#options;
    this.#flushing = undefined;
    const messages = this.#queued;
    const payloads = packPayloads(this.#node, messages);
    this.#queued = [];
    if (payloads.length === 0) return;
    // Without waiting for the disk: if the database crashes and loses them, the others notice the gap when they
    // reconnect.
    await pool
      .query(
        `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload) from unnest($2::text[]) as payload`,
        [CHANNEL, payloads],
      )
      .catch((error) => {
        log.warn({ err: error, kept: messages.length }, 'sending notices failed');
        if (this.#closed || messages.length + this.#queued.length > KEPT_MAX) return;
        this.#queued = [...messages, ...this.#queued];
        this.#flushing ??= setTimeout(() => void this.#flush(), RESEND_MS);
      });
  }
}
