import { randomUUID } from 'node:crypto';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { JobDefinition, JobName, JobOptions } from './job.ts';

/** A job whose worker has died is given to another after this long without a heartbeat. */
const HEARTBEAT_S = 10;
const EXPIRE_S = 60;
const SUPERVISE_S = 5;
/** How many jobs of one kind a process runs at once. */
const CONCURRENCY = 4;
/** What a notice does not wake for: retries, and what was queued while the line was cut. */
const POLLING = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 };
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
  stop(): Promise<void>;
}

interface Carried {
  site_id: number;
}

/** Jobs live in PostgreSQL and outlive any process (decisions 9). */
export async function openQueue(
  url: string,
  kinds: readonly Pick<JobDefinition, 'name' | 'retries' | 'expireS'>[],
  log: Logger,
): Promise<JobQueue> {
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
  boss.on('error', (error) => log.warn({ err: error }, 'jobs: the database does not answer'));
  await boss.start();
  for (const { name, retries, expireS = EXPIRE_S } of kinds) {
    const options = {
      // Of a chat's jobs one waits: it does all that was said until it runs. That two which run at once do nothing twice
      // is the job's own affair; a policy that forbids it lets one chat's job hold up those of all the others.
      policy: 'short' as const,
      notify: true,
      retryLimit: retries?.limit ?? 5,
      retryDelay: retries?.delayS ?? 1,
      retryBackoff: true,
      ...(retries ? { retryDelayMax: retries.maxDelayS } : {}),
      expireInSeconds: expireS,
      heartbeatSeconds: HEARTBEAT_S,
      deleteAfterSeconds: 3_600,
    };
    await boss.createQueue(name, options);
  }
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
        const run = async ({ site_id, ...data }: Carried): Promise<void> => {
          const ctx = await contextFor(site_id);
          // The site was deleted: so was everything that the job could be about.
          if (!ctx) return;
          await job.run(ctx, data as Parameters<typeof job.run>[1]).catch((error) => {
            ctx.log.error({ err: error, job: job.name }, 'job failed; it is tried again');
            throw error;
          });
        };
        for (let worker = 0; worker < (job.workers ?? CONCURRENCY); worker++)
          await workOn(boss, job.name, run);
      }
    },
    async reclaim() {
      const { rows } = await boss
        .getDb()
        .executeSql(`select name, id from ${SCHEMA}.job where state = 'active'`);
      for (const { name, id } of rows) await boss.fail(name, id, { message: 'its process ended' });
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
}

/** One worker. Jobs come in crowds and a notice wakes for one of them: whoever has done one looks for the next at once. */
async function workOn(boss: PgBoss, name: JobName, run: (data: Carried) => Promise<void>): Promise<void> {
  let worker = '';
  worker = await boss.work<Carried>(name, POLLING, async ([queued]) => {
    boss.notifyWorker(worker);
    if (queued) await run(queued.data);
  });
}
