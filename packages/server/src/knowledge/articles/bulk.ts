import {
  ARTICLE_BULK_MAX,
  type ArticleSelection,
  type ArticleStatus,
  type OutputOf,
  type ParsedInputOf,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { filteredArticles } from './articles.ts';
import { categoryIdOf } from './categories.ts';
import { putAway } from './deleted-articles.ts';
import { noteVersions } from './versions.ts';

type Bulk = ParsedInputOf<'articles.bulk'>;
type Result = OutputOf<'articles.bulk'>;

interface Selected {
  readonly ids: number[];
  /** How many others match and would change, but are over the limit of this call. */
  readonly left: number;
}

/** The articles of the selection that the change would change, up to the limit; ids of other sites are ignored. */
async function select(
  tx: SiteContext,
  selection: ArticleSelection,
  changes: RawBuilder<boolean>,
): Promise<Selected> {
  const chosen = 'ids' in selection ? filteredArticles(tx, {}) : filteredArticles(tx, selection.filter);
  const narrowed =
    'ids' in selection ? chosen.where(sql<boolean>`articles.id = any (${selection.ids}::bigint[])`) : chosen;
  const rows = await narrowed
    .clearSelect()
    .select(['articles.id', sql<number>`count(*) over ()::int`.as('all')])
    .where(changes)
    .orderBy('articles.id')
    .limit(ARTICLE_BULK_MAX)
    .execute();
  return { ids: rows.map(({ id }) => id), left: (rows[0]?.all ?? 0) - rows.length };
}

async function change(
  tx: SiteContext,
  ids: readonly number[],
  values: { status: ArticleStatus } | { category_id: number | null },
): Promise<void> {
  await tx.db
    .updateTable('articles')
    .set({ ...values, version: await nextVersion(tx), updated_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where(sql<boolean>`id = any (${ids}::bigint[])`)
    .execute();
  await noteVersions(tx, ids, 'edited');
}

/** An article is identified by title and category, so only the first of several with one title can go there. */
async function twinsOf(
  tx: SiteContext,
  ids: readonly number[],
  categoryId: number | null,
): Promise<Result['failed']> {
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from (
      select a.id, a.title, row_number() over (partition by a.title_key order by a.id) as nth, exists (
        select from articles b where b.site_id = a.site_id and b.title_key = a.title_key
          and b.category_id is not distinct from ${categoryId}::bigint) as there
      from articles a where a.site_id = ${tx.site.id} and a.id = any (${ids}::bigint[])
    ) chosen
    where there or nth > 1 order by id`.execute(tx.db);
  return rows.map((row) => ({ ...row, message: 'An article with this title already exists.' }));
}

async function move(tx: SiteContext, selection: ArticleSelection, category: string | null): Promise<Result> {
  const categoryId = await categoryIdOf(tx, category);
  const elsewhere = sql<boolean>`articles.category_id is distinct from ${categoryId}::bigint`;
  const { ids, left } = await select(tx, selection, elsewhere);
  const failed = await twinsOf(tx, ids, categoryId);
  const staying = new Set(failed.map(({ id }) => id));
  const going = ids.filter((id) => !staying.has(id));
  if (going.length > 0) await change(tx, going, { category_id: categoryId });
  return { changed: going.length, left, failed };
}

/** Changes all selected articles, in one transaction, up to ARTICLE_BULK_MAX. */
export async function changeArticles(ctx: SiteContext, input: Bulk): Promise<Result> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    if (input.action === 'set_category') return move(tx, input.selection, input.category);
    if (input.action === 'set_status') {
      const others = sql<boolean>`articles.status <> ${input.status}`;
      const { ids, left } = await select(tx, input.selection, others);
      if (ids.length > 0) await change(tx, ids, { status: input.status });
      return { changed: ids.length, left, failed: [] };
    }
    const { ids, left } = await select(tx, input.selection, sql<boolean>`true`);
    const deleted = await putAway(tx, ids);
    return { changed: deleted.length, left, failed: [], deleted };
  });
}
