import type { ArticleDraft, OpenedArticle, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { ratingsOf } from '../help/ratings.ts';
import { helpUrl } from '../help/settings.ts';
import { lockKnowledge } from '../knowledge-version.ts';
import { type ArticleRow, changeArticle, getArticle, insertArticle, presentArticle } from './articles.ts';
import { getVersion } from './history.ts';

const OTHERS_MAX = 20;

const present = (row: Selectable<Tables['article_drafts']>): ArticleDraft => ({
  revision: row.revision,
  base_version: row.base_version,
  title: row.title,
  category: row.category,
  status: row.status,
  body: row.body,
  updated_utc: row.updated_at.toISOString(),
});

/** The agent's own draft of an article, or of a new one. */
export async function findDraft(
  ctx: SiteContext,
  { article_id }: ParsedInputOf<'article_drafts.get'>,
): Promise<OutputOf<'article_drafts.get'>> {
  if (article_id !== null) await getArticle(ctx, article_id);
  const row = await ctx.db
    .selectFrom('article_drafts')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where('agent_id', '=', agentActor(ctx).agentId)
    .where(sql<boolean>`article_id is not distinct from ${article_id}::bigint`)
    .executeTakeFirst();
  return { draft: row ? present(row) : null };
}

/** @throws AppError 404 */
export async function openArticle(ctx: SiteContext, id: number): Promise<OpenedArticle> {
  const row = await getArticle(ctx, id);
  const others = await ctx.db
    .selectFrom('article_drafts as d')
    .innerJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'd.site_id').onRef('a.id', '=', 'd.agent_id'),
    )
    .select(['a.id', 'a.name', 'd.updated_at'])
    .where('d.site_id', '=', ctx.site.id)
    .where('d.article_id', '=', id)
    .where('d.agent_id', '<>', agentActor(ctx).agentId)
    .where('a.removed_at', 'is', null)
    .orderBy('d.updated_at', 'desc')
    .limit(OTHERS_MAX)
    .execute();
  return {
    article: presentArticle(row),
    version: row.version,
    draft: (await findDraft(ctx, { article_id: id })).draft,
    ratings: await ratingsOf(ctx, id),
    url: `${await helpUrl(ctx)}/articles/${encodeURIComponent(row.slug)}`,
    others: others.map((other) => ({
      agent: { id: other.id, name: other.name },
      updated_utc: other.updated_at.toISOString(),
    })),
  };
}

/**
 * Saves a draft. One statement decides and writes, so that of two windows saving at once, one gets the 409.
 * @throws AppError 404; 409 when another window of the same agent has saved since.
 */
export async function saveDraft(
  ctx: SiteContext,
  { article_id, revision, base_version, title, category, status, body }: ParsedInputOf<'article_drafts.save'>,
): Promise<OutputOf<'article_drafts.save'>> {
  if (article_id !== null) await getArticle(ctx, article_id);
  const values = { base_version, title, category, status, body, updated_at: ctx.now() };
  const saved = await ctx.db
    .insertInto('article_drafts')
    .values({ site_id: ctx.site.id, agent_id: agentActor(ctx).agentId, article_id, revision: 1, ...values })
    .onConflict((conflict) =>
      conflict
        .constraint('article_drafts_one')
        .doUpdateSet({ ...values, revision: sql`article_drafts.revision + 1` })
        .where('article_drafts.revision', '=', revision ?? 0),
    )
    .returning(['revision', 'updated_at'])
    .executeTakeFirst();
  if (!saved)
    throw new AppError('conflict', 'You’ve changed this article in another window.', {
      reason: 'article_changed_here',
    });
  return { revision: saved.revision, updated_utc: saved.updated_at.toISOString() };
}

/**
 * Discards the agent's own draft; null is the draft of a new article. Without a draft, nothing happens.
 * @throws AppError 404
 */
export async function discardDraft(
  ctx: SiteContext,
  { article_id }: { article_id: number | null },
): Promise<{ done: true }> {
  if (article_id !== null) await getArticle(ctx, article_id);
  await endDraft(ctx, article_id);
  return { done: true };
}

async function endDraft(ctx: SiteContext, articleId: number | null): Promise<void> {
  await ctx.db
    .deleteFrom('article_drafts')
    .where('site_id', '=', ctx.site.id)
    .where('agent_id', '=', agentActor(ctx).agentId)
    .where(sql<boolean>`article_id is not distinct from ${articleId}::bigint`)
    .execute();
}

/** @throws AppError 409 when the article has been changed since that version. */
function refuseLate({ version, title }: ArticleRow, base: number | undefined): void {
  if (base === undefined || base === version) return;
  throw new AppError(
    'conflict',
    `Someone else changed ${JSON.stringify(title)} since you opened it. Neither version is lost.`,
    { reason: 'article_changed', values: { name: title } },
  );
}

type Saved = OutputOf<'articles.save'>;
const presentSaved = (row: ArticleRow): Saved => ({ article: presentArticle(row), version: row.version });

/**
 * Saves the agent's draft as the article, which is public if its status says so, and ends the draft.
 * @throws AppError 404; 409 when somebody else has saved since, or title and category or the slug are another's.
 */
export async function saveArticle(ctx: SiteContext, input: ParsedInputOf<'articles.save'>): Promise<Saved> {
  const { id, base_version, ...wanted } = input;
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = id === undefined ? undefined : await getArticle(tx, id);
    if (before) refuseLate(before, base_version);
    let row = before
      ? await changeArticle(tx, before, wanted, 'edited')
      : await insertArticle(tx, wanted, 'created');
    if (!before && wanted.slug !== undefined) row = await changeArticle(tx, row, wanted, 'edited');
    await endDraft(tx, id ?? null);
    return presentSaved(row);
  });
}

/** @throws AppError 404; 409 as `saveArticle`. */
export async function restoreVersion(
  ctx: SiteContext,
  { article_id, number, base_version }: ParsedInputOf<'article_versions.restore'>,
): Promise<Saved> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await getArticle(tx, article_id);
    refuseLate(before, base_version);
    const { title, category, status, body } = await getVersion(tx, { article_id, number });
    return presentSaved(await changeArticle(tx, before, { title, category, status, body }, 'restored'));
  });
}
