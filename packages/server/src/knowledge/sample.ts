import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { importArticles } from './import.ts';
import { lockKnowledge } from './knowledge-version.ts';
import { createStarter } from './starters.ts';

const ARTICLES = new URL('../cli/sample-articles.md', import.meta.url);
const STARTERS = [
  { label: 'Where is my order?', prompt: 'How can I track my order?' },
  { label: 'Returns', prompt: 'How do I return something?' },
  { label: 'Delivery', prompt: 'How long does delivery take?' },
];

/** What is there by its table, and the name under which it is marked. */
const KINDS = { articles: 'article', categories: 'category', conversation_starters: 'starter' } as const;
const TABLES = Object.keys(KINDS) as (keyof typeof KINDS)[];

async function lastIds({ db, site }: SiteContext): Promise<Record<keyof typeof KINDS, number>> {
  const last = TABLES.map((table) => {
    const id = sql`coalesce((select max(id) from ${sql.table(table)} where site_id = ${site.id}), 0)`;
    return sql`${id} as ${sql.ref(table)}`;
  });
  const { rows } = await sql<Record<keyof typeof KINDS, number>>`select ${sql.join(last)}`.execute(db);
  if (!rows[0]) throw new Error('a select without a from has one row');
  return rows[0];
}

/**
 * Twenty articles of a small shop and three starters, so that a new site has something to talk about; marked as what
 * came along, but for what the site had already. Under the lock of the knowledge, so that what is new is ours.
 */
export async function importSampleKnowledge(ctx: SiteContext): Promise<void> {
  const text = await readFile(ARTICLES, 'utf8');
  await ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await lastIds(tx);
    await importArticles(tx, text);
    for (const starter of STARTERS) await createStarter(tx, starter);
    for (const table of TABLES)
      await sql`
        insert into sample_records (site_id, kind, record_id, made_at)
        select site_id, ${KINDS[table]}, id, ${tx.now()} from ${sql.table(table)}
        where site_id = ${tx.site.id} and id > ${before[table]}`.execute(tx.db);
  });
}
