import type { ParsedInputOf, Visitor } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorId, type Page, pageOf } from '../db/keyset.ts';
import { presentVisitor, segmentNames } from './present.ts';
import { inOrder, rowsOf, type SearchScope, searchVisitors } from './search.ts';

type Find = Omit<ParsedInputOf<'visitors.find'>, 'key'>;

/** @throws AppError 404 */
export async function refuseUnknownSegment({
  db,
  siteId,
  segment,
}: Pick<SearchScope, 'db' | 'siteId' | 'segment'>): Promise<void> {
  if (segment === undefined) return;
  const { rows } = await sql`
    select from segments where site_id = ${siteId} and id = ${segment} and deleted_at is null`.execute(db);
  if (rows.length === 0) throw notFound('segment');
}

/** @throws AppError 404 for a segment that the site doesn't have. */
export async function listVisitors({ db, site }: SiteContext, find: Find): Promise<Page<Visitor>> {
  const { limit, cursor, order, email, segment, q } = find;
  const scope: SearchScope = {
    db,
    siteId: site.id,
    order,
    after: cursorId(cursor),
    limit: limit + 1,
    email,
    segment,
  };
  await refuseUnknownSegment(scope);
  const rows =
    q === undefined
      ? await rowsOf(db, sql`select v.* ${inOrder(scope)} limit ${scope.limit}`)
      : await searchVisitors(scope, q);
  const names = await segmentNames(db, site.id, rows);
  return pageOf(
    rows,
    limit,
    (row) => [row.id],
    (row) => presentVisitor(row, names),
  );
}
