import type { Logger } from 'pino';
import { createSemaphore } from '../base/semaphore.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';

/** A due item of a site. */
export interface DueItem {
  siteId: number;
  id: number;
}

/**
 * Recurring work that becomes due over time: a snooze that ends, a ticket that closes automatically. Due times are
 * stored in rows, so nothing is queued, a restart loses nothing, and later changes are respected.
 */
export interface RecurringJob {
  name: string;
  /** The maximum delay before a due item is noticed. */
  everyMs: number;
  /** Due items of all sites, the longest overdue first, at most `limit`. */
  due(db: Db, now: Date, limit: number): Promise<DueItem[]>;
  /**
   * Handles one item. Another process may do the same at once, so it checks under a lock whether it is still due.
   */
  run(ctx: SiteContext, id: number): Promise<void>;
}

interface ScheduleOptions {
  jobs: readonly RecurringJob[];
  db: Db;
  log: Logger;
  now(): Date;
  contextFor(siteId: number): Promise<SiteContext | undefined>;
}

export interface Schedule {
  /** Stops after the running work. */
  stop(): Promise<void>;
}

const BATCH = 100;
/**
 * Each query takes a pool connection for a moment. All of them together, every second, would keep the whole pool
 * open.
 */
const LOOKS_AT_ONCE = 2;
/** A failed item waits this long before it is retried, so that it doesn't block others. */
const RETRY_MS = 30_000;

/** Looks for due items repeatedly, in every process that works on jobs. */
export function startSchedule(options: ScheduleOptions): Schedule {
  const stopped = new AbortController();
  const semaphore = createSemaphore(LOOKS_AT_ONCE);
  const loops = options.jobs.map((job) => {
    const due: RecurringJob['due'] = (...about) => semaphore.run(() => job.due(...about));
    return repeat(options, { ...job, due }, stopped.signal);
  });
  return {
    async stop() {
      stopped.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat(options: ScheduleOptions, job: RecurringJob, stopped: AbortSignal): Promise<void> {
  const failed = new Map<string, number>();
  while (!stopped.aborted) {
    let more = false;
    try {
      more = await runDue(options, job, failed, stopped);
    } catch (error) {
      options.log.warn({ err: error, job: job.name }, 'looking up due work failed');
    }
    if (!more) await pause(job.everyMs, stopped);
  }
}

/** @returns whether more items may be due */
async function runDue(
  { db, log, now, contextFor }: ScheduleOptions,
  job: RecurringJob,
  failed: Map<string, number>,
  stopped: AbortSignal,
): Promise<boolean> {
  const time = now();
  for (const [key, until] of failed) if (until <= time.getTime()) failed.delete(key);
  const limit = BATCH + failed.size;
  const items = await job.due(db, time, limit);
  let done = 0;
  for (const { siteId, id } of items) {
    const key = `${siteId}:${id}`;
    if (stopped.aborted || failed.has(key)) continue;
    try {
      const ctx = await contextFor(siteId);
      if (ctx) await job.run(ctx, id);
      done += 1;
    } catch (error) {
      failed.set(key, time.getTime() + RETRY_MS);
      log.error(
        { err: error, job: job.name, site_id: siteId, id },
        'a recurring job failed; it will be retried',
      );
    }
  }
  return done > 0 && items.length === limit;
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopped.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopped.addEventListener('abort', end);
  });
}
