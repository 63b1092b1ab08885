/**
 * Checks the types of every package, as many at a time as the machine has cores. Each check has one checker: with
 * TypeScript's default of four, each computes the types of the protocol again, which takes twice the CPU time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** The longest first. */
const PROJECTS = ['server', 'dashboard', 'widget', 'client', 'sdk', 'dashboard/worker'];
const TSC = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');

async function check(project: string): Promise<void> {
  const args = [TSC, '-p', `packages/${project}`, '--checkers', '1'];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) process.exitCode = 1;
}

const waiting = [...PROJECTS];
async function work(): Promise<void> {
  for (let project = waiting.shift(); project; project = waiting.shift()) await check(project);
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
