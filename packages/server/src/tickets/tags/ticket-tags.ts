import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { ensureTags } from '../../tags/tags.ts';
import type { TicketRow } from '../tickets.ts';

const folded = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase()).sort();

/** Compares tags ignoring case and order. */
export const sameTags = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(folded(one)) === JSON.stringify(folded(other));

/**
 * Sets a ticket's tags; unknown ones are created.
 * @returns their names as stored
 */
export async function setTicketTags(
  tx: SiteContext,
  { id, created_at }: Pick<TicketRow, 'id' | 'created_at'>,
  names: readonly string[],
): Promise<string[]> {
  // In a fixed order: concurrent callers with the same new tags wait instead of deadlocking.
  const ids = await ensureTags(
    tx,
    [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
  );
  await sql`
    delete from ticket_tags
    where site_id = ${tx.site.id} and ticket_id = ${id} and tag_id <> all (${ids}::bigint[])`.execute(tx.db);
  // A tag that is being deleted is left out.
  await sql`
    insert into ticket_tags (site_id, ticket_id, tag_id, created_at)
    select site_id, ${id}, id, ${created_at} from tags
    where site_id = ${tx.site.id} and id = any (${ids}::bigint[]) order by id for key share
    on conflict do nothing`.execute(tx.db);
  const { rows } = await sql<{ name: string }>`
    select g.name from ticket_tags tt join tags g on g.site_id = tt.site_id and g.id = tt.tag_id
    where tt.site_id = ${tx.site.id} and tt.ticket_id = ${id} order by lower(g.name)`.execute(tx.db);
  return rows.map(({ name }) => name);
}
