import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';
import type { DueItem, RecurringJob } from '../src/jobs/schedule.ts';

type Looked = Pick<RecurringJob, 'due' | 'prepare'>;

/** What a recurring job finds in a run. */
export async function findDue(job: Looked | undefined, db: Db, now: Date, limit: number): Promise<DueItem[]> {
  if (!job) throw new Error('there is no such job');
  await job.prepare?.(db, now);
  const { rows } = await job.due({ db, now, limit: sql.lit(limit), afterSite: 0 }).execute(db);
  return rows;
}
