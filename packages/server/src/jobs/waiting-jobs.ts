import type pg from 'pg';
import { JOBS_SCHEMA, type JobQueue } from './queue.ts';

/** The stored data of a job. Its attempts aren't included: after a restore it has all of them again. */
const COLUMNS = 'name, id, data, singleton_key, start_after';

/** Selects every job that has not ended. A running one counts: its result is unknown, as when its process dies. */
export const WAITING_JOBS = `
  select ${COLUMNS} from ${JOBS_SCHEMA}.job where state in ('created', 'retry', 'active')`;

/** A database whose first server has never started has no queue. */
export async function hasQueue(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('${JOBS_SCHEMA}.job') is not null as there`,
  );
  return rows[0]?.there ?? false;
}

interface WaitingJob {
  name: string;
  id: string;
  data: object;
  singletonKey: string;
  startAfter: Date;
}

const STEP = 1_000;
/** A table of this transaction, in the form of `WAITING_JOBS`. */
const HELD = 'waiting_jobs';

async function* readInSteps(client: pg.ClientBase): AsyncGenerator<[string, WaitingJob[]]> {
  const text = `fetch ${STEP} from held`;
  // In the past, a job would have outlived the queue's retention: an old backup's would be deleted, not run.
  await client.query(`
    declare held cursor for
    select name, id, data, singleton_key as "singletonKey", greatest(start_after, now()) as "startAfter"
    from ${HELD} order by name, id`);
  for (;;) {
    const { rows } = await client.query<WaitingJob>(text);
    if (rows.length === 0) return;
    yield* Map.groupBy(rows, ({ name }) => name);
  }
}

/**
 * Makes the queue contain these jobs and no others, in the caller's transaction.
 * @param queue opened before the transaction: pg-boss may have to migrate its tables, which the transaction locks
 * @param copy writes rows in the form of `WAITING_JOBS` into the given table; undefined: there are none
 */
export async function restoreJobs(
  client: pg.ClientBase,
  queue: JobQueue,
  copy: ((table: string) => Promise<void>) | undefined,
): Promise<void> {
  await client.query(`delete from ${JOBS_SCHEMA}.job`);
  if (!copy) return;
  await client.query(
    `create temp table ${HELD} (name text, id uuid, data jsonb, singleton_key text, start_after timestamptz)
     on commit drop`,
  );
  await copy(HELD);
  for await (const [name, jobs] of readInSteps(client)) await queue.insert(client, name, jobs);
}
