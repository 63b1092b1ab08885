import { existsSync } from 'node:fs';

/** Looked for, because the sources and the bundle lie at different depths. */
function findPackage(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('migrations', folder))) folder = new URL('../', folder);
  return folder;
}

const PACKAGE = findPackage();
const IS_BUNDLE = import.meta.url.startsWith(new URL('dist/', PACKAGE).href);

/** A file or folder of this package that is read at run time, by its path from `packages/server`. */
export const packageFile = (path: string): URL => new URL(path, PACKAGE);

/** The program of a worker thread, as its path in `src` without an ending. `vite.config.ts` bundles each `*-thread.ts`. */
export const threadFile = (path: string): URL =>
  packageFile(IS_BUNDLE ? `dist/${path}.js` : `src/${path}.ts`);
