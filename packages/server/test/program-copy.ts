import { execFile } from 'node:child_process';
import { cp, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratchFolder } from './scratch.ts';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The files of the server that its program consists of. */
const PARTS = ['bin', 'migrations', 'pages', 'src', 'package.json'];
const OTHERS = ['protocol', 'client', 'sdk', 'widget', 'dashboard'];

/** Copies this program and the packages that it uses. @returns the copy of `packages/server` */
async function copyProgram(): Promise<string> {
  const folder = await scratchFolder('foyer-version-');
  const server = join(folder, 'packages', 'server');
  await mkdir(server, { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of OTHERS) await symlink(join(ROOT, 'packages', name), join(folder, 'packages', name));
  for (const part of PARTS)
    await cp(join(ROOT, 'packages', 'server', part), join(server, part), { recursive: true });
  await symlink(join(ROOT, 'packages', 'server', 'node_modules'), join(server, 'node_modules'));
  return server;
}

/**
 * This program as `npm ci` leaves it: bundled, here without its sources, so that nothing else can run.
 * @returns its command, as `bin/foyer.js`
 */
export async function bundledProgram(): Promise<string> {
  const server = await copyProgram();
  await cp(join(ROOT, 'packages', 'server', 'vite.config.ts'), join(server, 'vite.config.ts'));
  await run(process.execPath, [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    cwd: server,
  });
  await rm(join(server, 'src'), { recursive: true });
  await mkdir(join(server, 'src'));
  // The sources' folder counts as one of them.
  await utimes(join(server, 'src'), 0, 0);
  await writeFile(join(server, 'dist', 'built'), '');
  return join(server, 'bin', 'foyer.js');
}

/**
 * A later version: this program with more migrations and fills, by file name.
 * @returns its command, as `bin/foyer.js`
 */
export async function laterVersion(
  migrations: Readonly<Record<string, string>>,
  fills: Readonly<Record<string, string>> = {},
): Promise<string> {
  const server = await copyProgram();
  await mkdir(join(server, 'migrations', 'fills'), { recursive: true });
  for (const [file, text] of Object.entries(migrations))
    await writeFile(join(server, 'migrations', file), text);
  for (const [file, text] of Object.entries(fills))
    await writeFile(join(server, 'migrations', 'fills', file), text);
  return join(server, 'bin', 'foyer.js');
}
