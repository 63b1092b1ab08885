import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { SiteContext } from '../core/context.ts';
import type { JobDefinition } from '../core/job.ts';
import type { JobName, JobOptions } from '../core/job-data.ts';
import type { Db } from '../db/database.ts';

/** A job whose worker has died is given to another after this long without a heartbeat. */
const HEARTBEAT_S = 10;
const EXPIRE_S = 60;
const SUPERVISE_S = 5;
/** How many jobs of one kind a process runs at once. */
const CONCURRENCY = 4;
/** For what no notice announces: retries, and what was queued while the connection was lost. */
const POLLING = {
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 5,
  // Tells a job's last try from those before.
  includeMetadata: true,
} as const;
const STOP_MS = 3_000;
const SCHEMA = 'foyer_jobs';

export interface JobQueue {
  /** Queues a job on the caller's connection: it is there only if the caller's transaction commits. */
  send(db: Db, name: JobName, data: object, options: JobOptions): Promise<void>;
  /** Begins to work on jobs, each with a context bound to the site that it carries. */
  work(
    jobs: readonly JobDefinition[],
    contextFor: (siteId: number) => Promise<SiteContext | undefined>,
  ): Promise<void>;
  /**
   * Gives back what was under way when the last process died, before its heartbeat is missed: for a caller that knows
   * that no other process works on this database.
   */
  reclaim(): Promise<void>;
  /** How many jobs of each kind there are, as counted within the last seconds. */
  counts(): Promise<JobCounts[]>;
  stop(): Promise<void>;
}

export interface JobCounts {
  name: string;
  /** Waiting for a worker, or for their next try. */
  queued: number;
  active: number;
  /** After their last try, in the last hour. */
  failed: number;
}

interface Carried {
  site_id: number;
}

type Kind = Pick<JobDefinition, 'name' | 'retries' | 'expireS'>;

const queueOptions = ({ retries, expireS = EXPIRE_S }: Kind) => ({
  // One of a chat's jobs waits at a time: until it runs, it does everything that was said. If two run at once, the job
  // itself makes sure that nothing is done twice; a policy that forbids it lets one chat's job hold up all the others'.
  policy: 'short' as const,
  notify: true,
  retryLimit: retries?.limit ?? 5,
  retryDelay: retries?.delayS ?? 1,
  retryBackoff: true,
  ...(retries ? { retryDelayMax: retries.maxDelayS } : {}),
  expireInSeconds: expireS,
  heartbeatSeconds: HEARTBEAT_S,
  deleteAfterSeconds: 3_600,
});

type Run = (data: Carried, isLastTry: boolean) => Promise<void>;

/** Opens the job queue. Jobs live in PostgreSQL, so they survive the death of any process. */
export async function openQueue(url: string, kinds: readonly Kind[], log: Logger): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'foyer jobs',
    schema: SCHEMA,
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    schedule: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'jobs: the database is unavailable'));
  await boss.start();
  for (const kind of kinds) await boss.createQueue(kind.name, queueOptions(kind));
  const working = new Set<string>();
  return {
    async send(db, name, data, { key, startAfterS }) {
      await boss.send(name, data, {
        db: fromKysely(db),
        // The policy counts all jobs without a key as one, and drops what is sent while one of them waits.
        singletonKey: key ?? randomUUID(),
        ...(startAfterS === undefined ? {} : { startAfter: startAfterS }),
      });
    },
    async work(jobs, contextFor) {
      for (const job of jobs) {
        working.add(job.name);
        const run: Run = (data, isLastTry) => runJob(job, data, isLastTry, contextFor);
        for (let worker = 0; worker < (job.workers ?? CONCURRENCY); worker++)
          await workOn(boss, job.name, run);
      }
    },
    async reclaim() {
      const { rows } = await boss
        .getDb()
        .executeSql(`select name, id from ${SCHEMA}.job where state = 'active'`);
      for (const { name, id } of rows) await boss.fail(name, id, { message: 'the process ended' });
    },
    async counts() {
      const queues = await boss.getQueues(kinds.map(({ name }) => name));
      return queues.map(({ name, queuedCount: queued, activeCount: active, failedCount: failed }) => ({
        name,
        queued,
        active,
        failed,
      }));
    },
    async stop() {
      // Its own graceful stop looks for the end of its workers twice a second; this one hears of it.
      const over = new AbortController();
      const ended = Promise.all([...working].map((name) => boss.offWork(name, { wait: true })));
      const late = delay(STOP_MS, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([ended, late]).finally(() => over.abort());
      await boss.stop({ graceful: false });
    },
  };
}

type ContextFor = Parameters<JobQueue['work']>[1];

/** @throws what the job throws, so that the queue tries it again, or gives it up after the last try. */
async function runJob(
  job: JobDefinition,
  { site_id, ...carried }: Carried,
  isLastTry: boolean,
  contextFor: ContextFor,
): Promise<void> {
  const ctx = await contextFor(site_id);
  // The site was deleted, and with it everything that the job could be about.
  if (!ctx) return;
  const data = carried as Parameters<typeof job.run>[1];
  await job.run(ctx, data).catch(async (error) => {
    const outcome = isLastTry ? 'job failed for the last time' : 'job failed; it will be retried';
    ctx.log.error({ err: error, job: job.name }, outcome);
    if (isLastTry) await job.giveUp?.(ctx, data, error);
    throw error;
  });
}

/** One worker. Many jobs may come at once and a notice wakes it for one of them, so it looks for the next at once. */
async function workOn(boss: PgBoss, name: JobName, run: Run): Promise<void> {
  let worker = '';
  worker = await boss.work<Carried, void, typeof POLLING>(name, POLLING, async ([queued]) => {
    boss.notifyWorker(worker);
    if (queued) await run(queued.data, queued.retryCount >= queued.retryLimit);
  });
}
