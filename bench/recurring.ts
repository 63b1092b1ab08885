/**
 * Every statement of recurring jobs, with ten thousand sites of very different size and three million messages: Foyer
 * runs, PostgreSQL logs each statement with its executed plan (auto_explain), and each plan is checked. First nothing
 * is due; then something is due in a thousand sites at the same moment. The suite checks the same with fewer sites
 * (recurring-plans.test.ts).
 * Usage: node bench/recurring.ts [MESSAGES] [--all]; exits with 1 if a plan is wrong. `--all` prints the others, too.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, type Db, openDatabase } from '../packages/server/src/db/database.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { fillSites } from '../packages/server/test/many-sites-data.ts';
import { faultsOf, mostRead, type PlanNode } from '../packages/server/test/plan-reading.ts';
import { startFoyer, temporaryFolder } from './foyer.ts';
import { setSettings, startPreloaded } from './preloaded-postgres.ts';

const SITES = 10_000;
/** How many of them have something due at the same moment. */
const CROWD = 1_000;
const MESSAGES = Number(process.argv[2] ?? 3_000_000);
const isVerbose = process.argv.includes('--all');
/** A table of so few pages is read completely instead of by an index. */
const FEW_PAGES = 64;
/** A step that reads so few rows has not read a whole table. */
const FEW_ROWS = 10;
/** A start also runs the hourly jobs. */
const IDLE_MS = 60_000;
const CROWD_MS = 60_000;
/** How much a run may read if it finds nothing, and if it finds much: a batch, and as many again for its position. */
const IDLE = { read: 100, small: 1_000 };
/** Then one row per site is no more than ten per site that has something due. */
const CROWDED = { read: 20_000, small: SITES };

interface Ran {
  text: string;
  calls: number;
  ms: number;
  mostRead: number;
  faults: Set<string>;
}

/** Statements that differ only in literals count as one. */
const shapeOf = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\b\d+\b/g, '0')
    .replace(/\s+/g, ' ')
    .trim();

const OWN = 'foyer bench';
/** How much of the log has been read. */
let linesRead = 0;

/** The plans that PostgreSQL has logged since this was last asked, each with how long it took. */
async function readPlans(folder: string): Promise<{ ms: number; text: string; plan: PlanNode }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  // The last line may be half written.
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  const plans = lines.slice(linesRead).flatMap((line) => {
    const { message = '', application_name = '' } = JSON.parse(line);
    const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? [];
    // Not the statements of this benchmark.
    if (json === undefined || !/^foyer/.test(application_name) || application_name === OWN) return [];
    const { 'Query Text': text, Plan: plan } = JSON.parse(json);
    return [{ ms: Number(ms), text, plan }];
  });
  linesRead = lines.length;
  return plans;
}

/** Statements that a process runs once when it gets a share: they find its position in each site. */
const ONCE = /from \(select id as site_id from sites\) c left join message_search_progress/;

async function judge(title: string, { db }: Database, { read, small: rows }: typeof IDLE): Promise<void> {
  const folder = await settingOf(db, 'data_directory');
  const bounds = { small: await smallTables(db, rows), sorted: read, read };
  const all = new Map<string, Ran>();
  for (const { ms, text, plan } of await readPlans(join(folder, 'log'))) {
    const shape = shapeOf(text);
    const ran = all.get(shape) ?? { text: shape, calls: 0, ms: 0, mostRead: 0, faults: new Set() };
    all.set(shape, ran);
    ran.calls += 1;
    ran.ms += ms;
    ran.mostRead = Math.max(ran.mostRead, mostRead(plan, bounds.small));
    if (ONCE.test(shape) || mostRead(plan, bounds.small) <= FEW_ROWS) continue;
    for (const fault of faultsOf(plan, bounds)) ran.faults.add(fault.replace(/\d+/g, '…'));
  }
  const forms = [...all.values()];
  const sum = (of: (ran: Ran) => number): number => forms.reduce((total, ran) => total + of(ran), 0);
  const wrong = forms.filter(({ faults }) => faults.size > 0);
  console.log(
    `${title}: ${sum(({ calls }) => calls)} statements of ${all.size} forms in ${Math.round(sum(({ ms }) => ms))} ms, ${wrong.length} wrong`,
  );
  const shown = isVerbose ? forms.toSorted((a, b) => b.ms - a.ms) : wrong;
  for (const { text, calls, ms, mostRead: most, faults } of shown)
    console.log(
      `  ${calls} × ${(ms / calls).toFixed(1)} ms, at most ${most} rows ${[...faults].join(', ')}\n    ${text.slice(0, 400)}`,
    );
  if (wrong.length > 0) process.exitCode = 1;
}

/** Tables that may be read as a whole. */
async function smallTables(db: Db, most: number): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where reltuples <= ${most} or relpages <= ${FEW_PAGES} or relnamespace = 'pg_catalog'::regnamespace`.execute(
    db,
  );
  return new Set(rows.map(({ name }) => name));
}

async function settingOf(db: Db, name: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db);
  return rows[0]?.value ?? '';
}

/** Makes snoozes of tickets end, visitors write, and reports count, each in so many sites. */
async function makeDue({ db }: Database): Promise<void> {
  await sql`
    update tickets set status = 'open', solved_at = null, snoozed_until = now()
    where (site_id, id) in (
      select distinct on (site_id) site_id, id from tickets where site_id <= ${CROWD} order by site_id, id)`.execute(
    db,
  );
  await sql`
    with chat as (
      update conversations set last_seq = last_seq + 1000, last_message_at = now() where (site_id, id) in (
        select distinct on (site_id) site_id, id from conversations where site_id <= ${CROWD} order by site_id, id)
      returning site_id, id, last_seq
    )
    insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select site_id, id, last_seq, gen_random_uuid(), 'visitor', 'A lamp' from chat`.execute(db);
  await sql`
    insert into report_dirty_records (site_id, record)
    select distinct on (site_id) site_id, id::text from tickets where site_id <= ${CROWD} order by site_id, id`.execute(
    db,
  );
}

const folder = await temporaryFolder();
const dataDir = join(folder.dir, 'database');
await mkdir(dataDir);
const postgres = await startPreloaded(dataDir, {
  shared_preload_libraries: 'auto_explain',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_rotation_size: '0',
});
try {
  await migrateAt(postgres.url);
  const database = openDatabase(postgres.url, { patient: true, max: 1, name: OWN });
  const from = performance.now();
  await fillSites(database.db, { sites: SITES, records: MESSAGES / 30, messages: MESSAGES, skewed: true });
  console.log(`filled in ${Math.round((performance.now() - from) / 1_000)} s`);
  await setSettings(database.db, {
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_parameter_max_length': '0',
    'auto_explain.log_min_duration': '0',
  });
  await sql`select pg_reload_conf()`.execute(database.db);
  const own = join(folder.dir, 'node');
  await mkdir(own);
  const foyer = await startFoyer({
    DATABASE_URL: postgres.url,
    FOYER_DATA_DIR: own,
    FOYER_SECRET: 'a secret of the benchmark alone, of no use elsewhere',
    LOG_LEVEL: 'warn',
  });
  await delay(IDLE_MS);
  await judge('nothing due', database, IDLE);
  await makeDue(database);
  await delay(CROWD_MS);
  await judge(`something due in ${CROWD} sites`, database, CROWDED);
  await foyer.stop();
  await database.close();
} finally {
  await postgres.stop();
  await folder.remove();
}
