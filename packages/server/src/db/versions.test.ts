import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PROCESSES_TIMEOUT_MS, until } from '../../test/fixtures/foyer.ts';
import { type TestDatabase, testDatabase } from '../../test/harness.ts';
import { laterVersion } from '../../test/program-copy.ts';
import { holdUp } from '../../test/waiting.ts';
import { StartError } from '../base/start-error.ts';
import { migrateAt } from './migrate.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

const EXPANDING = {
  '0901_marks.sql': 'alter table sites add column mark text;\n',
  '0902_marks_index.sql':
    '-- outside a transaction\n-- For lists by mark.\ncreate index concurrently if not exists sites_mark on sites (mark);\n',
};
const CONTRACTING = {
  ...EXPANDING,
  '0903_less.sql': '-- contract: works with 0902 and later\nalter table sites drop column greeting;\n',
};

let expanding: string;
let contracting: string;
beforeAll(async () => {
  [expanding, contracting] = await Promise.all([laterVersion(EXPANDING), laterVersion(CONTRACTING)]);
});

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.close();
});

/** Runs `foyer migrate` of a version. */
const migrateBy = (program: string): Promise<{ code: number; stderr: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, FOYER_DATA_DIR: tmpdir() };
    const child = execFile(process.execPath, [program, 'migrate'], { env }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });

const indexIsValid = async (): Promise<boolean | undefined> =>
  (await client.query(`select indisvalid from pg_index where indexrelid = to_regclass('sites_mark')`)).rows[0]
    ?.indisvalid;

test('this version starts again on a schema that a later version has only added to', async () => {
  expect(await migrateBy(expanding)).toEqual({ code: 0, stderr: '' });
  expect(await indexIsValid()).toBe(true);
  expect(await migrateAt(database.url)).toEqual([]);
  // The later version finds everything in place.
  expect(await migrateBy(expanding)).toEqual({ code: 0, stderr: '' });
});

test('this version is refused in one line on a schema from which a later version has removed something', async () => {
  expect(await migrateBy(contracting)).toEqual({ code: 0, stderr: '' });
  await expect(migrateAt(database.url)).rejects.toThrow(StartError);
  await expect(migrateAt(database.url)).rejects.toThrow(
    /^The database was created by a newer Foyer \(migration 903; this version knows \d+\)\.$/,
  );
  expect(await migrateBy(expanding)).toEqual({ code: 0, stderr: '' });
});

test('an index that a killed migration left unfinished is built again', async () => {
  await client.query('alter table sites add column mark text');
  await client.query('create index sites_mark on sites (mark)');
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'sites_mark'::regclass`);
  await client.query(`insert into foyer_migrations (number, file, needs) values (901, '0901_marks.sql', 0)`);
  expect(await migrateBy(expanding)).toEqual({ code: 0, stderr: '' });
  expect(await indexIsValid()).toBe(true);
});

test('a migration that waits for a lock lets others pass, and two processes that migrate at once both succeed', async () => {
  const holder = await holdUp(database.url);
  await holder.query('select from sites');
  await holder.query('lock table sites in share mode');
  const [one, other] = [migrateBy(expanding), migrateBy(expanding)];
  await holder.awaited();
  // Behind the waiting `alter table`, this would wait until the holder commits.
  await until('a read beside the migration', async () => {
    await client.query(`set statement_timeout = '5s'`);
    return (await client.query('select from sites')).rowCount === 0;
  });
  await holder.commit();
  expect(await Promise.all([one, other])).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  expect(await indexIsValid()).toBe(true);
});
