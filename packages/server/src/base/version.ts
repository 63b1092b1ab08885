import { readFile } from 'node:fs/promises';
import { packageFile } from './package-files.ts';

const MANIFEST = packageFile('package.json');

/** The server's version, from its package.json. */
export async function readVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(MANIFEST, 'utf8'));
  return version;
}
