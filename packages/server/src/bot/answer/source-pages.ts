import type { Source } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { idOfKind } from '../../knowledge/search/source-ids.ts';
import type { AnswerSource } from './answer.ts';

/**
 * Sources with the addresses of their pages. An unpublished article and a deleted document are no sources; a training
 * row has no page.
 */
export async function presentSources(ctx: SiteContext, sources: readonly AnswerSource[]): Promise<Source[]> {
  const pages = new Map([...(await articlePages(ctx, sources)), ...(await documentPages(ctx, sources))]);
  return sources.flatMap((source) => pages.get(source.article_id)?.(source.title) ?? []);
}

type Pages = [sourceId: number, withTitle: (title: string) => Source][];

const idsOf = (kind: 'article' | 'document', sources: readonly AnswerSource[]): Map<number, number> =>
  new Map(
    sources.flatMap(({ article_id }) => {
      const id = idOfKind(kind, article_id);
      return id === null ? [] : [[id, article_id] as const];
    }),
  );

async function articlePages({ db, site }: SiteContext, sources: readonly AnswerSource[]): Promise<Pages> {
  const ids = idsOf('article', sources);
  if (ids.size === 0) return [];
  const rows = await db
    .selectFrom('articles')
    .select(['id', 'slug'])
    .where('site_id', '=', site.id)
    .where(sql<boolean>`id = any (${[...ids.keys()]})`)
    .where('status', '=', 'Published')
    .execute();
  return rows.map(({ id, slug }) => [id, (title) => ({ article_id: id, title, slug })]);
}

async function documentPages({ db, site }: SiteContext, sources: readonly AnswerSource[]): Promise<Pages> {
  const ids = idsOf('document', sources);
  if (ids.size === 0) return [];
  const rows = await db
    .selectFrom('knowledge_documents')
    .select(['id', 'url'])
    .where('site_id', '=', site.id)
    .where(sql<boolean>`id = any (${[...ids.keys()]})`)
    .where('passages', '>', 0)
    .execute();
  return rows.map(({ id, url }) => [ids.get(id) ?? 0, (title) => ({ document_id: id, title, url })]);
}
