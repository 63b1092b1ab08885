import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { pause } from '../base/pause.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

/** How often a worker reports that it is alive, and learns about the others. */
const BEAT_MS = 1_000;
/** A worker without a report for this long is dead: with the beat of the others, its shares move within 5 s. */
const ALIVE_MS = 3_500;

/** Recurring work, shared out among the worker processes of an installation: each share has one owner. */
export interface Shares {
  /**
   * Whether this process owns a share now. During a handover two may, and until a dead worker's lease expires nobody
   * does. So it only saves queries: locks on the records decide who handles them.
   */
  owns(share: string): boolean;
  /** Releases all shares; the others take over with their next beat. */
  stop(): Promise<void>;
}

interface ShareOptions {
  db: Db;
  log: Logger;
  /** All other workers are known to be dead. */
  alone?: boolean;
}

/**
 * Joins the workers on this database. No owner is stored anywhere: each worker ranks the live ones by a hash with the
 * share, and the first one owns it. So a share only moves when its owner leaves or a worker joins that ranks before it.
 */
export async function joinShares({ db, log, alone = false }: ShareOptions): Promise<Shares> {
  const me = randomUUID();
  const stopped = new AbortController();
  const owners = new Map<string, boolean>();
  let others: string[] = [];
  /** By this process's monotonic clock: a stalled one must not believe that it is alive. */
  let aliveUntil = Number.NEGATIVE_INFINITY;

  const beat = async (): Promise<void> => {
    const asked = performance.now();
    const alive = await sayAlive(db, me);
    // Stopped meanwhile.
    if (stopped.signal.aborted) return;
    aliveUntil = asked + ALIVE_MS;
    if (alive.join() === others.join()) return;
    others = alive;
    owners.clear();
  };
  const repeat = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await pause(BEAT_MS, stopped.signal);
      if (!stopped.signal.aborted)
        await beat().catch((error) => log.warn({ err: error }, 'a worker could not say that it is alive'));
    }
  };

  if (alone) await db.deleteFrom('job_workers').execute();
  await beat();
  const beating = repeat();
  return {
    owns(share) {
      if (performance.now() >= aliveUntil) return false;
      const known = owners.get(share) ?? others.every((other) => rank(me, share) > rank(other, share));
      owners.set(share, known);
      return known;
    },
    async stop() {
      aliveUntil = Number.NEGATIVE_INFINITY;
      stopped.abort();
      await beating;
      await db
        .deleteFrom('job_workers')
        .where('worker', '=', me)
        .execute()
        .catch((error) => log.warn({ err: error }, 'a worker could not say that it stops'));
    },
  };
}

const rank = (worker: string, share: string): string =>
  createHash('sha256').update(`${worker} ${share}`).digest('hex');

/**
 * By the database's clock, so that nodes with different ones agree, and without waiting for the disk: a report that a
 * crash of PostgreSQL loses is repeated a second later.
 * @returns the other live workers
 */
async function sayAlive(db: Db, me: string): Promise<string[]> {
  const { rows } = await sql<{ others: string[] }>`${prepared}
    with beat as (
      insert into job_workers as w (worker, expires_at)
      values (${me}, clock_timestamp() + ${ALIVE_MS}::int * interval '1 ms')
      on conflict (worker) do update set expires_at = excluded.expires_at
    ), gone as (
      delete from job_workers where worker in (
        select worker from job_workers where expires_at < clock_timestamp() - interval '1 minute' for update skip locked)
    )
    select set_config('synchronous_commit', 'off', true), array(
      select worker::text from job_workers where worker <> ${me} and expires_at > clock_timestamp() order by 1
    ) as others`.execute(db);
  return rows[0]?.others ?? [];
}
