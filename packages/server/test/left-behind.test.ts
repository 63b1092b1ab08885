import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { until } from './harness.ts';

/** A miniature test run: a folder, and a process in it that would run for long. */
const RUN = `
  import { spawn } from 'node:child_process';
  import { mkdtempSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { removeWithThisProcess } from ${JSON.stringify(new URL('./left-behind.ts', import.meta.url).href)};
  const folder = mkdtempSync(tmpdir() + '/foyer-left-');
  removeWithThisProcess(folder);
  const { pid } = spawn('sleep', ['600'], { env: { ...process.env, FOYER_DATA_DIR: folder }, detached: true });
  console.log(JSON.stringify({ folder, pid }));
  process.stdin.resume();`;

const isThere = (pid: number): boolean => {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })[0] !== 'Z';
  } catch {
    return false;
  }
};

it('a killed test run leaves neither its folder nor its processes behind', async () => {
  const run = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = await once(run.stdout, 'data');
  const { folder, pid } = JSON.parse(String(said));
  expect([existsSync(folder), isThere(pid)]).toEqual([true, true]);
  run.kill('SIGKILL');
  await until(async () => !existsSync(folder) && !isThere(pid));
});
