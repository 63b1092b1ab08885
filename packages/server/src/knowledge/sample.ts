import { readFile } from 'node:fs/promises';
import { packageFile } from '../base/package-files.ts';
import type { SiteContext } from '../core/context.ts';
import { markSamples } from '../core/mark-samples.ts';
import { lockKnowledge } from './knowledge-version.ts';
import { createStarter } from './starters.ts';
import { importArticles } from './transfer/import.ts';
import { categoryName, parseImport } from './transfer/import-text.ts';

const ARTICLES = packageFile('src/cli/sample-articles.md');
export const SAMPLE_STARTERS = [
  { label: 'Where is my order?', prompt: 'How can I track my order?' },
  { label: 'Returns', prompt: 'How do I return something?' },
  { label: 'Delivery', prompt: 'How long does delivery take?' },
];

/** The parts of the sample, by their table. */
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
 * Imports the published articles and the starters of a small shop, for the demo. What is new is marked as sample data;
 * the lock of the knowledge keeps others from adding to it meanwhile.
 */
export function importSampleKnowledge(ctx: SiteContext): Promise<void> {
  return importMarked(ctx, async (tx) => {
    await importArticles(tx, await readFile(ARTICLES, 'utf8'));
    for (const starter of SAMPLE_STARTERS) await createStarter(tx, starter);
  });
}

/** Imports the articles as drafts: on a real site no visitor, bot or search engine may see another shop's answers. */
export function importSampleDrafts(ctx: SiteContext): Promise<void> {
  return importMarked(ctx, async (tx) => {
    const text = await readFile(ARTICLES, 'utf8');
    await importArticles(tx, text.replaceAll(/^status: Published$/gm, 'status: Draft'));
  });
}

const importMarked = (ctx: SiteContext, run: (tx: SiteContext) => Promise<void>): Promise<void> =>
  ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const last = new Map<keyof typeof KINDS, number>();
    for (const table of TABLES) last.set(table, (await idsOf(tx, table)).at(-1) ?? 0);
    await run(tx);
    for (const table of TABLES) await markSamples(tx, KINDS[table], await idsOf(tx, table, last.get(table)));
  });

/** The categories of the sample articles, in their order. */
export async function sampleCategories(): Promise<string[]> {
  const { documents } = parseImport(await readFile(ARTICLES, 'utf8'));
  return [
    ...new Set(documents.flatMap(({ category }) => (category === null ? [] : [categoryName(category)]))),
  ];
}
