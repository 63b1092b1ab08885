import type { Source } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { AnswerSource } from './answer.ts';

/** With the addresses of their pages; an article that is no longer published is no source. */
export async function withSlugs(ctx: SiteContext, sources: readonly AnswerSource[]): Promise<Source[]> {
  const ids = sources.map(({ article_id }) => article_id);
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('articles')
    .select(['id', 'slug'])
    .where('site_id', '=', ctx.site.id)
    .where(sql<boolean>`id = any (${ids})`)
    .where('status', '=', 'Published')
    .execute();
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]));
  return sources.flatMap((source) => {
    const slug = slugs.get(source.article_id);
    return slug === undefined ? [] : [{ ...source, slug }];
  });
}
