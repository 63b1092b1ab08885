import { spawn } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  endPostgres,
  killHard,
  makeGround,
  type Owner,
  query,
  spawnOwner,
  until,
} from '../../../test/fixtures/embedded.ts';
import { scratchParent } from '../../../test/scratch.ts';
import { StartError } from '../../base/start-error.ts';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './embedded.ts';
import { findPostmaster } from './postmaster.ts';

let ground: Awaited<ReturnType<typeof makeGround>>;
let dataDir: string;
let cluster: string;
let lines: string[] = [];
const started: EmbeddedPostgres[] = [];
const owners: Owner[] = [];

/** A data folder after a first start and a stop. */
let kit: Awaited<ReturnType<typeof makeGround>>;

beforeAll(async () => {
  kit = await makeGround(scratchParent);
  const { stop } = await startEmbeddedPostgres({ dataDir: kit.dir, log: () => undefined });
  await stop();
});

afterAll(() => kit.clear());

beforeEach(async () => {
  ground = await makeGround(scratchParent);
  use(join(ground.dir, 'data'));
  await mkdir(dataDir, { mode: 0o700 });
  lines = [];
});

afterEach(async () => {
  for (const postgres of started.splice(0)) await postgres.stop();
  for (const owner of owners.splice(0)) await killHard(owner.process);
  await endPostgres(dataDir);
  await ground.clear();
});

function use(dir: string): void {
  dataDir = dir;
  cluster = join(dir, 'postgres');
}

/** As if it had been started before: creating a database takes longer than starting it. */
const hadDatabase = (): Promise<void> => cp(kit.dir, dataDir, { recursive: true });

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  started.push(postgres);
  return postgres;
}

function startOwner(): Owner {
  const owner = spawnOwner(dataDir);
  owners.push(owner);
  return owner;
}

async function ownerUrl(owner: Owner): Promise<string> {
  const { url, refused } = await owner.said;
  if (!url) throw new Error(refused);
  return url;
}

async function pid(): Promise<number> {
  const found = await findPostmaster(cluster);
  if (!found) throw new Error('no PostgreSQL runs');
  return found.pid;
}

/** A table with rows whose commits were acknowledged. */
async function fill(url: string): Promise<void> {
  await query(url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS id');
}

async function kept(url: string): Promise<unknown> {
  const [row] = await query(url, 'SELECT count(*)::int AS count, max(id) AS last FROM kept');
  return row;
}

const ALL_KEPT = { count: 1000, last: 1000 };

test('a first start creates a database that is durable, small and uses UTF-8 and UTC', async () => {
  const { url } = await start();
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'jit', 'TimeZone', 'listen_addresses'];
  const rows = await query(
    url,
    `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("','")}')`,
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    jit: 'off',
    TimeZone: 'UTC',
    listen_addresses: '',
  });
  const [database] = await query(
    url,
    `SELECT datname, pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale
     FROM pg_database WHERE datname = current_database()`,
  );
  expect(database).toEqual({ datname: 'foyer', encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' });
});

test('nobody else can reach it: a private socket, and a password', async () => {
  await hadDatabase();
  const { url } = await start();
  const socketDir = new URL(url).searchParams.get('host') ?? '';
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700);
  expect((await stat(cluster)).mode & 0o777).toBe(0o700);
  expect((await stat(join(cluster, 'foyer.password'))).mode & 0o777).toBe(0o600);
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
});

test('a stop and a start keep the rows, and the address', async () => {
  await hadDatabase();
  const first = await start();
  await fill(first.url);
  await first.stop();
  await expect(query(first.url, 'SELECT 1')).rejects.toThrow();
  expect(await findPostmaster(cluster)).toBeUndefined();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await kept(second.url)).toEqual(ALL_KEPT);
});

test('stop may be called twice and leaves a database that was shut down cleanly', async () => {
  await hadDatabase();
  const { stop } = await start();
  await Promise.all([stop(), stop()]);
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
});

test('after kill -9 of the server its PostgreSQL is adopted, with the rows', async () => {
  await hadDatabase();
  const owner = startOwner();
  await fill(await ownerUrl(owner));
  const before = await pid();
  await killHard(owner.process);
  const { url, stop } = await start();
  expect(await pid()).toBe(before);
  expect(lines.join()).toContain(`still running (process ${before})`);
  expect(await kept(url)).toEqual(ALL_KEPT);
  await stop();
  expect(await findPostmaster(cluster)).toBeUndefined();
});

test('an adopted PostgreSQL that dies is restarted', async () => {
  await hadDatabase();
  const owner = startOwner();
  await fill(await ownerUrl(owner));
  await killHard(owner.process);
  const { url } = await start();
  process.kill(await pid(), 'SIGKILL');
  await until(async () => (lines.some((line) => line.includes('running again')) ? true : undefined));
  expect(await kept(url)).toEqual(ALL_KEPT);
});

test('an orphan that does not answer is replaced', async () => {
  await hadDatabase();
  const owner = startOwner();
  const url = await ownerUrl(owner);
  await fill(url);
  const before = await pid();
  await killHard(owner.process);
  await rm(join(dataDir, 'run'), { recursive: true });
  const next = await start();
  expect(await pid()).not.toBe(before);
  expect(await kept(next.url)).toEqual(ALL_KEPT);
});

test('after kill -9 of PostgreSQL it is restarted automatically at the same address', async () => {
  await hadDatabase();
  const { url } = await start();
  await fill(url);
  const before = await pid();
  process.kill(before, 'SIGKILL');
  const after = await until(async () => {
    const found = await findPostmaster(cluster);
    return found?.ready && found.pid !== before ? found.pid : undefined;
  });
  expect(after).not.toBe(before);
  expect(await until(() => kept(url).catch(() => undefined))).toEqual(ALL_KEPT);
});

test('after kill -9 of both the next start recovers, even if another process has the number now', async () => {
  await hadDatabase();
  const owner = startOwner();
  await fill(await ownerUrl(owner));
  const before = await pid();
  await killHard(owner.process);
  process.kill(before, 'SIGKILL');
  // Not this process: PostgreSQL itself disregards the numbers of its parents.
  const other = spawn('sleep', ['60']);
  onTestFinished(() => killHard(other));
  const lockFile = join(cluster, 'postmaster.pid');
  const text = await readFile(lockFile, 'utf8');
  await writeFile(lockFile, text.replace(/^\d+/, String(other.pid)));
  const { url } = await start();
  expect(await kept(url)).toEqual(ALL_KEPT);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});

test('a lock file that was cut short by a crash does not keep it from starting', async () => {
  await hadDatabase();
  await writeFile(join(cluster, 'postmaster.pid'), '');
  await start();
});

test('stop also ends a PostgreSQL that dies at the same moment', async () => {
  await hadDatabase();
  const { stop } = await start();
  process.kill(await pid(), 'SIGKILL');
  await stop();
  expect(await findPostmaster(cluster)).toBeUndefined();
});

test('two starts at once on one folder use one PostgreSQL', async () => {
  await hadDatabase();
  const [a, b] = await Promise.all([start(), start()]);
  const [first] = await query(a.url, 'SELECT pg_postmaster_start_time() AS at');
  expect(await query(b.url, 'SELECT pg_postmaster_start_time() AS at')).toEqual([first]);
});

test('a second server is refused while the first one runs', async () => {
  await hadDatabase();
  await ownerUrl(startOwner());
  expect((await startOwner().said).refused).toMatch(
    /^StartError: Another Foyer \(process \d+\) is already running/,
  );
});

test('kill -9 during the creation of the database leaves nothing that hinders the next start', async () => {
  const owner = startOwner();
  await until(async () => (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-')));
  await killHard(owner.process);
  const { url } = await start();
  await fill(url);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.'))).toEqual(['postgres.log']);
});

test('an unfinished database is set aside, not deleted', async () => {
  await mkdir(join(cluster, 'base', '1'), { recursive: true });
  await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  await start();
  expect(lines.join()).toMatch(/incomplete database, moved to postgres\.unusable-\d+/);
  const aside = (await readdir(dataDir)).find((name) => name.startsWith('postgres.unusable-'));
  expect(await readFile(join(dataDir, aside ?? '', 'PG_VERSION'), 'utf8')).toBe('18\n');
});

test('a damaged database with data in it is left alone', async () => {
  await hadDatabase();
  const { url, stop } = await start();
  await fill(url);
  await stop();
  const control = join(cluster, 'global', 'pg_control');
  await rename(control, `${control}.away`);
  await expect(start()).rejects.toThrow(StartError);
  await expect(start()).rejects.toThrow(/is damaged.*Restore a backup/);
  await rename(`${control}.away`, control);
  expect(await kept((await start()).url)).toEqual(ALL_KEPT);
});

test('the database of another major version is refused', async () => {
  await hadDatabase();
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow(/created by PostgreSQL 17, but this Foyer includes PostgreSQL 18/);
});

test('a PostgreSQL that does not start says why in one line', async () => {
  await hadDatabase();
  await appendFile(join(cluster, 'postgresql.auto.conf'), "shared_buffers = 'much'\n");
  const error: unknown = await start().catch((thrown: unknown) => thrown);
  if (!(error instanceof StartError)) throw new Error(`started: ${error}`);
  expect(error.message).toMatch(/^PostgreSQL didn't start .*postgres\.log\)\.$/);
});

test('a file in the place of the database is refused in one line', async () => {
  await writeFile(cluster, '');
  const error: unknown = await start().catch((thrown: unknown) => thrown);
  if (!(error instanceof StartError)) throw new Error(`not refused: ${error}`);
  expect(error.message).toMatch(/^PostgreSQL couldn't be started in .*\)\.$/);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
});

test('a long path with unusual characters has its socket elsewhere and works', async () => {
  use(join(ground.dir, `it's a "data", ${'déep/'.repeat(30)}`, 'end'));
  await mkdir(dataDir, { recursive: true });
  const { url, stop } = await start();
  await fill(url);
  const socketDir = new URL(url).searchParams.get('host') ?? '';
  expect(socketDir.startsWith(join(tmpdir(), 'foyer-'))).toBe(true);
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700);
  await stop();
  await expect(stat(socketDir)).rejects.toThrow(/ENOENT/);
  expect(await kept((await start()).url)).toEqual(ALL_KEPT);
});

test('a short path with unusual characters keeps its socket', async () => {
  use(join(ground.dir, 'a, "b" & c'));
  await mkdir(dataDir);
  const { url } = await start();
  expect(new URL(url).searchParams.get('host')).toBe(join(dataDir, 'run'));
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('the command line finds the database of a running server, and none without one', async () => {
  await hadDatabase();
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
  const { url, stop } = await start();
  expect(await findRunningPostgres(dataDir)).toEqual({ url });
  await stop();
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
});

test('a large log is renamed at the start', async () => {
  await hadDatabase();
  await truncate(join(dataDir, 'postgres.log'), 6_000_000);
  await start();
  expect((await stat(join(dataDir, 'postgres.log.1'))).size).toBe(6_000_000);
  expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(100_000);
});

test('the text of a failed statement is not in the log', async () => {
  await hadDatabase();
  const { url } = await start();
  await expect(query(url, `SELECT 'secret'::int`)).rejects.toThrow();
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('secret');
});
