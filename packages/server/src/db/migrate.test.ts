import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/harness.ts';
import { StartError } from '../base/start-error.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { checksumOf, listMigrations, readMigration } from './migration-files.ts';

async function open(): Promise<Database> {
  const { url, close } = await testDatabase();
  const database = openDatabase(url, { max: 1 });
  onTestFinished(async () => {
    await database.close();
    await close();
  });
  return database;
}

test('a start is refused when a migration was edited after it had been applied', async () => {
  const { pool } = await open();
  expect(await migrate(pool)).toEqual([]);
  await pool.query("update foyer_migrations set checksum = repeat('0', 64) where number = 62");
  await expect(migrate(pool)).rejects.toThrow(StartError);
  await expect(migrate(pool)).rejects.toThrow(
    /^Migration 0062_guests\.sql was edited after this database applied it\. [^\n]+$/,
  );
});

test('a database from before checksums gets them at its next start, and keeps its rows', async () => {
  const { pool } = await open();
  const last = (await listMigrations()).at(-1);
  await pool.query("insert into sites (name, greeting, public_key) values ('Old', 'Hi', 'pk_old')");
  await pool.query('alter table foyer_migrations drop column checksum');
  expect(await migrate(pool)).toEqual([]);
  const { rows } = await pool.query('select file, checksum from foyer_migrations order by number');
  const expected = (await listMigrations()).map(async (one) => ({
    file: one.file,
    checksum: checksumOf(await readMigration(one)),
  }));
  expect(rows).toEqual(await Promise.all(expected));
  expect((await pool.query("select from sites where name = 'Old'")).rowCount).toBe(1);
  await pool.query('update foyer_migrations set checksum = $1 where number = $2', ['edited', last?.number]);
  await expect(migrate(pool)).rejects.toThrow(last?.file);
});

test('an older Foyer that applied a migration without a checksum leaves one for the next start to fill in', async () => {
  const { pool } = await open();
  await pool.query('update foyer_migrations set checksum = null where number = 63');
  expect(await migrate(pool)).toEqual([]);
  const { rowCount } = await pool.query('select from foyer_migrations where checksum is null');
  expect(rowCount).toBe(0);
});

test('a checkout with Windows line ends has the same migrations', () => {
  expect(checksumOf('create table a ();\r\n-- end\r\n')).toBe(checksumOf('create table a ();\n-- end\n'));
  expect(checksumOf('create table a ();\n')).not.toBe(checksumOf('create table b ();\n'));
});

test('released migrations are unchanged (npm run checksums adds new ones)', async () => {
  const list = readFileSync(new URL('../../migrations/checksums.txt', import.meta.url), 'utf8');
  const files = (await listMigrations()).map(
    async (one) => `${checksumOf(await readMigration(one))}  ${one.file}`,
  );
  expect(list.trim().split(/\r?\n/)).toEqual(await Promise.all(files));
});
