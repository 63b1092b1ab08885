import type { Visitor } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { VisitorRow } from './rows.ts';

export type SegmentNames = ReadonlyMap<number, string>;

/** The names of these visitors' segments. */
export async function segmentNames(
  db: Db,
  siteId: number,
  visitors: readonly Pick<VisitorRow, 'segment_ids'>[],
): Promise<SegmentNames> {
  const ids = [...new Set(visitors.flatMap(({ segment_ids }) => segment_ids))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from segments
    where site_id = ${siteId} and id = any (${ids}::bigint[]) and deleted_at is null`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** An erased visitor is on no list, so its key is always there. */
export function presentVisitor(row: VisitorRow, names: SegmentNames): Visitor {
  return {
    key: row.key ?? '',
    email: row.email,
    name: row.name,
    attributes: row.attributes,
    segments: row.segment_ids.flatMap((id) => names.get(id) ?? []).sort(),
    first_seen_utc: row.first_seen_at.toISOString(),
    last_seen_utc: row.last_seen_at.toISOString(),
    created_utc: row.created_at.toISOString(),
    updated_utc: row.updated_at.toISOString(),
  };
}
