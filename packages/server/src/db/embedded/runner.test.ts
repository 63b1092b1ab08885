import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  endPostgres,
  killHard,
  makeGround,
  type Owner,
  query,
  spawnOwner,
  until,
} from '../../../test/fixtures/embedded.ts';
import { findBinaries } from './binaries.ts';
import { findPostmaster } from './postmaster.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A data folder of its own below `parent`, with `mode` on the way to it. */
async function makeData(parent: string, mode: number): Promise<string> {
  const ground = await makeGround(parent);
  await chmod(ground.dir, mode);
  const dataDir = join(ground.dir, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  endings.push(async () => {
    await endPostgres(dataDir);
    await ground.clear();
  });
  return dataDir;
}

function keep(owner: Owner): Owner {
  endings.push(() => killHard(owner.process));
  return owner;
}

async function uidOfPostgres(dataDir: string): Promise<number> {
  const found = await findPostmaster(join(dataDir, 'postgres'));
  return Number(execFileSync('ps', ['-o', 'uid=', '-p', String(found?.pid)], { encoding: 'utf8' }));
}

/** A new user namespace that contains all users of this machine, and in which no other can be created. */
async function spawnWithoutNamespaces(dataDir: string): Promise<Owner> {
  const forbid = 'read _; echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
  const owner = keep(spawnOwner(dataDir, ['unshare', '--user', '--keep-caps', 'sh', '-c', forbid, 'sh']));
  const { pid, stdin } = owner.process;
  // Not before the shell runs: on a busy machine the maps were applied between the new namespace and its program, which
  // then had no privileges in it.
  await until(async () => (readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n' ? true : undefined));
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536\n');
  stdin?.write('\n');
  return owner;
}

test('it starts below a home folder that nobody else can enter', async () => {
  // For root, in /root, where PostgreSQL may not run as root and nobody else has access.
  const dataDir = await makeData(isRoot ? '/root' : tmpdir(), 0o700);
  const { url = '' } = await keep(spawnOwner(dataDir)).said;
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(process.getuid?.());
});

test('PostgreSQL has no privileges and a session of its own', async () => {
  const dataDir = await makeData(tmpdir(), 0o700);
  const { url } = await keep(spawnOwner(dataDir)).said;
  expect(url).toBeDefined();
  const pid = (await findPostmaster(join(dataDir, 'postgres')))?.pid;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  expect(/^CapEff:\s+(\w+)$/m.exec(status)?.[1]).toBe('0000000000000000');
  // A Ctrl-C in the terminal goes to the group of the server.
  expect(Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }))).toBe(pid);
});

test('an ordinary user runs it as itself', async () => {
  const dataDir = await makeData(tmpdir(), 0o755);
  const reaches = spawnSync(
    process.execPath,
    ['-e', `require('fs').accessSync(process.argv[1])`, import.meta.filename],
    {
      ...(isRoot ? NOBODY : {}),
      cwd: '/',
    },
  );
  if (!isRoot) {
    const { url = '' } = await keep(spawnOwner(dataDir)).said;
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await uidOfPostgres(dataDir)).toBe(process.getuid?.());
  } else if (reaches.status === 0) {
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    const { url = '' } = await keep(spawnOwner(dataDir, [], NOBODY)).said;
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await uidOfPostgres(dataDir)).toBe(NOBODY.uid);
  } else {
    // A clone that no ordinary user can enter: root without privileges stands in for one.
    const owner = keep(spawnOwner(dataDir, ['unshare', '--user', '--map-user=1', '--map-group=1']));
    const { url = '' } = await owner.said;
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }
});

test('root continues with the database of an ordinary user, as that user', async () => {
  const dataDir = await makeData(tmpdir(), 0o755);
  const { postgres } = await findBinaries();
  const reaches = isRoot && spawnSync(postgres, ['-V'], { ...NOBODY, cwd: '/' }).status === 0;
  if (reaches) await chown(dataDir, NOBODY.uid, NOBODY.gid);
  const { url = '' } = await keep(spawnOwner(dataDir)).said;
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await uidOfPostgres(dataDir)).toBe(reaches ? NOBODY.uid : process.getuid?.());
});

test("a database in another user's hands is refused", async () => {
  const dataDir = await makeData(tmpdir(), 0o755);
  // Closed to its own creator, if that isn't root; otherwise root's, started by another user.
  await mkdir(join(dataDir, 'postgres'), { mode: isRoot ? 0o700 : 0o000 });
  const { postgres } = await findBinaries();
  const reaches = isRoot && spawnSync(postgres, ['-V'], { ...NOBODY, cwd: '/' }).status === 0;
  if (reaches) await chown(dataDir, NOBODY.uid, NOBODY.gid);
  const unprivileged = reaches || !isRoot ? [] : ['unshare', '--user', '--map-user=1', '--map-group=1'];
  if (unprivileged.length > 0) await chmod(join(dataDir, 'postgres'), 0o000);
  const { refused } = await keep(spawnOwner(dataDir, unprivileged, reaches ? NOBODY : {})).said;
  expect(refused).toMatch(
    /^StartError: The database in .* belongs to another user\. Run Foyer as that user\.$/,
  );
  await chmod(join(dataDir, 'postgres'), 0o700);
});

test('where user namespaces are forbidden, root uses an ordinary user or says what to set', async () => {
  const dataDir = await makeData(tmpdir(), 0o755);
  const { postgres } = await findBinaries();
  if (!isRoot) {
    const { url = '' } = await keep(spawnOwner(dataDir)).said;
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    return;
  }
  const said = await (await spawnWithoutNamespaces(dataDir)).said;
  if (spawnSync(postgres, ['-V'], { ...NOBODY, cwd: '/' }).status === 0) {
    expect(await query(said.url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await uidOfPostgres(dataDir)).toBeGreaterThan(0);
    expect((await stat(dataDir)).mode & 0o007).toBe(0);
  } else {
    expect(said.refused).toMatch(/^StartError: PostgreSQL doesn't run as root, .* set DATABASE_URL\.$/);
  }
});

test('a database that root created in a namespace still works when namespaces are forbidden', async () => {
  const dataDir = await makeData(tmpdir(), 0o755);
  const first = keep(spawnOwner(dataDir));
  await query((await first.said).url ?? '', 'CREATE TABLE kept AS SELECT 7 AS id');
  await killHard(first.process);
  await endPostgres(dataDir);
  const { postgres } = await findBinaries();
  const reaches = isRoot && spawnSync(postgres, ['-V'], { ...NOBODY, cwd: '/' }).status === 0;
  const next = reaches ? await spawnWithoutNamespaces(dataDir) : keep(spawnOwner(dataDir));
  const { url, refused } = await next.said;
  expect(refused).toBeUndefined();
  expect(await query(url ?? '', 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
});

test('if nobody can enter the data folder, the start says what to set', async () => {
  const dataDir = await makeData(isRoot ? '/root' : tmpdir(), 0o700);
  const { said } = isRoot ? await spawnWithoutNamespaces(dataDir) : keep(spawnOwner(dataDir));
  const { url, refused } = await said;
  if (isRoot) {
    expect(refused).toMatch(/cannot (enter|run) .*Run Foyer as an ordinary user .*set DATABASE_URL\.$/);
    expect(refused).not.toContain('\n');
  } else expect(url).toBeDefined();
});
