/**
 * What an installation with ten thousand sites costs while nothing happens: statements and processor time a second, of
 * one process and of three that share it; how long a start takes; and how late a snooze ends, alone and when a thousand
 * sites have one at the same moment. `FOYER_BENCH_MESSAGES` is the number of messages of the sites (default 300,000).
 * Statements are counted by pg_stat_statements, including those of pg-boss and of the bus. Linux only.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { fillSites } from '../packages/server/test/many-sites-data.ts';
import { type Figure, NONE } from './figures.ts';
import { type RunningFoyer, startFoyer, temporaryFolder } from './foyer.ts';
import { startPreloaded } from './preloaded-postgres.ts';
import { cpuMsOf, descendants, postmasterOf } from './processes.ts';

const SITES = 10_000;
/** How many of them have a snooze that ends at the same moment. */
const CROWD = 1_000;
const MESSAGES = Number(process.env.FOYER_BENCH_MESSAGES ?? 300_000);
const SECRET = 'a secret of the benchmark alone, of no use elsewhere';
/** By then the work of a start is done. */
const SETTLE_MS = 15_000;
const IDLE_MS = 20_000;

interface Ground {
  database: Database;
  dir: string;
  remove(): Promise<void>;
}

async function openGround(): Promise<Ground> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.dir, 'database');
  await mkdir(dataDir);
  const postgres = await startPreloaded(dataDir, { shared_preload_libraries: 'pg_stat_statements' });
  await migrateAt(postgres.url);
  const database = openDatabase(postgres.url, { patient: true, max: 2 });
  await sql`create extension pg_stat_statements`.execute(database.db);
  await fillSites(database.db, { sites: SITES, records: SITES * 10, messages: MESSAGES });
  const remove = async (): Promise<void> => {
    await database.close();
    await postgres.stop();
    await folder.remove();
  };
  return { database, dir: folder.dir, remove };
}

async function startNodes({ database, dir }: Ground, count: number): Promise<RunningFoyer[]> {
  const nodes: RunningFoyer[] = [];
  for (let at = 0; at < count; at++) {
    const dataDir = join(dir, `node-${at}`);
    await mkdir(dataDir, { recursive: true });
    const settings = { DATABASE_URL: database.url, FOYER_SECRET: SECRET, LOG_LEVEL: 'warn' };
    nodes.push(await startFoyer({ FOYER_DATA_DIR: dataDir, ...settings }));
  }
  return nodes;
}

async function statements({ db }: Database): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select sum(calls)::float8 as calls from pg_stat_statements where query not like '%pg_stat_statements%'`.execute(
    db,
  );
  return rows[0]?.calls ?? 0;
}

interface Idle {
  statements: number;
  nodesMs: number;
  postgresMs: number;
}

/** Averages per second. */
async function idle({ database, dir }: Ground, nodes: readonly RunningFoyer[]): Promise<Idle> {
  await delay(SETTLE_MS);
  const cpu = () => {
    const postgres = cpuMsOf(descendants(postmasterOf(join(dir, 'database'))));
    return { nodes: cpuMsOf(nodes.map(({ process: { pid = 0 } }) => pid)), postgres };
  };
  const before = { calls: await statements(database), ...cpu() };
  const from = performance.now();
  await delay(IDLE_MS);
  const after = { ...cpu(), calls: await statements(database) };
  const seconds = (performance.now() - from) / 1_000;
  return {
    statements: (after.calls - before.calls) / seconds,
    nodesMs: (after.nodes - before.nodes) / seconds,
    postgresMs: (after.postgres - before.postgres) / seconds,
  };
}

/** How long it takes to end a snooze in each of so many sites, all due now. */
async function wakeMs({ db }: Database, sites: number): Promise<number> {
  const from = performance.now();
  await sql`
    update tickets set status = 'open', solved_at = null, snoozed_until = now()
    where id <= ${sites} and site_id = 1 + id % ${SITES}`.execute(db);
  for (;;) {
    const { rows } = await sql`select from tickets where snoozed_until is not null limit 1`.execute(db);
    if (rows.length === 0) return performance.now() - from;
    await delay(20);
  }
}

export async function manySites(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const figure = (what: string, ours: string, wanted = NONE): void => {
    figures.push({ what, ours, bare: NONE, ratio: NONE, wanted });
  };
  const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const ground = await openGround();
  try {
    for (const count of [1, 3]) {
      const nodes = await startNodes(ground, count);
      const who = `${SITES.toLocaleString('en')} idle sites, ${count === 1 ? 'one process' : `${count} processes`}`;
      const [last] = nodes.slice(-1);
      const started = ms(cpuMsOf([last?.process.pid ?? 0]));
      figure(`${who}: start to /healthz`, `${((last?.startMs ?? 0) / 1_000).toFixed(2)} s`, '< 2 s');
      figure('… of processor time', started);
      const { statements: calls, nodesMs, postgresMs } = await idle(ground, nodes);
      figure(`${who}: statements a second`, calls.toFixed(1), '≤ 30');
      figure(`… processor time a second, together`, ms(nodesMs + postgresMs), '≤ 60 ms');
      figure(`… of it Foyer; PostgreSQL`, `${ms(nodesMs)}; ${ms(postgresMs)}`);
      figure(
        `… a snooze that ends, to its ticket being open`,
        ms(await wakeMs(ground.database, 1)),
        '≤ 1 s and its work',
      );
      figure(
        `… one in each of 1,000 sites at the same moment, to the last`,
        ms(await wakeMs(ground.database, CROWD)),
      );
      for (const node of nodes) await node.stop();
    }
  } finally {
    await ground.remove();
  }
  return figures;
}
