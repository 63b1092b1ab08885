import { DAY_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';

/** A killed process loses the counts of this period at most. */
const FLUSH_MS = 1_000;
/** A counter that is idle this long is dropped, and read again with the next request. */
const IDLE_MS = MINUTE_MS;

interface Counter {
  siteId: number;
  tokenId: number;
  /** The stored count, as far as this process knows. */
  stored: number;
  /** Being written: whether the statement succeeded isn't known yet. */
  writing: Map<string, number>;
  /** Not written yet, by UTC day. */
  pending: Map<string, number>;
  usedAt: Date;
  /** The address of the newest request; null if that isn't recorded. */
  address: string | null;
}

interface Counted {
  siteId: number;
  tokenId: number;
  stored: number;
}

export interface TokenCounts {
  /** Adds one request. @returns all requests with this token, this one included. */
  count(token: Counted, address: string | null): number;
  /** Call it before reading a row; call the returned function with the row's value. */
  reading(): (tokenId: number, stored: number) => void;
  /** Writes pending counts. A batch that fails is kept and written later. Never throws. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

let known = { number: Number.NaN, day: '' };

/** The UTC day, formatted only once a day. */
function dayOf(time: Date): string {
  const number = Math.floor(time.getTime() / DAY_MS);
  if (number !== known.number) known = { number, day: time.toISOString().slice(0, 10) };
  return known.day;
}

function sumOf(days: Map<string, number>): number {
  let sum = 0;
  for (const requests of days.values()) sum += requests;
  return sum;
}

interface Written {
  id: number;
  request_count: number;
}

/** One statement for all tokens. It locks the rows in one order, so that two nodes never deadlock. */
async function write(db: Db, batch: Counter[]): Promise<Written[]> {
  const rows = batch.flatMap(({ siteId, tokenId, usedAt, address, writing }) =>
    [...writing].map(([day, requests]) => ({ siteId, tokenId, day, requests, usedAt, address })),
  );
  const { rows: written } = await sql<Written>`
    with batch as (
      select * from unnest(
        ${rows.map((row) => row.siteId)}::bigint[], ${rows.map((row) => row.tokenId)}::bigint[],
        ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.requests)}::bigint[],
        ${rows.map((row) => row.usedAt)}::timestamptz[], ${rows.map((row) => row.address)}::text[]
      ) as batch (site_id, token_id, day, requests, used_at, address)
    ), totals as (
      select site_id, token_id, sum(requests)::bigint as requests, max(used_at) as used_at, max(address) as address
      from batch group by site_id, token_id
    ), held as materialized (
      select token.site_id, token.id from api_tokens token
      join totals on token.site_id = totals.site_id and token.id = totals.token_id
      order by token.site_id, token.id for no key update of token
    ), days as (
      insert into api_token_days as known (site_id, token_id, day, requests)
      select batch.site_id, batch.token_id, batch.day, batch.requests from batch
      join held on held.site_id = batch.site_id and held.id = batch.token_id
      order by batch.site_id, batch.token_id, batch.day
      on conflict (site_id, token_id, day) do update set requests = known.requests + excluded.requests
    )
    update api_tokens token set
      request_count = token.request_count + totals.requests,
      last_used_at = greatest(token.last_used_at, totals.used_at),
      last_used_address = case when token.last_used_at > totals.used_at then token.last_used_address
        else totals.address end
    from totals join held on held.site_id = totals.site_id and held.id = totals.token_id
    where token.site_id = held.site_id and token.id = held.id
    returning token.id, token.request_count`.execute(db);
  return written;
}

interface Options {
  db: Db;
  now: () => Date;
  log: Logger;
}

/**
 * Counts requests in memory and writes them in batches. Exact except in two cases: a killed process loses what it
 * had not written, and a connection that breaks between a commit and its response makes one batch count twice.
 */
export function createTokenCounts(options: Options): TokenCounts {
  const counts = new Counts(options);
  return {
    count: (token, address) => counts.count(token, address),
    reading: () => counts.reading(),
    flush: () => counts.flush(),
    stop: () => counts.stop(),
  };
}

class Counts implements TokenCounts {
  readonly #options: Options;
  readonly #counters = new Map<number, Counter>();
  /** How many batches have been started. */
  #writes = 0;
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  count({ siteId, tokenId, stored }: Counted, address: string | null): number {
    const usedAt = this.#options.now();
    const counter = this.#counters.get(tokenId) ?? {
      ...{ siteId, tokenId, stored, usedAt, address },
      ...{ writing: new Map<string, number>(), pending: new Map<string, number>() },
    };
    this.#counters.set(tokenId, counter);
    counter.usedAt = usedAt;
    counter.address = address;
    const day = dayOf(usedAt);
    counter.pending.set(day, (counter.pending.get(day) ?? 0) + 1);
    this.#schedule();
    return counter.stored + sumOf(counter.writing) + sumOf(counter.pending);
  }

  reading(): (tokenId: number, stored: number) => void {
    const before = this.#writes;
    const isQuiet = this.#underWay === undefined;
    return (tokenId, stored) => {
      const counter = this.#counters.get(tokenId);
      // A row that was read while a batch was being written may or may not include it.
      if (counter && isQuiet && before === this.#writes) counter.stored = stored;
    };
  }

  async flush(): Promise<void> {
    // The running batch doesn't include later requests.
    await this.#underWay;
    this.#underWay ??= this.#writeBatch().finally(() => {
      this.#underWay = undefined;
    });
    await this.#underWay;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.flush();
    const lost = [...this.#counters.values()].reduce((sum, { pending }) => sum + sumOf(pending), 0);
    if (lost > 0)
      this.#options.log.error({ requests: lost }, 'request counts were lost: the database is unavailable');
  }

  #schedule(): void {
    if (this.#timer || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, FLUSH_MS);
    this.#timer.unref();
  }

  async #writeBatch(): Promise<void> {
    this.#dropIdle();
    const batch = [...this.#counters.values()].filter(({ pending }) => pending.size > 0);
    if (batch.length === 0) return;
    for (const counter of batch) [counter.writing, counter.pending] = [counter.pending, new Map()];
    this.#writes += 1;
    try {
      noteWritten(batch, await write(this.#options.db, batch));
    } catch (error) {
      keepPending(batch);
      this.#options.log.warn(
        { err: error, tokens: batch.length },
        'writing request counts failed; they are kept for the next attempt',
      );
      this.#schedule();
    }
  }

  #dropIdle(): void {
    const limit = this.#options.now().getTime() - IDLE_MS;
    for (const { tokenId, pending, writing, usedAt } of this.#counters.values()) {
      if (pending.size + writing.size === 0 && usedAt.getTime() < limit) this.#counters.delete(tokenId);
    }
  }
}

function noteWritten(batch: readonly Counter[], written: readonly Written[]): void {
  const stored = new Map(written.map((row) => [row.id, row.request_count]));
  for (const counter of batch) {
    // A deleted token has no row. Its last requests are added to the last known count.
    counter.stored = stored.get(counter.tokenId) ?? counter.stored + sumOf(counter.writing);
    counter.writing = new Map();
  }
}

function keepPending(batch: readonly Counter[]): void {
  for (const { pending, writing } of batch) {
    for (const [day, requests] of writing) pending.set(day, (pending.get(day) ?? 0) + requests);
    writing.clear();
  }
}
