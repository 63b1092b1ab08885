import { hash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
} from '../../test/fixtures/foyer.ts';
import { type TestDatabase, testDatabase } from '../../test/harness.ts';
import { renamedTables } from '../../test/renamed-tables.ts';
import { createVault } from '../core/vault.ts';
import { appliedMigrations } from '../db/migrate.ts';
import { listMigrations } from '../db/migration-files.ts';
import { applyMigration } from '../db/run-migration.ts';
import { listOwnTables } from '../db/table-shapes.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const SECRET = 'the secret of the operator, 32 and more';
const ROWS = 20_000;
/** The oldest migration that this version can restore and upgrade. */
const BASELINE = 61;
/** Larger than what is read at once. */
const FILE_BYTES = 256 * 1024;

const databases: TestDatabase[] = [];
let place: Installation;

beforeEach(async () => {
  place = await newInstallation();
});

afterEach(async () => {
  for (const database of databases.splice(0)) await database.close();
  await place.clear();
});

async function newDatabase(secret = SECRET) {
  const database = await testDatabase();
  databases.push(database);
  const settings = { DATABASE_URL: database.url, FOYER_SECRET: secret, FOYER_DATA_DIR: place.file('data') };
  return { url: database.url, settings };
}

async function query<T extends pg.QueryResultRow>(url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<T>(statement, values).finally(() => client.end())).rows;
}

/** Every row of every table that backups contain, as text, in one order. */
async function everything(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found: Record<string, unknown> = {};
  for (const { name, numbered, unlogged } of await listOwnTables(client)) {
    if (unlogged) continue;
    const rows = await client.query(`select t::text as row from "${name}" t order by 1`);
    found[name] = rows.rows.map(({ row }) => row);
    for (const column of numbered) {
      const next = await client.query(`select last_value from ${name}_${column}_seq`);
      found[`${name}.${column}`] = next.rows;
    }
  }
  await client.end();
  return found;
}

/** A site with data that is hard to preserve: encrypted bytes, line ends, quotes, backslashes, circular keys. */
async function fillSite(url: string, settings: Record<string, string>): Promise<void> {
  const { id } = await foyerJson<{ id: number }>(['site', 'create', '--name', 'Käse & "Brot"\\'], settings);
  const person = ['--email', 'ann@shop.example', '--name', 'Ann', '--password', 'a long password'];
  await foyerJson(['user', 'create', '--site', String(id), ...person], settings);
  const article = 'title: Tabs\n---\nA\ttab, a \\ and a line:\n\n\\.\n\n\\N is not null. 🦊\n';
  await foyerJson(['kb', 'import', '--site', String(id), '-'], settings, article);
  const sealed = createVault(settings.FOYER_SECRET ?? '').seal('whsec_of_the_shop');
  await query(
    url,
    `with hook as (
       insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
       values ($1, 'https://receiver.example', '{handoff,"a b"}', $2, 'shop')
     ), visitor as (
       insert into visitors (site_id, id, key, attributes) values ($1, 7, 'v', '{"a": ["\\\\", "\\n", null]}')
     ), chat as (
       insert into conversations (site_id, id, session_id, visitor_id, start_client_id, ticket_id)
       values ($1, 3, 'ses_x', 7, gen_random_uuid(), 5)
     ), ticket as (
       insert into tickets (site_id, id, subject, description, requester_id, conversation_id)
       values ($1, 5, 's', E'two\\nlines\\r\\n', 7, 3)
     ), reply as (
       insert into ticket_replies (site_id, id, ticket_id, type, body, author_type)
       values ($1, 9, 5, 'public', 'See the file.', 'requester')
     ), file as (
       insert into attachments (site_id, reply_id, name, content_type, size, content)
       select $1, 9, 'a\\b.bin', 'image/png', length(bytes), bytes
       from decode(repeat('00ff5c0a', ${FILE_BYTES / 4}), 'hex') as bytes
     ), link as (
       insert into portal_links (site_id, ticket_id, token_hash, expires_at)
       values ($1, 5, '\\x5c0a', now() + interval '1 day')
     )
     insert into visitor_events (site_id, visitor_id, name, occurred_at)
     select $1, 7, 'view ' || n, now() from generate_series(1, ${ROWS}) n`,
    [id, sealed],
  );
}

test('a round trip restores every row, every number and everything encrypted', async () => {
  const from = await newDatabase();
  await fillSite(from.url, from.settings);
  const file = place.file('backup.gz');
  const made = await foyerJson<{ rows: Record<string, number> }>(['backup', file], from.settings);
  expect(made).toMatchObject({ holds_secret: false, rows: { sites: 1, visitor_events: ROWS } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const to = await newDatabase();
  expect(await foyerJson(['restore', file], to.settings)).toMatchObject({ rows: made.rows });
  expect(await everything(to.url)).toEqual(await everything(from.url));
  const [hook] = await query<{ secret_cipher: Buffer }>(to.url, 'select * from webhook_subscriptions');
  expect(createVault(SECRET).open(hook?.secret_cipher ?? Buffer.alloc(0))).toBe('whsec_of_the_shop');
  const [attached] = await query<{ md5: string }>(to.url, 'select md5(content), size from attachments');
  const pattern = Buffer.from('00ff5c0a', 'hex');
  expect(attached).toEqual({ md5: hash('md5', Buffer.alloc(FILE_BYTES, pattern)), size: FILE_BYTES });
  const keys = `select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key from pg_constraint where connamespace = 'public'::regnamespace order by 1`;
  expect(await query(to.url, keys)).toEqual(await query(from.url, keys));
});

test('in a data folder the secret comes along, people sign in as before, and ids continue', async () => {
  await place.json(['site', 'create', '--name', 'Shop']);
  const person = ['--email', 'ann@shop.example', '--name', 'Ann', '--password', 'a long password'];
  await place.json(['user', 'create', '--site', '1', ...person]);
  const file = place.file('backup.gz');
  expect(await place.json(['backup', file])).toMatchObject({ holds_secret: true });
  const secret = await readFile(place.file('data/secret'), 'utf8');

  const other = await newInstallation();
  try {
    // It was started before, so that it has a secret and an empty database of its own.
    expect(await other.json(['site', 'list'])).toEqual({ sites: [] });
    await other.json(['restore', file]);
    expect(await readFile(other.file('data/secret'), 'utf8')).toBe(secret);
    const server = await other.serve();
    const signIn = await fetch(`${server.url}/app/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url.replace('127.0.0.1', 'localhost') },
      body: JSON.stringify({ email: 'ann@shop.example', password: 'a long password' }),
    });
    expect(signIn.status).toBe(200);
    expect(await other.json(['site', 'create', '--name', 'Second'])).toMatchObject({ id: 2 });
    expect(await other.json(['doctor'])).toMatchObject({ checks: expect.any(Array) });
  } finally {
    await other.clear();
  }
});

test('a database with a site is not overwritten', async () => {
  const from = await newDatabase();
  await foyerJson(['site', 'create', '--name', 'Old'], from.settings);
  await foyerJson(['backup', place.file('b.gz')], from.settings);
  const before = await everything(from.url);
  const { code, stdout, stderr } = await foyer(['restore', place.file('b.gz'), '--json'], from.settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^This database already has sites\. .*\n$/);
  expect(await everything(from.url)).toEqual(before);
});

test('a backup that was made with another FOYER_SECRET is refused', async () => {
  const from = await newDatabase();
  await foyerJson(['backup', place.file('b.gz')], from.settings);
  const to = await newDatabase('quite another secret of 32 characters');
  const other = await foyer(['restore', place.file('b.gz')], to.settings);
  expect(other.stderr).toMatch(/^FOYER_SECRET doesn't match this backup\. .*\n$/);
  const { FOYER_SECRET: _, ...none } = to.settings;
  expect((await foyer(['restore', place.file('b.gz')], none)).stderr).toMatch(
    /^This backup needs the FOYER_SECRET it was created with\. /,
  );
});

test('a file that is cut short, changed, newer or no backup changes nothing', async () => {
  const from = await newDatabase();
  await fillSite(from.url, from.settings);
  const file = place.file('b.gz');
  await foyerJson(['backup', file], from.settings);
  const whole = await readFile(file);
  const text = gunzipSync(whole).toString('utf8');
  const broken: [string, Buffer][] = [
    ['cut', whole.subarray(0, whole.length / 2)],
    ['changed', Buffer.concat([whole.subarray(0, 5_000), Buffer.from('x'), whole.subarray(5_001)])],
    ['row gone', gzipSync(text.replace(/\n1\t\d+\t7\tview 77\t[^\n]*/, ''))],
    [
      'key gone',
      gzipSync(
        text.replace(/("visitors","columns":.*?"rows":)1(,.*)/, '$10$2').replace(/\n1\t7\tv\t[^\n]*/, ''),
      ),
    ],
    ['more in it', gzipSync(`${text}more`)],
    ['newer', gzipSync(text.replace('"migration":', '"migration":9'))],
    ['older than the baseline', gzipSync(text.replace(/"migration":\d+/, `"migration":${BASELINE - 1}`))],
    ['words', Buffer.from('no backup')],
    ['zipped words', gzipSync('no backup\n')],
  ];
  const to = await newDatabase();
  const before = await everything(to.url);
  for (const [what, bytes] of broken) {
    await writeFile(place.file('broken.gz'), bytes);
    const { code, stdout, stderr } = await foyer(['restore', place.file('broken.gz'), '--json'], to.settings);
    expect({ what, code, stdout }).toEqual({ what, code: 1, stdout: '' });
    expect({ what, stderr }).toEqual({ what, stderr: expect.stringMatching(/^.+\n$/) });
    expect(await everything(to.url)).toEqual(before);
  }
});

/** The tables, with their columns, that a database of that migration has. */
async function tablesOfMigration(number: number): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: (await newDatabase()).url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await appliedMigrations(client);
  for (const migration of (await listMigrations()).filter((one) => one.number <= number))
    await applyMigration(client, migration);
  const tables = await listOwnTables(client);
  await client.end();
  return new Map(tables.map(({ name, columns }) => [name, columns]));
}

test('an older backup is migrated to this version', async () => {
  const from = await newDatabase();
  await foyerJson(['site', 'create', '--name', 'Old'], from.settings);
  await foyerJson(['backup', place.file('b.gz')], from.settings);
  const [head = '', ...rest] = gunzipSync(await readFile(place.file('b.gz')))
    .toString('utf8')
    .split('\n');
  // As the baseline created it: with the former names, and without later tables and columns.
  const manifest = JSON.parse(head);
  const old = await tablesOfMigration(BASELINE);
  const sections = rest.join('\n').split(/(?<=^\\\.\n)/m);
  const namesBefore = new Map([...(await renamedTables())].map(([name, now]) => [now, name]));
  const parts: { name: string; columns: string[]; section: string }[] = manifest.tables.flatMap(
    (table: { name: string }, at: number) => {
      const name = namesBefore.get(table.name) ?? table.name;
      const columns = old.get(name);
      return columns ? [{ ...table, name, columns, section: sections[at] ?? '' }] : [];
    },
  );
  const tables = parts.map(({ section, ...table }) => table);
  const kept = { ...manifest, migration: BASELINE, tables };
  // New columns follow the existing ones.
  const cut = (section: string, columns: string[]): string =>
    section.replace(/^(?!\\\.).*$/gm, (row) => row.split('\t').slice(0, columns.length).join('\t'));
  const body = parts.map(({ section, columns }) => cut(section, columns)).join('');
  await writeFile(place.file('old.gz'), gzipSync(`${JSON.stringify(kept)}\n${body}`));
  const to = await newDatabase();
  await foyerJson(['restore', place.file('old.gz')], to.settings);
  expect(await foyerJson(['site', 'list'], to.settings)).toMatchObject({ sites: [{ name: 'Old' }] });
  expect(await query(to.url, 'select max(number) as number from foyer_migrations')).toEqual([
    { number: (await listMigrations()).at(-1)?.number },
  ]);
});

test('a backup that cannot be written leaves nothing behind', async () => {
  const from = await newDatabase();
  const { code, stdout, stderr } = await foyer(
    ['backup', place.file('no/such/b.gz'), '--json'],
    from.settings,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^.*b\.gz can't be written \(ENOENT.*\n$/);
});

test('our tables are all that the migrations make, and another program keeps its own', async () => {
  const { url, settings } = await newDatabase();
  const made = await query<{ name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'foyer_migrations' order by 1`,
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const own = await listOwnTables(client).finally(() => client.end());
  expect(own.map(({ name }) => name)).toEqual(made.map(({ name }) => name));

  await foyerJson(['backup', place.file('b.gz')], settings);
  await query(url, 'create table theirs as select 1 as one');
  await foyerJson(['restore', place.file('b.gz')], settings);
  expect(await query(url, 'select * from theirs')).toEqual([{ one: 1 }]);
});
