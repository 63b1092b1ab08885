import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '../../base/start-error.ts';
import { findBinaries, restoreSymlinks } from './binaries.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'foyer-package-'));
  await mkdir(join(root, 'native', 'lib'), { recursive: true });
  await writeFile(join(root, 'native', 'lib', 'libx.so.1.2'), 'x');
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function listLinks(target: string): Promise<void> {
  const links = [{ source: 'native/lib/libx.so.1.2', target }];
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
}

test('the programs of PostgreSQL 18 come with the package', async () => {
  expect((await findBinaries()).major).toBe('18');
});

test('links that the skipped install script would have created are created, once', async () => {
  await listLinks('native/lib/libx.so');
  await restoreSymlinks(root);
  await restoreSymlinks(root);
  expect(await readFile(join(root, 'native', 'lib', 'libx.so'), 'utf8')).toBe('x');
});

test('a link that cannot be created stops the start with a line that says what to run', async () => {
  await listLinks('native/missing/libx.so');
  await expect(restoreSymlinks(root)).rejects.toThrow(StartError);
  await expect(restoreSymlinks(root)).rejects.toThrow(
    /^PostgreSQL's install script .*npm rebuild.*DATABASE_URL\.$/,
  );
});

test('a package without links needs none', async () => {
  await restoreSymlinks(root);
});
