import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { idOfKind, sourceIdOf } from './source-ids.ts';

/** A source of the bot: a published article, a training row that has not been moved, or a document. */
interface Source {
  /** See `sourceIdOf`. */
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly version: number;
}

const publishedOf = (db: Db, siteId: number) =>
  db.selectFrom('articles').where('site_id', '=', siteId).where('status', '=', 'Published');

const unmovedOf = (db: Db, siteId: number) =>
  db.selectFrom('training_rows').where('site_id', '=', siteId).where('moved_at', 'is', null);

const readOf = (db: Db, siteId: number) =>
  db.selectFrom('knowledge_documents').where('site_id', '=', siteId).where('passages', '>', 0);

/** The version of each source of a site at its last change. */
export async function sourceVersions(db: Db, siteId: number): Promise<Map<number, number>> {
  const [articles, rows, documents] = await Promise.all([
    publishedOf(db, siteId).select(['id', 'version']).execute(),
    unmovedOf(db, siteId).select(['id', 'version']).execute(),
    readOf(db, siteId).select(['id', 'version']).execute(),
  ]);
  return new Map([
    ...articles.map(({ id, version }) => [id, version] as const),
    ...rows.map(({ id, version }) => [sourceIdOf({ kind: 'training_row', id }), version] as const),
    ...documents.map(({ id, version }) => [sourceIdOf({ kind: 'document', id }), version] as const),
  ]);
}

/** Those of the ids that are sources now. */
export async function loadSources(db: Db, siteId: number, sourceIds: readonly number[]): Promise<Source[]> {
  const idsOf = (kind: 'article' | 'training_row' | 'document'): number[] =>
    sourceIds.flatMap((sourceId) => idOfKind(kind, sourceId) ?? []);
  const isOneOf = (ids: readonly number[]) => sql<boolean>`id = any (${ids})`;
  const [articleIds, rowIds, documentIds] = [idsOf('article'), idsOf('training_row'), idsOf('document')];
  const articles =
    articleIds.length === 0
      ? []
      : await publishedOf(db, siteId)
          .select(['id', 'title', 'body', 'version'])
          .where(isOneOf(articleIds))
          .execute();
  const rows =
    rowIds.length === 0
      ? []
      : await unmovedOf(db, siteId)
          .select(['id', 'question as title', 'answer as body', 'version'])
          .where(isOneOf(rowIds))
          .execute();
  const documents =
    documentIds.length === 0
      ? []
      : await readOf(db, siteId)
          .select(['id', 'title', 'body', 'version'])
          .where(isOneOf(documentIds))
          .execute();
  return [
    ...articles,
    ...rows.map((row) => ({ ...row, id: sourceIdOf({ kind: 'training_row', id: row.id }) })),
    ...documents.map((row) => ({ ...row, id: sourceIdOf({ kind: 'document', id: row.id }) })),
  ];
}
