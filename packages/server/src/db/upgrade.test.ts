import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test } from 'vitest';
import { type Json, startTestApp } from '../../test/app.ts';
import { catalogueOf } from '../../test/catalogue.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../test/harness.ts';
import { renamedTables } from '../../test/renamed-tables.ts';
import { StartError } from '../base/start-error.ts';
import { createToken } from '../sites/tokens/api-tokens.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { listMigrations } from './migration-files.ts';

/** The demo site of commit d1d2907, with all of its tables, as `pg_dump --inserts` wrote them. */
const RELEASED = new URL('../../test/fixtures/released-0061.sql.gz', import.meta.url);

async function restoreReleased(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const dump = gunzipSync(await readFile(RELEASED)).toString('utf8');
  await client.query(dump).finally(() => client.end());
  return database;
}

/** How many rows each table has. */
async function countRows(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'foyer_migrations'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    counts[name] = rows[0]?.count ?? 0;
  }
  await client.end();
  return counts;
}

test('after an upgrade, a database of the last release before the baseline has the schema of a new one, and its rows', async () => {
  const [released, fresh] = [await restoreReleased(), await testDatabase()];
  const { pool, close } = openDatabase(released.url, { max: 1 });
  onTestFinished(async () => {
    await close();
    await Promise.all([released.close(), fresh.close()]);
  });
  const before = await countRows(released.url);
  expect(before).toMatchObject({ sites: 1, agents: 1, conversations: 18, messages: 73, tickets: 6 });
  const later = (await listMigrations()).slice(1).map(({ file }) => file);
  expect(await migrate(pool)).toEqual(later);
  expect(await migrate(pool)).toEqual([]);
  expect(await catalogueOf(released.url)).toEqual(await catalogueOf(fresh.url));
  const names = await renamedTables();
  const expected = Object.entries(before).map(([name, count]) => [names.get(name) ?? name, count]);
  // Later migrations add and rename tables, and keep the rows of the others.
  expect(await countRows(released.url)).toMatchObject(Object.fromEntries(expected));
});

test('a server on an upgraded database answers with the old data, and continues its numbers', async () => {
  // The day of the dump: its snooze has not ended.
  const now = () => new Date('2026-11-23T12:00:00Z');
  const app = await startTestApp({}, { now }, await restoreReleased());
  onTestFinished(() => app.close());
  const operator = app.app.contextFor({ id: 1, plan: 'growth' }, { kind: 'operator' });
  const { token } = await createToken(operator, { name: 'after', scopes: 'read,write' });
  const list = async (path: string): Promise<Json[]> =>
    (await app.rest(token, 'GET', `/v1/${path}`)).body.data;
  // One of the six is snoozed.
  expect(await list('tickets')).toHaveLength(5);
  expect(await list('articles')).toHaveLength(20);
  const [handoff] = await list('handoffs?limit=1');
  const transcript = await app.rest(token, 'GET', `/v1/transcripts?sessionId=${handoff.session_id}`);
  expect(transcript.body.data.messages).not.toHaveLength(0);
  const ticket = { subject: 'After', body: 'The upgrade.', requester: { email: 'ann@example.com' } };
  const made = await app.rest(token, 'POST', '/v1/tickets', ticket);
  expect(made).toMatchObject({ status: 201, body: { data: { id: 7 } } });
});

test('a bulk change that waits while Foyer is upgraded is done afterwards, by the queue’s new name', async () => {
  const released = await restoreReleased();
  const { pool, close } = openDatabase(released.url, { max: 1 });
  const boss = new PgBoss({ connectionString: released.url, schema: 'foyer_jobs' });
  onTestFinished(async () => {
    await boss.stop({ graceful: false });
    await close();
    await released.close();
  });
  await boss.start();
  const data = { site_id: 1, bulk_change_id: 4 };
  const id = await boss.send('inbox.change_many', data, { singletonKey: '1:4' });
  await migrate(pool);
  expect(await boss.fetch('inbox.bulk_change')).toMatchObject([{ id, data }]);
  const { rows } = await pool.query(`select name from foyer_jobs.queue where name ~ '^inbox'`);
  expect(rows).toEqual([{ name: 'inbox.bulk_change' }]);
});

test('a database that is older than the baseline is refused, and nothing changes', async () => {
  const released = await restoreReleased();
  const { pool, close } = openDatabase(released.url, { max: 1 });
  onTestFinished(async () => {
    await close();
    await released.close();
  });
  await pool.query('delete from foyer_migrations where number > 42');
  const before = await catalogueOf(released.url);
  await expect(migrate(pool)).rejects.toThrow(StartError);
  await expect(migrate(pool)).rejects.toThrow(
    /^The database is at migration 42, but this Foyer upgrades from 61 on\. Start commit \w+ on it first, then this version\.$/,
  );
  const added = (line: string): boolean => !/foyer_migrations [456] (checksum|needs|filled_at)/.test(line);
  expect((await catalogueOf(released.url)).filter(added)).toEqual(before);
});
