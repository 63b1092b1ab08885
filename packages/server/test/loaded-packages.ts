import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Loaded before a process's own code by `--import`: writes the name of each package as its first file is loaded.

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const seen = new Set<string>();

registerHooks({
  load(url, context, next) {
    const name = PACKAGE.exec(url)?.[1];
    const file = process.env.LOADED_PACKAGES_FILE;
    if (name !== undefined && file !== undefined && !seen.has(name)) appendFileSync(file, `${name}\n`);
    if (name !== undefined) seen.add(name);
    return next(url, context);
  },
});
