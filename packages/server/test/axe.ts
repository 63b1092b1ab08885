import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ElementContext, Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified build, half the size of the default one: every loaded page has to parse it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// A sandboxed frame has its own origin, and is still checked.
const INSTALLED = `${SOURCE}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }); undefined`;

/**
 * The violations that axe finds in the page and its frames. It is injected once into each: parsing it takes longer than
 * the check itself.
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
