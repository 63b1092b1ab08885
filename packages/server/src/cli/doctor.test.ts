import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  foyer,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
} from '../../test/fixtures/foyer.ts';
import { testDatabase } from '../../test/harness.ts';
import { makePair } from '../../test/postgres-pair.ts';
import { readConfig } from '../config.ts';
import { createVault } from '../core/vault.ts';
import { checkBaseBackup } from './doctor/backup-check.ts';
import { checkClock, checkNotifyQueue, checkWalArchive } from './doctor/database-checks.ts';
import { checkBaseUrl, checkBuild, checkNode, checkOpenFiles } from './doctor/machine-checks.ts';
import { checkReplica } from './doctor/replica-check.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

interface Report {
  ok: boolean;
  checks: { name: string; state: string; message: string }[];
}

let place: Installation;

beforeEach(async () => {
  place = await newInstallation();
});

afterEach(() => place.clear());

async function examine(
  settings: Record<string, string>,
): Promise<{ code: number; states: Record<string, string> }> {
  const { code, stdout } = await foyer(['doctor', '--json'], settings);
  const { ok, checks }: Report = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  return { code, states: Object.fromEntries(checks.map(({ name, state }) => [name, state])) };
}

test('a folder that was never started is not touched', async () => {
  const { states } = await examine(place.settings);
  expect(states).toMatchObject({ node: 'ok', data_folder: 'ok', database: 'ok' });
  expect(states).not.toHaveProperty('migrations');
  expect(await place.hasPostgres()).toBe(false);
});

test('a database that does not answer is wrong, and the rest is still checked', async () => {
  const { code, states } = await examine({ ...place.settings, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/a' });
  expect(code).toBe(1);
  expect(states).toMatchObject({ node: 'ok', disk: 'ok', database: 'wrong' });
});

test('a data folder that is a file is wrong', async () => {
  await writeFile(place.file('data'), 'not a folder');
  const { code, stdout } = await foyer(['doctor'], place.settings);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^WRONG +data_folder/m);
});

test('a changed secret and dead deliveries are found', async () => {
  const database = await testDatabase();
  const settings = { ...place.settings, DATABASE_URL: database.url, FOYER_SECRET: 'x'.repeat(32) };
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    expect((await examine(settings)).states).toMatchObject({
      migrations: 'ok',
      connections: 'ok',
      secret: 'ok',
      webhooks: 'ok',
      mailboxes: 'ok',
    });
    const many = { ...settings, FOYER_DATABASE_POOL: '400' };
    expect((await examine(many)).states).toMatchObject({ connections: 'warning' });
    const pooled = { ...settings, DATABASE_DIRECT_URL: database.url };
    expect((await examine(pooled)).states).toMatchObject({ pooler: 'ok' });
    const away = { ...pooled, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/a' };
    expect((await examine(away)).states).toMatchObject({ database: 'ok', pooler: 'wrong' });
    const sealed = createVault('y'.repeat(32)).seal('whsec');
    await client.query(`insert into sites (name, greeting, public_key) values ('A', 'B', 'pk_c')`);
    await client.query(
      `insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint) values (1, 'https://a.example', '{}', $1, 'sec')`,
      [sealed],
    );
    await client.query(`insert into webhook_events (site_id, id, event, body) values (1, 'evt', 'ping', '')`);
    await client.query(
      `insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, dead_at) values (1, 'dlv', 'evt', 1, now())`,
    );
    await client.query(
      `insert into mailboxes (site_id, address, incoming, imap_host, failing_since, problem, created_at, updated_at)
       values (1, 'a@a.example', 'imap', 'imap.a.example', now(), 'Port: closed.', now(), now())`,
    );
    const { code, states } = await examine(settings);
    expect(code).toBe(1);
    expect(states).toMatchObject({ secret: 'wrong', webhooks: 'warning', mailboxes: 'warning' });
    expect(await checkClock(client, () => Date.now() + 60_000)).toMatchObject({ state: 'wrong' });
    expect(await checkClock(client)).toMatchObject({ state: 'ok' });
  } finally {
    await client.end();
    await database.close();
  }
});

test('limits of PostgreSQL are reported before they are reached, and so is a failing archive', async () => {
  const answer = (row: object) => ({ query: async () => ({ rows: [row] }) }) as unknown as pg.Client;
  const states = async (check: (client: pg.Client) => Promise<{ state: string }>, rows: object[]) =>
    Promise.all(rows.map(async (row) => (await check(answer(row))).state));
  expect(await states(checkNotifyQueue, [{ usage: 0.01 }, { usage: 0.2 }])).toEqual(['ok', 'warning']);
  expect(
    await states(checkWalArchive, [
      { mode: 'off', fails: false, last: null },
      { mode: 'on', fails: false, last: 'now' },
      { mode: 'on', fails: true, last: 'now' },
    ]),
  ).toEqual(['ok', 'ok', 'wrong']);
  await writeFile(
    place.file('limits'),
    'Max open files            1024                 4096                 files',
  );
  expect(await checkOpenFiles(place.file('limits'))).toMatchObject({ state: 'warning' });
  expect(await checkOpenFiles(place.file('none'))).toMatchObject({ state: 'ok' });
});

test('unreachable addresses are reported', () => {
  const state = (baseUrl: string, host: string, port: number) => checkBaseUrl({ baseUrl, host, port }).state;
  expect(state('http://localhost:3000', '127.0.0.1', 3000)).toBe('ok');
  expect(state('https://chat.shop.example', '127.0.0.1', 3000)).toBe('ok');
  expect(state('http://localhost:3000', '0.0.0.0', 3000)).toBe('warning');
  expect(state('http://localhost:8080', '127.0.0.1', 3000)).toBe('warning');
  expect(state('http://chat.shop.example', '0.0.0.0', 80)).toBe('warning');
});

test('an old Node and parts that were not built are wrong', async () => {
  expect(checkNode('22.1.0').state).toBe('wrong');
  expect(checkNode('24.0.0').state).toBe('ok');
  const check = await checkBuild(place.dir);
  expect(check).toMatchObject({
    state: 'wrong',
    message: 'not built: sdk, widget, dashboard. Run: npm run build',
  });
});

test('a replica is checked: in step, behind, of another database, promoted, away', async () => {
  const { primary, standby } = await makePair();
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  const look = async (replica = standby.url) => {
    const config = readConfig({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica });
    return (await checkReplica(client, config)).map(({ state }) => state);
  };
  expect(await checkReplica(client, readConfig({}))).toEqual([]);
  expect(await look()).toEqual(['ok']);
  await standby.query('select pg_wal_replay_pause()');
  await client.query('create table t ()');
  expect(await look()).toEqual(['warning']);
  await standby.query('select pg_wal_replay_resume()');
  expect(await look()).toEqual(['ok']);
  expect(await look(standby.url.replace(/postgres$/, 'template1'))).toEqual(['wrong']);
  await standby.query('select pg_promote()');
  expect(await look()).toEqual(['wrong']);
  await standby.stop();
  expect(await look()).toEqual(['warning']);
  await client.end();
});

test('the newest base backup in the archive is judged by its age', async () => {
  const walArchive = place.file('wal');
  const look = async () => (await checkBaseBackup({ walArchive })).map(({ state }) => state);
  expect(await checkBaseBackup({ walArchive: undefined })).toEqual([]);
  expect(await look()).toEqual(['warning']);
  await mkdir(walArchive, { recursive: true });
  await writeFile(join(walArchive, '000000010000000000000003.gz'), '');
  expect(await look()).toEqual(['warning']);
  const history = join(walArchive, '000000010000000000000003.00000028.backup.gz');
  await writeFile(history, '');
  expect(await look()).toEqual(['ok']);
  await utimes(history, 0, 0);
  expect(await look()).toEqual(['warning']);
});
