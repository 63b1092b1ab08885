import { readFile } from 'node:fs/promises';
import type { SiteContext } from '../core/context.ts';
import { markSamples } from '../core/mark-samples.ts';
import { lockKnowledge } from './knowledge-version.ts';
import { createStarter } from './starters.ts';
import { importArticles } from './transfer/import.ts';
import { categoryName, parseImport } from './transfer/import-text.ts';

const ARTICLES = new URL('../cli/sample-articles.md', import.meta.url);
export const SAMPLE_STARTERS = [
  { label: 'Where is my order?', prompt: 'How can I track my order?' },
  { label: 'Returns', prompt: 'How do I return something?' },
  { label: 'Delivery', prompt: 'How long does delivery take?' },
];

/** What the sample is made of, by its table. */
const KINDS = { articles: 'article', categories: 'category', conversation_starters: 'starter' } as const;
const TABLES = Object.keys(KINDS) as (keyof typeof KINDS)[];

const idsOf = async ({ db, site }: SiteContext, table: keyof typeof KINDS, after = 0): Promise<number[]> => {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', '>', after)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * Twenty articles of a small shop and three starters, so that a new site has something to talk about; marked as what
 * came along, but for what the site had already. Under the lock of the knowledge, so that what is new is ours.
 */
export async function importSampleKnowledge(ctx: SiteContext): Promise<void> {
  const text = await readFile(ARTICLES, 'utf8');
  await ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const last = new Map<keyof typeof KINDS, number>();
    for (const table of TABLES) last.set(table, (await idsOf(tx, table)).at(-1) ?? 0);
    await importArticles(tx, text);
    for (const starter of SAMPLE_STARTERS) await createStarter(tx, starter);
    for (const table of TABLES) await markSamples(tx, KINDS[table], await idsOf(tx, table, last.get(table)));
  });
}

/** The categories of the sample articles, as they came. */
export async function sampleCategories(): Promise<string[]> {
  const { documents } = parseImport(await readFile(ARTICLES, 'utf8'));
  return [
    ...new Set(documents.flatMap(({ category }) => (category === null ? [] : [categoryName(category)]))),
  ];
}
