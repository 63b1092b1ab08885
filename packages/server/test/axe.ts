import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ElementContext, Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long as what the package exports: each page that is loaded has to read it again. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// A frame whose content is sandboxed has an origin of its own, and is looked into all the same.
const INSTALLED = `${SOURCE}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }); undefined`;

/**
 * What axe objects to in the page and its frames. It is put into each of them once: reading it takes longer than the
 * check itself.
 */
export async function violationsIn(
  page: Page,
  options: RunOptions = {},
  within: ElementContext = { exclude: [] },
): Promise<Result[]> {
  await Promise.all(
    page.frames().map(async (frame) => {
      if (!(await frame.evaluate<boolean>('"axe" in self'))) await frame.evaluate(INSTALLED);
    }),
  );
  const run = JSON.stringify([within, { ...options, resultTypes: ['violations'] }]);
  return page.evaluate<Result[]>(`axe.run(...${run}).then(({ violations }) => violations)`);
}
