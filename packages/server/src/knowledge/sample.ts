import { readFile } from 'node:fs/promises';
import type { SiteContext } from '../context.ts';
import { importArticles } from './import.ts';
import { createStarter } from './starters.ts';

const ARTICLES = new URL('../cli/sample-articles.md', import.meta.url);
const STARTERS = [
  { label: 'Where is my order?', prompt: 'How can I track my order?' },
  { label: 'Returns', prompt: 'How do I return something?' },
  { label: 'Delivery', prompt: 'How long does delivery take?' },
];

/** Twenty articles of a small shop and three starters, so that a new site has something to talk about. */
export async function importSampleKnowledge(ctx: SiteContext): Promise<void> {
  await importArticles(ctx, await readFile(ARTICLES, 'utf8'));
  for (const starter of STARTERS) await createStarter(ctx, starter);
}
