import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from './base/start-error.ts';
import { openDataFolder } from './data-folder.ts';

let base: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'foyer-folder-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(base, { recursive: true });
});

/** A process that holds the folder until it is killed. */
async function holder(dir: string): Promise<ChildProcess> {
  const script = `
    import { openDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)};
    await openDataFolder(process.argv[1]);
    console.log('open');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function refusal(dir: string): Promise<StartError> {
  const error = await openDataFolder(dir).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StartError)) throw new Error(`not refused: ${error}`);
  expect(error.message).not.toContain('\n');
  return error;
}

test('a missing folder is created, and closed to others', async () => {
  const folder = await openDataFolder(join(base, 'a', 'data'));
  expect((await stat(folder.dir)).mode & 0o777).toBe(0o700);
  await folder.release();
});

test('a second server on the folder is refused with a line that names the first', async () => {
  const dir = join(base, 'data');
  const first = await holder(dir);
  expect((await refusal(dir)).message).toMatch(
    new RegExp(
      `^Another Foyer \\(process ${first.pid}\\) is already running on the data folder .*FOYER_DATA_DIR`,
    ),
  );
});

test('the folder is refused by another name too, and within one process', async () => {
  const folder = await openDataFolder(join(base, 'data'));
  await symlink(folder.dir, join(base, 'other-name'));
  expect((await refusal(join(base, 'other-name'))).message).toContain(`process ${process.pid}`);
  await folder.release();
});

test('a refused start does not release the folder of another process', async () => {
  const folder = await openDataFolder(join(base, 'data'));
  await refusal(folder.dir);
  await refusal(folder.dir);
  await folder.release();
});

test('release frees the folder, and only once', async () => {
  const first = await openDataFolder(join(base, 'data'));
  await first.release();
  const second = await openDataFolder(first.dir);
  await first.release();
  await refusal(first.dir);
  await second.release();
});

test('kill -9 frees the folder', async () => {
  const dir = join(base, 'data');
  const first = await holder(dir);
  first.kill('SIGKILL');
  await once(first, 'exit');
  await (await openDataFolder(dir)).release();
});

test('a living process with the number of a dead server does not keep the folder', async () => {
  await writeFile(join(base, 'foyer.pid'), `${process.ppid}\n`);
  await (await openDataFolder(base)).release();
});

test('a folder that cannot be created is refused with a line that names FOYER_DATA_DIR', async () => {
  await writeFile(join(base, 'file'), '');
  for (const dir of [join(base, 'file'), join(base, 'file', 'data'), `${base}/a\nb`]) {
    expect((await refusal(dir)).message).toMatch(/^FOYER_DATA_DIR is invalid: /);
  }
});

test('a folder that cannot be written is refused', async () => {
  // Nothing but the kernel's own folders refuses root.
  const closed = process.getuid?.() === 0 ? '/proc' : join(base, 'closed');
  await mkdir(closed, { recursive: true });
  if (closed !== '/proc') await chmod(closed, 0o500);
  expect((await refusal(closed)).message).toMatch(/^FOYER_DATA_DIR is invalid: .* isn't writable/);
});
