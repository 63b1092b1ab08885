import type { Logger } from 'pino';
import { workFor } from '../base/loop/loop-time.ts';
import { pause } from '../base/pause.ts';
import { createSemaphore } from '../base/semaphore.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Shares } from './shares.ts';

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
  /**
   * Due items of all sites, the longest overdue first, at most `limit`.
   * @param afterSite for what stays due although it was handled, such as a site whose chats wait for somebody to sign
   * in: it is found in the order of its sites, and after a full look the next one goes on behind the last
   */
  due(db: Db, now: Date, limit: number, afterSite?: number): Promise<DueItem[]>;
  /**
   * Handles one item. Another process may do the same at once, so it checks under a lock whether it is still due.
   */
  run(ctx: SiteContext, id: number): Promise<void>;
}

/** What the owner of a share does again and again beside the recurring jobs. */
export interface Chore {
  /** Of its share. */
  name: string;
  everyMs: number;
  /** How often a process that doesn't own the share does it too; default: never. */
  othersEveryMs?: number;
  run(): Promise<void>;
}

interface ScheduleOptions {
  jobs: readonly RecurringJob[];
  chores?: readonly Chore[];
  shares: Shares;
  db: Db;
  log: Logger;
  now(): Date;
  contextFor(siteId: number): Promise<SiteContext | undefined>;
}

export interface Schedule {
  /** Gives this process's shares to the others, and ends after the running work. */
  stop(): Promise<void>;
}

const BATCH = 100;
/**
 * Each query takes a pool connection for a moment. All of them together, every second, would keep the whole pool
 * open.
 */
const LOOKS_AT_ONCE = 2;
/**
 * Each job works on one site, and these are for whatever job has more of them at once. Together they leave half of the
 * pool to everything else.
 */
const EXTRA_SITES_AT_ONCE = 3;
/** A failed item waits this long before it is retried, so that it doesn't block others. */
const RETRY_MS = 30_000;
/** How soon a process notices that a share has become its own. */
const TAKE_OVER_MS = 500;

/**
 * Looks for due items again and again, for those jobs that are this process's share. Items of different sites are
 * handled at the same time, those of one site in their order.
 */
export function startSchedule(options: ScheduleOptions): Schedule {
  const { jobs, chores = [], shares } = options;
  const stopped = new AbortController();
  const looks = createSemaphore(LOOKS_AT_ONCE);
  const extra = createSemaphore(EXTRA_SITES_AT_ONCE);
  const loops = jobs.map((job) => {
    const due: RecurringJob['due'] = (...about) => looks.run(() => job.due(...about));
    const round = new Round(options, { ...job, due }, extra, stopped.signal);
    return repeat(options, { name: job.name, everyMs: job.everyMs, run: () => round.run() }, stopped.signal);
  });
  const doing = chores.map((chore) => repeat(options, chore, stopped.signal));
  return {
    async stop() {
      stopped.abort();
      await Promise.all([shares.stop(), ...loops, ...doing]);
    },
  };
}

type Repeated = Omit<Chore, 'run'> & {
  /** @returns whether there may be more to do now */
  // biome-ignore lint/suspicious/noConfusingVoidType: a chore returns nothing
  run(): Promise<boolean | void>;
};

async function repeat({ shares, log }: ScheduleOptions, work: Repeated, stopped: AbortSignal): Promise<void> {
  const { name, everyMs, othersEveryMs = Number.POSITIVE_INFINITY } = work;
  let ranAt = performance.now();
  let isFirst = true;
  while (!stopped.aborted) {
    const isOurs = shares.owns(name);
    const left = ranAt + (isOurs ? everyMs : othersEveryMs) - performance.now();
    // What a dead owner left is looked at when its share comes here, not an hour later.
    if (left > 0 && !(isFirst && isOurs)) {
      await pause(isOurs ? left : Math.min(left, TAKE_OVER_MS), stopped);
      continue;
    }
    if (isOurs) isFirst = false;
    let more: unknown = false;
    try {
      more = await workFor('job', work.run);
    } catch (error) {
      log.warn({ err: error, job: name }, 'looking up due work failed');
    }
    // Counted from the end: what takes long isn't begun again at once.
    ranAt = more === true ? Number.NEGATIVE_INFINITY : performance.now();
  }
}

const keyOf = ({ siteId, id }: DueItem): string => `${siteId}:${id}`;

/** One look of a recurring job, and the work on what it finds. */
class Round {
  readonly #options: ScheduleOptions;
  readonly #job: RecurringJob;
  readonly #extra: ReturnType<typeof createSemaphore>;
  readonly #stopped: AbortSignal;
  readonly #failed = new Map<string, number>();
  /** What the last look found, if it was full. */
  #found: readonly DueItem[] = [];

  constructor(
    options: ScheduleOptions,
    job: RecurringJob,
    extra: ReturnType<typeof createSemaphore>,
    stopped: AbortSignal,
  ) {
    this.#options = options;
    this.#job = job;
    this.#extra = extra;
    this.#stopped = stopped;
  }

  /** @returns whether more items may be due */
  async run(): Promise<boolean> {
    const { db, now } = this.#options;
    const time = now();
    for (const [key, until] of this.#failed) if (until <= time.getTime()) this.#failed.delete(key);
    const limit = BATCH + this.#failed.size;
    const items = await this.#job.due(db, time, limit, this.#found.at(-1)?.siteId);
    const known = new Set(this.#found.map(keyOf));
    const isFull = items.length === limit;
    this.#found = isFull ? items : [];
    const sites = [...Map.groupBy(items, ({ siteId }) => siteId).values()];
    const counts = await this.#inTurns(sites);
    // What is found again at once would be found without end.
    return isFull && counts.some((count) => count > 0) && items.some((item) => !known.has(keyOf(item)));
  }

  /** One site after the other by itself, and others beside it as far as there is room. @returns how many were done of each */
  async #inTurns(sites: DueItem[][]): Promise<number[]> {
    const done: number[] = [];
    const next = async (): Promise<boolean> => {
      const items = sites.shift();
      if (items) done.push(await this.#doSite(items));
      return items !== undefined;
    };
    const own = async (): Promise<void> => {
      while (await next());
    };
    const beside = async (): Promise<void> => {
      while (sites.length > 0) await this.#extra.run(next);
    };
    await Promise.all([
      own(),
      ...Array.from({ length: Math.min(EXTRA_SITES_AT_ONCE, sites.length - 1) }, beside),
    ]);
    return done;
  }

  async #doSite(items: readonly DueItem[]): Promise<number> {
    const { log, now, contextFor, shares } = this.#options;
    let done = 0;
    for (const item of items) {
      const { siteId, id } = item;
      const key = keyOf(item);
      // A process that stood still has lost its shares meanwhile.
      if (this.#stopped.aborted || !shares.owns(this.#job.name)) break;
      if (this.#failed.has(key)) continue;
      try {
        const ctx = await contextFor(siteId);
        if (ctx) await this.#job.run(ctx, id);
        done += 1;
      } catch (error) {
        this.#failed.set(key, now().getTime() + RETRY_MS);
        log.error(
          { err: error, job: this.#job.name, site_id: siteId, id },
          'a recurring job failed; it will be retried',
        );
      }
    }
    return done;
  }
}
