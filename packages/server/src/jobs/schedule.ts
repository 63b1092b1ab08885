import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { workFor } from '../base/loop/loop-time.ts';
import { pause } from '../base/pause.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Shares } from './shares.ts';

/** A due item of a site. */
export interface DueItem {
  siteId: number;
  id: number;
}

export interface Look {
  db: Db;
  now: Date;
  /** A literal: PostgreSQL expects a tenth of all rows for any limit. */
  limit: RawBuilder<number>;
  /**
   * For items that stay due although they were handled, such as a site whose chats wait for somebody to sign in: they
   * are found in the order of their sites, and after a full look the next one continues after the last.
   */
  afterSite: number;
}

/**
 * Recurring work that becomes due over time: a snooze that ends, a ticket that closes automatically. Due times are
 * stored in rows, so nothing is queued, a restart loses nothing, and later changes are respected.
 */
export interface RecurringJob {
  name: string;
  /** The maximum delay before a due item is noticed. */
  everyMs: number;
  /** What a look needs stored or remembered that no change of a record does. */
  prepare?(db: Db, now: Date): Promise<void>;
  /**
   * Selects due items of all sites, the longest overdue first, at most `limit`. Jobs that look at the same time are
   * asked by one statement whether they have any, so finding none must not read rows.
   */
  due(look: Look): RawBuilder<DueItem>;
  /**
   * Handles one item. Another process may do the same at once, so it checks under a lock whether it is still due.
   */
  run(ctx: SiteContext, id: number): Promise<void>;
}

/** Regular work of a share's owner, beside the recurring jobs. */
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
  /** Releases this process's shares, and ends after the running work. */
  stop(): Promise<void>;
}

const BATCH = 100;
/**
 * Each query takes a pool connection for a moment. All of them together, every second, would keep the whole pool
 * open.
 */
const LOOKS_AT_ONCE = 2;
/**
 * Each job works on one site at a time; these slots are for jobs that have several. Together they leave half of the
 * pool to everything else.
 */
const EXTRA_SITES_AT_ONCE = 3;
/** A failed item waits this long before it is retried, so that it doesn't block others. */
const RETRY_MS = 30_000;
/**
 * Frequent queries are planned once per connection. Their plans suit all values (recurring-plans.test.ts), which isn't
 * true for every job.
 */
const KEPT_EVERY_MS = 1_000;
/** How soon a process notices that a share has become its own. */
const TAKE_OVER_MS = 500;

/**
 * The names of the jobs that have something due. Usually none has, and separate queries would be most of the work of an
 * idle process, so one statement checks all.
 */
export async function whichHaveDue(jobs: readonly RecurringJob[], db: Db, now: Date): Promise<Set<string>> {
  const isKept = jobs.every(({ everyMs }) => everyMs <= KEPT_EVERY_MS);
  const look = { db, now, limit: sql.lit(1), afterSite: 0 };
  // Not `exists`, for which the planner would drop the order, and with it the index.
  const names = jobs.map((job) => sql`(select ${sql.lit(job.name)} from (${job.due(look)}) due)`);
  const { rows } = await sql<{ names: string[] }>`
    ${isKept ? prepared : sql``} select array_remove(array[${sql.join(names)}]::text[], null) as names`.execute(
    db,
  );
  return new Set(rows[0]?.names);
}

/**
 * Polls for due items, for the jobs of this process's shares. Items of different sites are handled at the same time,
 * those of one site in their order.
 */
export function startSchedule(options: ScheduleOptions): Schedule {
  const { jobs, chores = [], shares } = options;
  const stopped = new AbortController();
  const looks = createSemaphore(LOOKS_AT_ONCE);
  const extra = createSemaphore(EXTRA_SITES_AT_ONCE);
  const find = (rounds: readonly Round[]) => looks.run(() => findRounds(options, rounds));
  const groups = Map.groupBy(jobs, ({ everyMs }) => everyMs);
  const looking = [...groups].map(([everyMs, group]) => {
    const rounds = group.map((job) => new Round(options, job, { looks, extra }, stopped.signal));
    return lookAgain(options, { everyMs, rounds }, find, stopped.signal);
  });
  const doing = chores.map((chore) => repeat(options, chore, stopped.signal));
  return {
    async stop() {
      stopped.abort();
      await Promise.all([shares.stop(), ...looking, ...doing]);
    },
  };
}

/** The jobs that have due items; if that query fails, each job finds out with its own. */
async function findRounds(
  { db, log, now }: ScheduleOptions,
  rounds: readonly Round[],
): Promise<readonly Round[]> {
  try {
    for (const { job } of rounds) await job.prepare?.(db, now());
    if (rounds.length === 1) return rounds;
    const jobs = rounds.map(({ job }) => job);
    const found = await whichHaveDue(jobs, db, now());
    return rounds.filter(({ job }) => found.has(job.name));
  } catch (error) {
    log.warn({ err: error }, 'looking up which work is due failed');
    return rounds;
  }
}

/** Polls for due items of jobs with the same interval, and begins their rounds. */
async function lookAgain(
  { shares }: ScheduleOptions,
  { everyMs, rounds }: { everyMs: number; rounds: readonly Round[] },
  find: (rounds: readonly Round[]) => Promise<readonly Round[]>,
  stopped: AbortSignal,
): Promise<void> {
  let looked: readonly Round[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  while (!stopped.aborted) {
    const ours = rounds.filter(({ job }) => shares.owns(job.name));
    const left = ours.length === 0 ? TAKE_OVER_MS : lookedAt + everyMs - performance.now();
    // Items of a dead owner are looked for when its share moves here, not an hour later.
    if (left > 0 && ours.every((round) => looked.includes(round))) {
      await pause(ours.length === rounds.length ? left : Math.min(left, TAKE_OVER_MS), stopped);
      continue;
    }
    looked = ours;
    for (const round of await workFor('job', () => find(ours))) round.begin();
    lookedAt = performance.now();
  }
  await Promise.all(rounds.map((round) => round.ended()));
}

async function repeat({ shares, log }: ScheduleOptions, work: Chore, stopped: AbortSignal): Promise<void> {
  const { name, everyMs, othersEveryMs = Number.POSITIVE_INFINITY } = work;
  let ranAt = performance.now();
  let isFirst = true;
  while (!stopped.aborted) {
    const isOurs = shares.owns(name);
    const left = ranAt + (isOurs ? everyMs : othersEveryMs) - performance.now();
    // Items of a dead owner are looked for when its share moves here, not an hour later.
    if (left > 0 && !(isFirst && isOurs)) {
      await pause(isOurs ? left : Math.min(left, TAKE_OVER_MS), stopped);
      continue;
    }
    if (isOurs) isFirst = false;
    try {
      await workFor('job', work.run);
    } catch (error) {
      log.warn({ err: error, job: name }, 'looking up due work failed');
    }
    // Counted from the end, so that slow work isn't repeated at once.
    ranAt = performance.now();
  }
}

const keyOf = ({ siteId, id }: DueItem): string => `${siteId}:${id}`;

/** Works on a job's due items, until there are none. */
class Round {
  readonly job: RecurringJob;
  readonly #options: ScheduleOptions;
  readonly #looks: Semaphore;
  readonly #extra: Semaphore;
  readonly #stopped: AbortSignal;
  readonly #failed = new Map<string, number>();
  /** The result of the last look, if it was full. */
  #found: readonly DueItem[] = [];
  #running: Promise<void> | undefined;

  constructor(
    options: ScheduleOptions,
    job: RecurringJob,
    { looks, extra }: { looks: Semaphore; extra: Semaphore },
    stopped: AbortSignal,
  ) {
    this.#options = options;
    this.job = job;
    this.#looks = looks;
    this.#extra = extra;
    this.#stopped = stopped;
  }

  /** Does nothing while it runs. */
  begin(): void {
    this.#running ??= workFor('job', () => this.#run()).finally(() => {
      this.#running = undefined;
    });
  }

  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, shares } = this.#options;
    try {
      while (!this.#stopped.aborted && shares.owns(this.job.name) && (await this.#look()));
    } catch (error) {
      log.warn({ err: error, job: this.job.name }, 'looking up due work failed');
    }
  }

  /** Looks once, and handles the found items. @returns whether more items may be due */
  async #look(): Promise<boolean> {
    const { db, now } = this.#options;
    const time = now();
    for (const [key, until] of this.#failed) if (until <= time.getTime()) this.#failed.delete(key);
    const limit = BATCH + this.#failed.size;
    const look = { db, now: time, limit: sql.lit(limit), afterSite: this.#found.at(-1)?.siteId ?? 0 };
    const { rows: items } = await this.#looks.run(() => this.job.due(look).execute(db));
    const known = new Set(this.#found.map(keyOf));
    const isFull = items.length === limit;
    this.#found = isFull ? items : [];
    const sites = [...Map.groupBy(items, ({ siteId }) => siteId).values()];
    const counts = await this.#inTurns(sites);
    // Items that are found again at once would be found forever.
    return isFull && counts.some((count) => count > 0) && items.some((item) => !known.has(keyOf(item)));
  }

  /**
   * One site after the other, and more at the same time as far as there is room.
   * @returns how many were done of each
   */
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
      if (this.#stopped.aborted || !shares.owns(this.job.name)) break;
      if (this.#failed.has(key)) continue;
      try {
        const ctx = await contextFor(siteId);
        if (ctx) await this.job.run(ctx, id);
        done += 1;
      } catch (error) {
        this.#failed.set(key, now().getTime() + RETRY_MS);
        log.error(
          { err: error, job: this.job.name, site_id: siteId, id },
          'a recurring job failed; it will be retried',
        );
      }
    }
    return done;
  }
}
