import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  fromKysely,
  type Db as IDatabase,
  type JobInsert,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
} from 'pg-boss';
import type { Logger } from 'pino';
import { workFor } from '../base/loop/loop-time.ts';
import { pause } from '../base/pause.ts';
import { currentTracer, inSpan } from '../base/spans.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobDefinition } from '../core/job.ts';
import type { JobData, JobName, JobOptions } from '../core/job-data.ts';
import { type Db, openDatabase } from '../db/database.ts';
import { preparedText } from '../db/prepared.ts';
import { processName } from '../db/process-versions.ts';
import type { Chore } from './schedule.ts';

/** After this long without a heartbeat, a job of a dead worker goes to another. */
const HEARTBEAT_S = 10;
const EXPIRE_S = 60;
const SUPERVISE_S = 5;
/** Concurrency per kind of job and process. */
const CONCURRENCY = 4;
/**
 * Workers are woken by the notice of a new job, and by `wakeChore` for retries and for jobs that were queued while the
 * connection was lost. Polling by each of them only covers the unexpected.
 */
const POLL_S = 300;
const POLLING = {
  pollingIntervalSeconds: POLL_S,
  notifyPollingIntervalSeconds: POLL_S,
  // Needed to recognise a job's last attempt.
  includeMetadata: true,
  perJobResults: true,
} as const;
/** How often pg-boss does work that Foyer doesn't need: flows, and index builds of its upgrades. */
const UNUSED_S = 3_600;
/** How soon a retry begins when it is due, and how soon in a process whose share this isn't. */
const WAKE_MS = 1_000;
const OTHERS_WAKE_MS = 15_000;
const STOP_MS = 3_000;
/** pg-boss's own schema in Foyer's database. */
export const JOBS_SCHEMA = 'foyer_jobs';
const NAME = 'foyer queue';
const LOST = 'jobs: the database is unavailable';

export interface JobQueue {
  /** Queues a job on the caller's connection: it exists only if the caller's transaction commits. */
  send(db: Db, name: JobName, data: object, options: JobOptions): Promise<void>;
  /** Queues jobs under their ids, for a restore. A second one that may not wait beside the first is left out. */
  insert(client: pg.ClientBase, name: string, jobs: readonly JobInsert[]): Promise<void>;
  /** Starts working on jobs, each with a context for its site. */
  work(
    jobs: readonly JobDefinition[],
    contextFor: (siteId: number) => Promise<SiteContext | undefined>,
  ): Promise<void>;
  /** The maintenance of the queue, shared among the processes that work on it. */
  readonly chores: readonly Chore[];
  /**
   * Requeues jobs that were running when the last process died, without waiting for their heartbeat: for a caller that
   * knows that no other process uses this database.
   */
  reclaim(): Promise<void>;
  stop(): Promise<void>;
}

interface Carried {
  site_id: number;
  /** The span that queued it, if it was traced. */
  traceparent?: string;
}

/** How jobs of one name are queued. */
export type QueueKind = Pick<JobDefinition, 'retries' | 'expireS'> & { name: string };

const queueOptions = ({ retries, expireS = EXPIRE_S }: QueueKind) => ({
  // At most one job per chat waits: when it runs, it handles everything said so far. If two run at once, the job
  // itself prevents duplicates; a policy that forbids it would let one chat's job block all others.
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

type Queued = JobWithMetadata<Carried>;
type Run = (jobs: readonly Queued[]) => Promise<JobResult[]>;

interface QueueAddress {
  url: string;
  /** Of the secrets that this process knows, see `db/process-versions`. */
  keyIds?: readonly string[];
  /** As of a Database. */
  directUrl?: string;
}

interface ConnectionOptions extends QueueAddress {
  poolMax: number;
  log: Logger;
  /** Called with the name of a kind that has a new job. */
  onNotice(name: string): void;
}

/** A caller's transaction for pg-boss, whose statement for a new job is the same for all jobs of a kind. */
function inTransaction(db: Db): IDatabase {
  const { executeSql } = fromKysely(db);
  return { executeSql: (text, values) => executeSql(preparedText(text), values) };
}

/**
 * pg-boss's connections: statements use the shared pool, and its LISTEN a connection of its own, which a pooler can't
 * provide.
 */
async function openConnections(options: ConnectionOptions) {
  const { url, directUrl = url, keyIds, poolMax, log, onNotice } = options;
  const lost = (error: Error): void => log.warn({ err: error }, LOST);
  // Without time limits, because its maintenance may take long.
  const { pool, close } = openDatabase(url, {
    max: poolMax,
    name: NAME,
    directUrl,
    patient: true,
    onError: lost,
  });
  const listener = new PgBoss({
    connectionString: directUrl,
    application_name: await processName(keyIds),
    max: 1,
  });
  listener.on('error', lost);
  const own = listener.getDb();
  // Opens no connection: only `listen` does, and pg-boss ends that one.
  if ('open' in own && typeof own.open === 'function') await own.open();
  const hear = own.listen?.bind(own);
  const listen =
    hear &&
    ((...[channel, onNotification, onReconnect]: Parameters<typeof hear>) => {
      const onBoth = (name: string): void => {
        onNotice(name);
        onNotification(name);
      };
      return hear(channel, onBoth, onReconnect);
    });
  return {
    executeSql: (text: string, values?: unknown[]) => pool.query(text, values),
    ...(listen && { listen }),
    close,
  };
}

/** The jobs that this process works on. */
interface Running {
  readonly jobs: Set<string>;
  /** No new jobs are started. */
  isEnding: boolean;
  /** The jobs have been returned to the queue: their results here no longer matter. */
  isOver: boolean;
}

interface BossOptions {
  log: Logger;
  running: Running;
}

/**
 * Leaves the jobs that didn't end in time to other workers. This doesn't count as one of their attempts: when it stops,
 * pg-boss fails the jobs of its workers, and permanently those in their last attempt.
 */
async function handBack(db: IDatabase, running: Running): Promise<void> {
  running.isOver = true;
  if (running.jobs.size === 0) return;
  await db.executeSql(
    `update ${JOBS_SCHEMA}.job set retry_limit = retry_limit + 1 where state = 'active' and id = any($1)`,
    [[...running.jobs]],
  );
}

/** Creates the queues that are missing, and gives those of an earlier version the options of this one. */
async function prepareQueues(boss: PgBoss, kinds: readonly QueueKind[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const kind of kinds) {
    const { policy, ...options } = queueOptions(kind);
    const queue = known.get(kind.name);
    if (!queue) await boss.createQueue(kind.name, { policy, ...options });
    else if (Object.entries(options).some(([name, value]) => queue[name as keyof typeof queue] !== value))
      await boss.updateQueue(kind.name, options);
  }
}

async function startBoss(
  db: IDatabase,
  kinds: readonly QueueKind[],
  { log, running }: BossOptions,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db,
    schema: JOBS_SCHEMA,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    monitorVacuum: false,
    flowIntervalSeconds: UNUSED_S,
    schedule: false,
  });
  boss.on('error', (error) => {
    if (!running.isOver) log.warn({ err: error }, LOST);
  });
  await boss.start();
  await prepareQueues(boss, kinds);
  return boss;
}

/** Opens the job queue. Jobs live in PostgreSQL, so they survive the death of any process. */
export async function openQueue(
  address: QueueAddress,
  kinds: readonly QueueKind[],
  log: Logger,
  poolMax = 4,
): Promise<JobQueue> {
  const running: Running = { jobs: new Set(), isEnding: false, isOver: false };
  const crews = new Map<string, Crew>();
  const onNotice = (name: string): void => {
    const crew = crews.get(name);
    if (crew) callUp(crew).catch((error) => log.warn({ err: error }, LOST));
  };
  const connections = await openConnections({ ...address, poolMax, log, onNotice });
  const boss = await startBoss(connections, kinds, { log, running }).catch(async (error) => {
    await connections.close();
    throw error;
  });
  return {
    async send(db, name, data, { key, startAfterS }) {
      const traceparent = currentTracer()?.running();
      await boss.send(name, traceparent === undefined ? data : { ...data, traceparent }, {
        db: inTransaction(db),
        // The policy counts all jobs without a key as one, and drops new ones while one of them waits.
        singletonKey: key ?? randomUUID(),
        ...(startAfterS === undefined ? {} : { startAfter: startAfterS }),
      });
    },
    async insert(client, name, jobs) {
      // A job with a name of a former version: a later migration renames it.
      if (!kinds.some((kind) => kind.name === name)) await boss.createQueue(name, queueOptions({ name }));
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
      await boss.insert(name, [...jobs], { db });
    },
    async work(jobs, contextFor) {
      for (const job of jobs) {
        const run: Run = (queued) => runJobs(job, queued, { contextFor, running });
        crews.set(job.name, { boss, job, running, run, workers: [], called: undefined });
      }
      await wake(boss, crews);
    },
    chores: [wakeChore(boss, crews)],
    async reclaim() {
      const { rows } = await boss
        .getDb()
        .executeSql(`select name, id from ${JOBS_SCHEMA}.job where state = 'active'`);
      for (const { name, id } of rows) await boss.fail(name, id, { message: 'the process ended' });
    },
    async stop() {
      running.isEnding = true;
      await endWorkers(boss, [...crews.values()]);
      await handBack(connections, running);
      await boss.stop({ graceful: false });
      await connections.close();
    },
  };
}

const wakeChore = (boss: PgBoss, crews: ReadonlyMap<string, Crew>): Chore => ({
  name: 'jobs.wake',
  everyMs: WAKE_MS,
  othersEveryMs: OTHERS_WAKE_MS,
  run: () => wake(boss, crews),
});

/** Wakes the crews that have jobs which may begin now. */
async function wake(boss: PgBoss, crews: ReadonlyMap<string, Crew>): Promise<void> {
  for (const name of await dueKinds(boss.getDb(), [...crews.keys()])) {
    const crew = crews.get(name);
    if (crew) await callUp(crew);
    for (const worker of crew?.workers ?? []) boss.notifyWorker(worker);
  }
}

/** Waits this long for running jobs. */
async function endWorkers(boss: PgBoss, crews: readonly Crew[]): Promise<void> {
  // pg-boss checks twice a second whether its workers have ended; this signal reports it at once.
  const over = new AbortController();
  const end = async ({ called, job }: Crew): Promise<void> => {
    if (!called) return;
    // A job that is being fetched would begin when pg-boss has ended the others.
    await called.catch(() => undefined);
    await boss.offWork(job.name, { wait: true });
  };
  const ended = Promise.all(crews.map(end));
  await Promise.race([ended, pause(STOP_MS, over.signal)]).finally(() => over.abort());
}

type ContextFor = Parameters<JobQueue['work']>[1];

interface Attempt {
  contextFor: ContextFor;
  running: Running;
}

const dataOf = ({ data: { site_id, traceparent, ...data } }: Queued) => data as JobData<JobName>;

/** @returns the errors of those that failed, at their places in the list */
async function errorsOf(
  job: JobDefinition,
  ctx: SiteContext,
  queued: readonly Queued[],
): Promise<readonly unknown[]> {
  const list = queued.map(dataOf);
  try {
    if ('runBatch' in job) return await job.runBatch(ctx, list);
    for (const data of list) await job.run(ctx, data);
    return [];
  } catch (error) {
    return queued.map(() => error);
  }
}

/** Runs jobs of one site. The queue retries failed ones, up to their last attempt. */
async function runJobs(
  job: JobDefinition,
  queued: readonly Queued[],
  { contextFor, running }: Attempt,
): Promise<JobResult[]> {
  const { site_id = 0, traceparent = '' } = queued[0]?.data ?? {};
  const ctx = await contextFor(site_id);
  // The site was deleted, with everything that the jobs are about.
  if (!ctx) return queued.map(({ id }) => ({ id, status: 'completed' }));
  const attributes = { 'foyer.site_id': site_id, 'foyer.job': job.name };
  const span = { kind: 'consumer', parent: traceparent, attributes } as const;
  const errors = await workFor('job', () =>
    inSpan(`job ${job.name}`, span, () => errorsOf(job, ctx, queued)),
  );
  const results: JobResult[] = [];
  for (const [at, { id, retryCount, retryLimit, ...one }] of queued.entries()) {
    const error = errors[at];
    // The database was closed during the job, and another worker repeats it.
    if (error === undefined || running.isOver) results.push({ id, status: 'completed' });
    else {
      const isLastTry = retryCount >= retryLimit;
      const outcome = isLastTry ? 'job failed for the last time' : 'job failed; it will be retried';
      ctx.log.error({ err: error, job: job.name }, outcome);
      if (isLastTry) await job.giveUp?.(ctx, dataOf({ id, retryCount, retryLimit, ...one }), error);
      results.push({ id, status: 'failed', output: error });
    }
  }
  return results;
}

/** Which of these kinds have jobs that may begin now: one probe of the waiting jobs' index for each. */
export async function dueKinds(db: IDatabase, kinds: readonly string[]): Promise<string[]> {
  if (kinds.length === 0) return [];
  const { rows } = await db.executeSql(
    `select kind from unnest($1::text[]) kind, lateral (
      select from ${JOBS_SCHEMA}.job j
      where j.name = kind and j.state < 'active' and not j.blocked and j.start_after <= now() limit 1) due`,
    [kinds],
  );
  return rows.map(({ kind }: { kind: string }) => kind);
}

/** The workers of one kind of job in this process. */
interface Crew {
  boss: PgBoss;
  job: JobDefinition;
  running: Running;
  run: Run;
  workers: string[];
  /** Its first worker, once there has been a job for it. */
  called: Promise<void> | undefined;
}

/**
 * Starts the first worker of a crew that has none. Most kinds have no job for hours, and a worker asks the database for
 * jobs when it starts, so one for each kind would be half of what a start asks.
 */
async function callUp(crew: Crew): Promise<void> {
  if (crew.running.isEnding) return;
  crew.called ??= hire(crew);
  try {
    await crew.called;
  } catch (error) {
    crew.called = undefined;
    throw error;
  }
}

/**
 * Starts a worker; once it has its first job, the next one follows, up to the concurrency of the kind. Most kinds never
 * need a second, and each asks the database for jobs when it starts and at every notice.
 */
async function hire(crew: Crew): Promise<void> {
  const { boss, job, running, run, workers } = crew;
  let worker = '';
  let isNew = true;
  const options = { ...POLLING, batchSize: 'batch' in job ? job.batch : 1 };
  worker = await boss.work<Carried, void, typeof options>(job.name, options, async (queued) => {
    // A notice wakes it for one job, but many may have arrived: it looks for the next ones at once.
    boss.notifyWorker(worker);
    const isFirst = isNew;
    isNew = false;
    if (isFirst && workers.length < (job.workers ?? CONCURRENCY) && !running.isEnding) await hire(crew);
    for (const { id } of queued) running.jobs.add(id);
    const results: JobResult[] = [];
    try {
      for (const list of Map.groupBy(queued, ({ data }) => data.site_id).values())
        results.push(...(await run(list)));
    } finally {
      for (const { id } of queued) running.jobs.delete(id);
    }
    return results;
  });
  workers.push(worker);
}
