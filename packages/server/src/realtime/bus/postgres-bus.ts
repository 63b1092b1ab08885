import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createCounter } from '../../base/counters.ts';
import type { Bus, BusOptions, State } from './bus.ts';
import { type Outgoing, packPayloads, unpackPayload } from './payloads.ts';

const CHANNEL = 'foyer';
/** PostgreSQL accepts less than 8,000 bytes per notification. */
const PAYLOAD_BYTES = 7_900;
/** Leaves room for the channel's number and the sender's name. */
const MESSAGE_BYTES = 7_800;
/**
 * Messages are collected for this long, and for longer after others were sent: commits with NOTIFY wait for each other
 * and wake every process, so a busy node should send few.
 */
const GATHER_MS = 5;
const SEND_EVERY_MS = 50;
const RECONNECT_MS = [200, 500, 1_000, 2_000, 5_000];
/** How often the connection is checked: a broken one looks like one with nothing to send. */
const CHECK_MS = 5_000;
const ANSWER_MS = 5_000;
const APPLICATION = 'foyer bus';
/**
 * A process that reads nothing at this many checks in a row is disconnected: PostgreSQL keeps all notifications for it,
 * and once they fill its queue, no process can send any. When it continues, it reconnects and reads the outbox.
 */
const SLOW_CHECKS = 3;
/** How many unsent messages are kept, and how soon they are sent again. The oldest are dropped. */
const KEPT_MAX = 10_000;
const RESEND_MS = 1_000;

const disconnected = createCounter(
  'foyer_slow_listeners_disconnected_total',
  'Processes that this one disconnected from the bus of PostgreSQL because they read nothing',
);

interface PostgresBusOptions extends BusOptions {
  url: string;
  pool: pg.Pool;
  checkMs?: number;
}

/** Listening connections whose process doesn't read what PostgreSQL is sending. */
const SLOW = `select pid from pg_stat_activity where datname = current_database() and application_name = $1
  and wait_event = 'ClientWrite'`;

/** Opens a bus of LISTEN and NOTIFY. Every process receives all messages; those it doesn't need aren't parsed. */
export async function openPostgresBus(options: PostgresBusOptions): Promise<Bus> {
  const bus = new PostgresBus(options);
  await bus.listen();
  return bus;
}

class PostgresBus implements Bus {
  readonly maxBytes = MESSAGE_BYTES;
  readonly #options: PostgresBusOptions;
  readonly #node = randomBytes(6).toString('hex');
  readonly #checking: NodeJS.Timeout;
  readonly #followed = new Set<number>();
  #queued: Outgoing[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #reconnecting: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #isListening = false;
  #listenedAt = new Date();
  #closed = false;
  #failures = 0;
  #isChecking = false;
  /** How many checks in a row the connections of others have read nothing, by the number of their backend. */
  #slow = new Map<number, number>();

  constructor(options: PostgresBusOptions) {
    this.#options = options;
    this.#checking = setInterval(() => {
      if (this.#client && this.#isListening && !this.#isChecking) void this.#check(this.#client);
    }, options.checkMs ?? CHECK_MS);
  }

  publish(channel: number | undefined, message: object, short?: object): void {
    if (this.#closed) return;
    const json = JSON.stringify(message);
    if (Buffer.byteLength(json) > this.maxBytes) {
      if (short) this.publish(channel, short);
      else this.#options.log.error('a message is too large for the bus');
      return;
    }
    this.#queued.push({ channel, json });
    this.#flushing ??= setTimeout(
      () => void this.#flush(),
      Math.max(GATHER_MS, this.#sentAt + SEND_EVERY_MS - performance.now()),
    );
  }

  /** This bus retains nothing, so every process gets them, and a process that starts later gets their repetition. */
  retain(_states: readonly State[], _forMs: number, whole: object): void {
    this.publish(undefined, whole);
  }

  async recall(): Promise<void> {}

  follow(channel: number): void {
    this.#followed.add(channel);
  }

  unfollow(channel: number): void {
    this.#followed.delete(channel);
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
      application_name: APPLICATION,
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
      const messages = unpackPayload(payload.slice(this.#node.length), (channel) =>
        this.#followed.has(channel),
      );
      for (const message of messages) this.#options.onMessage(message, 0);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'reading a message of the bus failed');
    }
  }

  async #check(client: pg.Client): Promise<void> {
    this.#isChecking = true;
    try {
      const { rows } = await client.query<{ pid: number }>(SLOW, [APPLICATION]);
      this.#listenedAt = new Date();
      this.#slow = new Map(rows.map(({ pid }) => [pid, (this.#slow.get(pid) ?? 0) + 1]));
      await this.#disconnectSlow(client);
    } catch {
      this.#lost(client);
    } finally {
      this.#isChecking = false;
    }
  }

  async #disconnectSlow(client: pg.Client): Promise<void> {
    const pids = [...this.#slow].flatMap(([pid, checks]) => (checks >= SLOW_CHECKS ? [pid] : []));
    if (pids.length === 0) return;
    // Every process checks: only those that are still waiting, so that a reused number isn't mistaken for theirs.
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from (${SLOW}) slow where pid = any($2::int[])`,
      [APPLICATION, pids],
    );
    if (!rowCount) return;
    disconnected.add(rowCount);
    this.#options.log.warn({ count: rowCount }, 'disconnected processes that read nothing from the bus');
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
    const payloads = packPayloads(messages, PAYLOAD_BYTES).map((payload) => this.#node + payload);
    this.#queued = [];
    if (payloads.length === 0) return;
    this.#sentAt = performance.now();
    // Without waiting for the disk: if the database crashes and loses them, the others notice the gap when they
    // reconnect.
    await pool
      .query(
        `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload) from unnest($2::text[]) as payload`,
        [CHANNEL, payloads],
      )
      .catch((error) => {
        log.warn({ err: error, kept: messages.length }, 'sending messages to other processes failed');
        if (this.#closed) return;
        this.#queued = [...messages, ...this.#queued].slice(-KEPT_MAX);
        this.#flushing ??= setTimeout(() => void this.#flush(), RESEND_MS);
      });
  }
}
