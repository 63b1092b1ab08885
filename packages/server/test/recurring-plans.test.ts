import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { whichHaveDue } from '../src/jobs/schedule.ts';
import { recurringJobs } from '../src/registry.ts';
import { findDue } from './find-due.ts';
import { type Ground, openGround } from './ground.ts';
import { until } from './harness.ts';
import { fillSites } from './many-sites-data.ts';
import { genericPlanFaults, noteStatements, planFaults, type Sent } from './plan-reading.ts';
import { NOTHING_DUE } from './recurring-bounds.ts';

// Recurring jobs of every process find out that nothing is due without reading the sites' data. The same with ten
// thousand sites and three million messages: node bench/recurring.ts.

const AMOUNT = { sites: 3_000, records: 12_000, messages: 36_000 };
let ground: Ground;
let database: Database;
let sent: Sent[];
let reader: pg.Client;

beforeAll(async () => {
  ground = await openGround();
  const patient = openDatabase(ground.url, { patient: true });
  await fillSites(patient.db, AMOUNT).finally(patient.close);
  database = openDatabase(ground.url, { max: 1 });
  sent = noteStatements(database.pool);
  reader = new pg.Client({ connectionString: ground.url });
  await reader.connect();
});
afterAll(async () => {
  await reader.end();
  await database.close();
  await ground.close();
});

/** Waits until running transactions have ended, even of other files and databases: ids and snapshots are per server. */
async function transactionsEnded(): Promise<void> {
  const { rows } = await reader.query('select pg_current_xact_id()::text as xid');
  const ended = 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended';
  await until(async () => (await reader.query(ended, [rows[0].xid])).rows[0].ended);
}

describe.each(recurringJobs.map((job) => [job.name, job] as const))('%s', (_name, job) => {
  it('finds by an index that nothing is due, and reads next to nothing of any site', async () => {
    // The first runs of a process may find its position, and wait for all running transactions.
    for (let look = 0; look < 3; look++) {
      await findDue(job, database.db, new Date(), 100);
      await transactionsEnded();
    }
    sent.length = 0;
    const items = await findDue(job, database.db, new Date(), 100);
    const faults: string[] = [];
    await reader.query('begin');
    for (const one of [...sent]) faults.push(...(await planFaults(reader, one, NOTHING_DUE)));
    await reader.query('rollback');
    expect({ items, faults }).toEqual({ items: [], faults: [] });
  });
});

const groups = [...Map.groupBy(recurringJobs, ({ everyMs }) => everyMs)];

describe.each(groups)('one statement for what recurs every %i ms', (_everyMs, jobs) => {
  it('finds that nothing is due as cheaply, even with the plan that a connection caches', async () => {
    for (let look = 0; look < 3; look++) {
      for (const job of jobs) await job.prepare?.(database.db, new Date());
      await transactionsEnded();
    }
    sent.length = 0;
    expect(await whichHaveDue(jobs, database.db, new Date())).toEqual(new Set());
    const [statement] = sent;
    if (!statement) throw new Error('nothing was asked');
    const faults = await planFaults(reader, statement, NOTHING_DUE);
    if (statement.text.includes('/* prepared */'))
      faults.push(...(await genericPlanFaults(reader, statement, NOTHING_DUE)));
    expect(faults).toEqual([]);
  });
});
