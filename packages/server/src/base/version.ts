import { readFile } from 'node:fs/promises';

const MANIFEST = new URL('../../package.json', import.meta.url);

/** The server's version, from its package.json. */
export async function readVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(MANIFEST, 'utf8'));
  return version;
}
