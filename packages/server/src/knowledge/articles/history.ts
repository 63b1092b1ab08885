import type { ArticleVersion, ArticleVersionText, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, pageOf } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { getArticle } from './articles.ts';

type VersionRow = Omit<Selectable<Tables['article_versions']>, 'site_id' | 'article_id'> & {
  author_name: string | null;
};

function authorOf({ agent_id, token_id, author_name }: VersionRow): ArticleVersion['author'] {
  if (agent_id !== null) return { type: 'agent', id: agent_id, name: author_name ?? '' };
  if (token_id !== null) return { type: 'token', id: token_id, name: author_name ?? '' };
  return { type: 'system', id: null, name: 'System' };
}

const present = (row: VersionRow): ArticleVersion => ({
  number: row.number,
  title: row.title,
  category: row.category,
  status: row.status,
  cause: row.cause,
  author: authorOf(row),
  created_utc: row.created_at.toISOString(),
});

const versionsOf = (
  { site }: SiteContext,
  articleId: number,
  columns: ReturnType<typeof sql>,
) => sql<VersionRow>`
  select v.number, v.title, v.category, v.status, v.cause, v.agent_id, v.token_id, v.created_at, ${columns},
    coalesce(g.name, t.name) as author_name
  from article_versions v
  left join agents g on g.site_id = v.site_id and g.id = v.agent_id
  left join api_tokens t on t.site_id = v.site_id and t.id = v.token_id
  where v.site_id = ${site.id} and v.article_id = ${articleId}`;

/** The versions of an article, without their texts; names of authors are today's. @throws AppError 404 */
export async function listVersions(
  ctx: SiteContext,
  { article_id, limit, cursor, order }: ParsedInputOf<'article_versions.list'>,
): Promise<OutputOf<'article_versions.list'>> {
  await getArticle(ctx, article_id);
  const after = cursorId(cursor);
  const [direction, compare] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond = after === undefined ? sql`true` : sql`v.number ${compare} ${after}`;
  const { rows } = await sql<VersionRow>`${versionsOf(ctx, article_id, sql`'' as body`)} and ${beyond}
    order by v.number ${direction} limit ${limit + 1}`.execute(ctx.db);
  return pageOf(rows, limit, (row) => [row.number], present);
}

/** @throws AppError 404, also for one that was too old to be kept. */
export async function getVersion(
  ctx: SiteContext,
  { article_id, number }: ParsedInputOf<'article_versions.get'>,
): Promise<ArticleVersionText> {
  await getArticle(ctx, article_id);
  const { rows } =
    await sql<VersionRow>`${versionsOf(ctx, article_id, sql`v.body`)} and v.number = ${number}`.execute(
      ctx.db,
    );
  if (!rows[0]) throw notFound('version');
  return { ...present(rows[0]), body: rows[0].body };
}
