/**
 * The looks of all recurring jobs with ten thousand sites and three million messages: how long each takes to find that
 * nothing is due, and whether it reads any table as a whole. The same plans as recurring-plans.test.ts, which has room
 * for fewer. Usage: node bench/recurring.ts [MESSAGES]; ends with 1 if a plan is wrong.
 */
import pg from 'pg';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import type { RecurringJob } from '../packages/server/src/jobs/schedule.ts';
import { recurringJobs } from '../packages/server/src/registry.ts';
import { fillSites } from '../packages/server/test/many-sites-data.ts';
import { noteStatements, planFaults, type Sent } from '../packages/server/test/plan-reading.ts';
import { NOTHING_DUE } from '../packages/server/test/recurring-bounds.ts';
import { withDatabase } from './foyer.ts';

const SITES = 10_000;
const MESSAGES = Number(process.argv[2] ?? 3_000_000);

await withDatabase(async (patient) => {
  const from = performance.now();
  await fillSites(patient.db, { sites: SITES, records: MESSAGES / 30, messages: MESSAGES });
  console.log(`filled in ${Math.round((performance.now() - from) / 1_000)} s`);
  const database = openDatabase(patient.url, { max: 1 });
  const sent = noteStatements(database.pool);
  const reader = new pg.Client({ connectionString: patient.url });
  await reader.connect();
  for (const job of recurringJobs) await look(job, database, sent, reader);
  await reader.end();
  await database.close();
});

async function look(job: RecurringJob, { db }: Database, sent: Sent[], reader: pg.Client): Promise<void> {
  const times: number[] = [];
  for (let look = 0; look < 4; look++) {
    sent.length = 0;
    const began = performance.now();
    await job.due(db, new Date(), 100);
    times.push(performance.now() - began);
  }
  const faults: string[] = [];
  for (const one of [...sent]) faults.push(...(await planFaults(reader, one, NOTHING_DUE)));
  const [first = 0] = times;
  const last = times.at(-1) ?? 0;
  console.log(
    `${job.name.padEnd(28)} every ${String(job.everyMs / 1_000).padStart(5)} s  first ${first.toFixed(1).padStart(7)} ms  later ${last.toFixed(1).padStart(6)} ms  ${faults.join(', ')}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
