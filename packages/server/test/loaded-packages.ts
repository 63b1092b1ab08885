import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Loaded before a process's own code by `--import`: writes the name of each package as its first file is loaded,
// directly or within a file of the bundle.

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const BUNDLED = /\/packages\/server\/dist\/.+\.js$/;
const seen = new Set<string>();

function packagesIn(url: string): string[] {
  const map = BUNDLED.test(url) ? `${fileURLToPath(url)}.map` : '';
  const files: string[] = existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : [url];
  return files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []);
}

registerHooks({
  load(url, context, next) {
    const file = process.env.LOADED_PACKAGES_FILE;
    for (const name of packagesIn(url)) {
      if (file !== undefined && !seen.has(name)) appendFileSync(file, `${name}\n`);
      seen.add(name);
    }
    return next(url, context);
  },
});
