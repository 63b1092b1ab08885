import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PASSWORD } from '../../test/accounts.ts';
import { PROCESSES_TIMEOUT_MS } from '../../test/fixtures/foyer.ts';
import { type Installation, makeInstallation } from '../../test/foyer-process.ts';
import { TEST_SECRET, type TestDatabase, testDatabase, until } from '../../test/harness.ts';
import { holdUp } from '../../test/waiting.ts';
import { type Database, openDatabase } from '../db/database.ts';

// A process is stopped by SIGTERM in the middle of a long job, and another on the same database finishes the job.

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const EMAIL = 'ada@example.com';
const VISITORS = 1_200;

let database: TestDatabase;
let db: Database['db'];
let close: () => Promise<void>;
/** The process that works, and the one that takes over. */
let running: Installation;
let spare: Installation;
let siteId: number;
let cookie: string;

beforeAll(async () => {
  database = await testDatabase();
  ({ db, close } = openDatabase(database.url, { max: 2 }));
  const shared = { DATABASE_URL: database.url, FOYER_SECRET: TEST_SECRET };
  [running, spare] = await Promise.all([makeInstallation(shared), makeInstallation(shared)]);
  await running.start();
  const site = await running.foyer<{ id: number }>('site', 'create', '--name', 'Shop');
  siteId = site.id;
  const person = ['--site', String(siteId), '--email', EMAIL, '--name', 'Ada', '--role', 'admin'];
  await running.foyer('user', 'create', ...person, '--password', PASSWORD);
  const signedIn = await fetch(`${running.url}/app/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: running.url },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  await sql`
    insert into visitors (site_id, key, email)
    select ${siteId}, 'v' || n, 'v' || n || '@example.com' from generate_series(1, ${VISITORS}) n`.execute(
    db,
  );
});
afterAll(async () => {
  await Promise.all([running.remove(), spare.remove()]);
  await close();
  await database.close();
});

async function desk(operation: string, input: object = {}) {
  const response = await fetch(`${running.url}/app/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: running.url },
    body: JSON.stringify(input),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what an operation answers is its own
  const { data }: any = await response.json();
  return data;
}

/** Stops the process while its job waits for the lock of `hold`, and starts the other one. */
async function stopDuring(hold: string, begin: () => Promise<unknown>): Promise<void> {
  const holder = await holdUp(database.url);
  await holder.query(hold);
  await begin();
  await holder.awaited();
  const ended = running.end('SIGTERM');
  // Returned to the queue: whatever this process still does with it, another may do as well.
  await until(
    async () => (await sql`select from foyer_jobs.job where state = 'active'`.execute(db)).rows.length === 0,
  );
  await holder.commit();
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(running.output().split('\n').filter(isComplaint)).toEqual([]);
  [running, spare] = [spare, running];
  await running.start();
}

/** A warning or worse, or a line that isn't in the log's format. */
const isComplaint = (line: string): boolean => line.startsWith('{') && JSON.parse(line).level >= 40;

test('an archive that is being written when its process is stopped is finished by another, with every record once', async () => {
  // Locked by nobody else, and archived after the visitors.
  await stopDuring('lock table visitor_notes in access exclusive mode', () => desk('site_archives.create'));
  await until(async () => (await desk('site_archives.get')).archive?.state === 'ready');
  const { archive } = await desk('site_archives.get');
  const { rows: parts } = await sql<{ number: number; content: Buffer }>`
    select number, content from site_archive_parts where site_id = ${siteId} order by number`.execute(db);
  expect(parts.map(({ number }) => number)).toEqual(parts.map((_, at) => at + 1));
  const file = Buffer.concat(parts.map(({ content }) => content));
  expect(file.length).toBe(archive.bytes);
  const text = gunzipSync(file).toString('utf8');
  const keys = [...text.matchAll(/"key": "(v\d+)"/g)].map(([, key]) => key);
  expect([keys.length, new Set(keys).size]).toEqual([VISITORS, VISITORS]);
  expect(text.match(/\bend\.json\b/g)).toHaveLength(1);
});

test('an import that is running when its process is stopped is finished by another, with every row once', async () => {
  // The row that it waits for is in the middle of the second batch.
  const rows = 180;
  const file = `key,email\n${Array.from({ length: rows }, (_, at) => `v${at + 1},new${at + 1}@example.com\n`).join('')}`;
  const { id } = await desk('imports.create', {
    kind: 'visitors',
    file_name: 'people.csv',
    bytes: file.length,
  });
  await fetch(`${running.url}/app/imports/${id}/parts/1`, {
    method: 'PUT',
    headers: { cookie, origin: running.url },
    body: file,
  });
  await until(async () => (await desk('imports.get', { id })).state === 'ready');
  const { csv } = await desk('imports.get', { id });
  await stopDuring(`update visitors set name = name where site_id = ${siteId} and key = 'v77'`, () =>
    desk('imports.start', { id, columns: csv.guess }),
  );
  await until(async () => (await desk('imports.get', { id })).state === 'done');
  const done = await desk('imports.get', { id });
  expect(done).toMatchObject({ done: rows, taken: 0, updated: rows, unchanged: 0, not_taken: 0 });
  const { rows: people } = await sql<{ all: number; renewed: number }>`
    select count(*)::int as all, count(*) filter (where email like 'new%')::int as renewed from visitors
    where site_id = ${siteId}`.execute(db);
  expect(people).toEqual([{ all: VISITORS, renewed: rows }]);
});
