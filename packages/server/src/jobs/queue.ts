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
const STOP_MS = 5_000;

export interface JobQueue {
  /** Queues a job on the caller's connection: it is there only if the caller's transaction commits. */
  send(db: Db, name: JobName, data: object, options: JobOptions): Promise<void>;
  /** Begins to work on jobs, each with a context bound to the site that it carries. */
  work(
    jobs: readonly JobDefinition[],
    contextFor: (siteId: number) => Promise<SiteContext | undefined>,
  ): Promise<void>;
  stop(): Promise<void>;
}

interface Carried {
  site_id: number;
}

/** Jobs live in PostgreSQL and outlive any process (decisions 9). */
export async function openQueue(url: string, names: readonly JobName[], log: Logger): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'foyer jobs',
    schema: 'foyer_jobs',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    schedule: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'jobs: the database does not answer'));
  await boss.start();
  for (const name of names) {
    const options = {
      // Of a chat's jobs one waits and one runs: two messages in a row are answered by one turn, in order.
      policy: 'stately' as const,
      notify: true,
      retryLimit: 5,
      retryDelay: 1,
      retryBackoff: true,
      expireInSeconds: EXPIRE_S,
      heartbeatSeconds: HEARTBEAT_S,
      deleteAfterSeconds: 3_600,
    };
    await boss.createQueue(name, options);
  }
  return {
    async send(db, name, data, { key, startAfterS }) {
      await boss.send(name, data, {
        db: fromKysely(db),
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(startAfterS === undefined ? {} : { startAfter: startAfterS }),
      });
    },
    async work(jobs, contextFor) {
      for (const job of jobs) {
        const options = {
          localConcurrency: CONCURRENCY,
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 5,
        };
        await boss.work<Carried>(job.name, options, async ([queued]) => {
          if (!queued) return;
          const { site_id, ...data } = queued.data;
          const ctx = await contextFor(site_id);
          // The site was deleted: so was everything that the job could be about.
          if (!ctx) return;
          await job.run(ctx, data as Parameters<typeof job.run>[1]).catch((error) => {
            ctx.log.error({ err: error, job: job.name }, 'job failed; it is tried again');
            throw error;
          });
        });
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
}
