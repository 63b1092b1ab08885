import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';

/** A process that is killed loses at most the counts of this long. */
export const FLUSH_MS = 1_000;
/** An idle counter is forgotten after this long and read anew. */
const IDLE_MS = 60_000;

interface Counter {
  siteId: number;
  tokenId: number;
  /** What the database holds, as far as this process knows. */
  stored: number;
  /** Being written: in `stored` or lost with the statement, nobody knows yet. */
  writing: Map<string, number>;
  /** Not yet on the way, by UTC day. */
  pending: Map<string, number>;
  usedAt: Date;
}

export interface TokenCounts {
  /** Adds one request. @returns all requests with this token, this one included. */
  count(token: { siteId: number; tokenId: number; stored: number }): number;
  /** Before a row is read; the function it returns is told what the row held. */
  reading(): (tokenId: number, stored: number) => void;
  /** Writes what is pending; a batch that fails is kept and written later. Never throws. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
let known = { number: Number.NaN, day: '' };

/** The UTC day, written anew only once a day. */
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

/** One statement for all tokens. The rows are locked in one order, so that two nodes never wait for each other. */
async function write(db: Db, batch: Counter[]): Promise<Written[]> {
  const rows = batch.flatMap(({ siteId, tokenId, usedAt, writing }) =>
    [...writing].map(([day, requests]) => ({ siteId, tokenId, day, requests, usedAt })),
  );
  const { rows: written } = await sql<Written>`
    with batch as (
      select * from unnest(
        ${rows.map((row) => row.siteId)}::bigint[], ${rows.map((row) => row.tokenId)}::bigint[],
        ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.requests)}::bigint[],
        ${rows.map((row) => row.usedAt)}::timestamptz[]
      ) as batch (site_id, token_id, day, requests, used_at)
    ), totals as (
      select site_id, token_id, sum(requests)::bigint as requests, max(used_at) as used_at
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
      last_used_at = greatest(token.last_used_at, totals.used_at)
    from totals join held on held.site_id = totals.site_id and held.id = totals.token_id
    where token.site_id = held.site_id and token.id = held.id
    returning token.id, token.request_count`.execute(db);
  return written;
}

/**
 * Counts requests in memory and writes them in batches, not a write per request. Exact but for two cases: a killed
 * process loses what it had not written yet, and a connection that breaks between a commit and its answer makes
 * that one batch count twice.
 */
export function createTokenCounts({ db, now, log }: { db: Db; now: () => Date; log: Logger }): TokenCounts {
  const counters = new Map<number, Counter>();
  let writes = 0;
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const schedule = (): void => {
    if (timer || stopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, FLUSH_MS);
    timer.unref();
  };

  const settle = (batch: Counter[], written: Written[]): void => {
    const stored = new Map(written.map((row) => [row.id, row.request_count]));
    for (const counter of batch) {
      // A token that is gone counts on from what was known of it, for the requests still under way.
      counter.stored = stored.get(counter.tokenId) ?? counter.stored + sumOf(counter.writing);
      counter.writing = new Map();
    }
  };

  const keep = (batch: Counter[]): void => {
    for (const { pending, writing } of batch) {
      for (const [day, requests] of writing) pending.set(day, (pending.get(day) ?? 0) + requests);
      writing.clear();
    }
  };

  const forgetIdle = (): void => {
    const limit = now().getTime() - IDLE_MS;
    for (const { tokenId, pending, writing, usedAt } of counters.values()) {
      if (pending.size + writing.size === 0 && usedAt.getTime() < limit) counters.delete(tokenId);
    }
  };

  const writeBatch = async (): Promise<void> => {
    forgetIdle();
    const batch = [...counters.values()].filter(({ pending }) => pending.size > 0);
    if (batch.length === 0) return;
    for (const counter of batch) [counter.writing, counter.pending] = [counter.pending, new Map()];
    writes += 1;
    try {
      settle(batch, await write(db, batch));
    } catch (error) {
      keep(batch);
      log.warn(
        { err: error, tokens: batch.length },
        'the request counts could not be written; they are kept',
      );
      schedule();
    }
  };

  const flush = async (): Promise<void> => {
    // What is under way does not hold what came after it began.
    await underWay;
    underWay ??= writeBatch().finally(() => {
      underWay = undefined;
    });
    await underWay;
  };

  return {
    flush,
    count({ siteId, tokenId, stored }) {
      const counter = counters.get(tokenId) ?? {
        siteId,
        tokenId,
        stored,
        writing: new Map(),
        pending: new Map(),
        usedAt: now(),
      };
      counters.set(tokenId, counter);
      counter.usedAt = now();
      const day = dayOf(counter.usedAt);
      counter.pending.set(day, (counter.pending.get(day) ?? 0) + 1);
      schedule();
      return counter.stored + sumOf(counter.writing) + sumOf(counter.pending);
    },
    reading() {
      const before = writes;
      const quiet = underWay === undefined;
      return (tokenId, stored) => {
        const counter = counters.get(tokenId);
        // Read while a batch was on its way, the row may or may not have held it.
        if (counter && quiet && before === writes) counter.stored = stored;
      };
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await flush();
      const lost = [...counters.values()].reduce((sum, { pending }) => sum + sumOf(pending), 0);
      if (lost > 0) log.error({ requests: lost }, 'request counts were lost: the database did not answer');
    },
  };
}
