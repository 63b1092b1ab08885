import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

/** A segment with more visitors isn't small. */
const MEMBERS_MAX = 1_000;

/** The ids of a small segment's visitors, for looking up their records; undefined if there are too many. */
export async function fewMembersOf(
  { db, site }: SiteContext,
  segmentId: number,
): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select visitor_id as id from segment_members where site_id = ${site.id} and segment_id = ${segmentId}
    order by visitor_id limit ${MEMBERS_MAX + 1}`.execute(db);
  return rows.length > MEMBERS_MAX ? undefined : rows.map(({ id }) => id);
}
