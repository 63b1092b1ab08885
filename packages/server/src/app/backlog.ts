import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { JobCounts, JobQueue } from '../jobs/queue.ts';

/** Counting stops here: more than this needs a person anyway. */
const COUNT_MAX = 10_000;
/** Several scrapers, or one that scrapes every second, cost one query. */
const KEPT_MS = 5_000;
/** A scrape doesn't wait for a hanging database, because it can still report the process's own figures. */
const READ_TIMEOUT_MS = 2_000;

/** What is waiting in the whole installation. Counts are at most 10,000. */
export interface Backlog {
  chatsWaiting: number;
  /** The longest waiting time of a chat; 0 without one. */
  longestWaitS: number;
  deliveriesPending: number;
  deliveriesDead: number;
  jobs: JobCounts[];
}

interface BacklogOptions {
  database: Database;
  queue: Pick<JobQueue, 'counts'>;
  log: Logger;
  now(): Date;
}

/** Reads the backlog at most once in five seconds. @returns undefined if the database doesn't answer within two */
export function createBacklogReader({ database, queue, log, now }: BacklogOptions) {
  let last: { at: number; backlog: Promise<Backlog | undefined> } | undefined;
  const read = async (): Promise<Backlog> => {
    const [counts, jobs] = await Promise.all([countWaiting(database, now()), queue.counts()]);
    return { ...counts, jobs };
  };
  return (): Promise<Backlog | undefined> => {
    const at = now().getTime();
    if (!last || at - last.at >= KEPT_MS) {
      const backlog = Promise.race([read(), timeout()]).catch((error) => {
        log.warn({ err: error }, 'metrics: what waits could not be counted');
        return undefined;
      });
      last = { at, backlog };
    }
    return last.backlog;
  };
}

const timeout = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('timeout')), READ_TIMEOUT_MS).unref();
  });

/** Of all sites, for the operator. Each part reads one small index, up to the limit. */
async function countWaiting({ db }: Database, now: Date): Promise<Omit<Backlog, 'jobs'>> {
  const { rows } = await sql<{ chats: number; since: Date | null; pending: number; dead: number }>`
    select chats.count as chats, chats.since, pending.count as pending, dead.count as dead
    from
      (select count(*), min(waiting_since) as since
        from (select waiting_since from conversations where status = 'waiting' and snoozed_until is null limit ${COUNT_MAX}) c) chats,
      (select count(*) from (select from webhook_queue limit ${COUNT_MAX}) q) pending,
      (select count(*) from (select from webhook_deliveries where dead_at is not null limit ${COUNT_MAX}) d) dead
  `.execute(db);
  const [row] = rows;
  return {
    chatsWaiting: row?.chats ?? 0,
    longestWaitS: row?.since ? Math.max(0, (now.getTime() - row.since.getTime()) / 1000) : 0,
    deliveriesPending: row?.pending ?? 0,
    deliveriesDead: row?.dead ?? 0,
  };
}
