import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from './scratch.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Of the server: what its program consists of. */
const PARTS = ['bin', 'migrations', 'pages', 'src', 'package.json'];
const OTHERS = ['protocol', 'client', 'sdk', 'widget', 'dashboard'];

/**
 * A later version: this program with more migrations and fills, by file name.
 * @returns its command, as `bin/foyer.js`
 */
export async function laterVersion(
  migrations: Readonly<Record<string, string>>,
  fills: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await scratchFolder('foyer-version-');
  const server = join(folder, 'packages', 'server');
  await mkdir(server, { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of OTHERS) await symlink(join(ROOT, 'packages', name), join(folder, 'packages', name));
  for (const part of PARTS)
    await cp(join(ROOT, 'packages', 'server', part), join(server, part), { recursive: true });
  await symlink(join(ROOT, 'packages', 'server', 'node_modules'), join(server, 'node_modules'));
  await mkdir(join(server, 'migrations', 'fills'), { recursive: true });
  for (const [file, text] of Object.entries(migrations))
    await writeFile(join(server, 'migrations', file), text);
  for (const [file, text] of Object.entries(fills))
    await writeFile(join(server, 'migrations', 'fills', file), text);
  return join(server, 'bin', 'foyer.js');
}
