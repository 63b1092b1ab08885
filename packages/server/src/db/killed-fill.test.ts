import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { PROCESSES_TIMEOUT_MS } from '../../test/fixtures/foyer.ts';
import { freePort } from '../../test/foyer-process.ts';
import { TEST_SECRET, testDatabase, until } from '../../test/harness.ts';
import { laterVersion } from '../../test/program-copy.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { openDatabase } from './database.ts';

const ROWS = 3_000;
const MIGRATIONS = { '0901_marks.sql': 'alter table visitors add column mark integer not null default 0;\n' };
const FILLS = {
  '0901_marks.sql': `update visitors set mark = mark + 1
where (site_id, id) in (select site_id, id from visitors where mark = 0 limit 20);\n`,
};

test(
  'a fill whose process is killed in the middle is finished by the next one, and fills each row once',
  async () => {
    const [database, program] = [await testDatabase(), await laterVersion(MIGRATIONS, FILLS)];
    const { db, close } = openDatabase(database.url, { max: 2 });
    let child: ChildProcess | undefined;
    const kill = async (): Promise<void> => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    onTestFinished(async () => {
      await kill();
      await close();
      await database.close();
    });
    await sql`insert into sites (name, greeting, public_key) values ('Shop', 'Hello', 'pk_fill')`.execute(db);
    await sql`
      insert into visitors (site_id, key) select id, 'v' || n from sites, generate_series(1, ${ROWS}) n`.execute(
      db,
    );
    const start = async (): Promise<void> => {
      child = spawn(process.execPath, [program, 'start'], {
        stdio: 'ignore',
        env: {
          PATH: process.env.PATH,
          PORT: String(await freePort()),
          DATABASE_URL: database.url,
          FOYER_SECRET: TEST_SECRET,
          FOYER_DATA_DIR: await scratchFolder('foyer-node-'),
        },
      });
    };
    /** How many rows have each mark. Before the migration there is no such column. */
    const marks = async (): Promise<Record<string, number>> => {
      const { rows } = await sql<{ mark: string; count: number }>`
        select coalesce(to_jsonb(v)->>'mark', 'none') as mark, count(*)::int as count from visitors v
        group by 1`.execute(db);
      return Object.fromEntries(rows.map(({ mark, count }) => [mark, count]));
    };
    await start();
    await until(async () => ((await marks())['1'] ?? 0) > 0);
    await kill();
    const { 0: left = 0, 1: filled = 0, ...others } = await marks();
    expect([left > 0, filled > 0, left + filled, others]).toEqual([true, true, ROWS, {}]);
    await start();
    await until(async () => (await marks())['0'] === undefined);
    expect(await marks()).toEqual({ 1: ROWS });
  },
  PROCESSES_TIMEOUT_MS,
);
