import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/**
 * What the bot answers from: a published article, or a training row that has not been moved. A row's id is negative, so
 * the two can be told apart wherever an id goes.
 */
interface Source {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly version: number;
}

const publishedOf = (db: Db, siteId: number) =>
  db.selectFrom('articles').where('site_id', '=', siteId).where('status', '=', 'Published');

const unmovedOf = (db: Db, siteId: number) =>
  db.selectFrom('training_rows').where('site_id', '=', siteId).where('moved_at', 'is', null);

/** Of each source of a site: the version at its last change. */
export async function sourceVersions(db: Db, siteId: number): Promise<Map<number, number>> {
  const [articles, rows] = await Promise.all([
    publishedOf(db, siteId).select(['id', 'version']).execute(),
    unmovedOf(db, siteId).select(['id', 'version']).execute(),
  ]);
  return new Map([
    ...articles.map(({ id, version }) => [id, version] as const),
    ...rows.map(({ id, version }) => [-id, version] as const),
  ]);
}

/** Those of the ids that are sources now. */
export async function loadSources(db: Db, siteId: number, ids: readonly number[]): Promise<Source[]> {
  const [articleIds, rowIds] = [ids.filter((id) => id > 0), ids.filter((id) => id < 0).map((id) => -id)];
  const articles =
    articleIds.length === 0
      ? []
      : await publishedOf(db, siteId)
          .select(['id', 'title', 'body', 'version'])
          .where(sql<boolean>`id = any (${articleIds})`)
          .execute();
  const rows =
    rowIds.length === 0
      ? []
      : await unmovedOf(db, siteId)
          .select(['id', 'question as title', 'answer as body', 'version'])
          .where(sql<boolean>`id = any (${rowIds})`)
          .execute();
  return [...articles, ...rows.map((row) => ({ ...row, id: -row.id }))];
}
