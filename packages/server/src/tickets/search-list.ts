import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { hasWords } from './search.ts';
import { type Choice, loadTickets, type TicketRow } from './tickets.ts';

/** Tickets that are looked at first: a word that many of them have fills a page. */
const LOOKED_AT_FIRST = 600;
/** Of a hundred that were looked at: with so many hits the next page's worth is not far. */
const COMMON_PERCENT = 1;
/** So many hits are fetched and sorted; with more, a page is found sooner by looking along the list's order. */
const HITS_SORTED = 5_000;

/** @returns undefined when there are too many to be sorted. */
async function hitsOf({ db, site }: SiteContext, query: string): Promise<number[] | undefined> {
  // Behind the CTE the planner doesn't see the limit: it asks the index, where it might read the table until it has enough.
  const { rows } = await sql<{ ticket_id: number }>`
    with hits as materialized (
      select ticket_id from ticket_words where site_id = ${site.id} and words @@ ${query}::tsquery
    ) select ticket_id from hits limit ${HITS_SORTED + 1}`.execute(db);
  return rows.length > HITS_SORTED ? undefined : rows.map(({ ticket_id }) => ticket_id);
}

/**
 * Those of a list's tickets that a query finds, in the list's order, for as many of them as there may be: what a planner
 * can't know, how many tickets have words that begin so, is found out in three steps, each of bounded cost.
 */
export async function searchTickets(ctx: SiteContext, choice: Choice, query: string): Promise<TicketRow[]> {
  const { from = sql`tickets t`, where, order, walk = order, limit } = choice;
  const first = Math.max(LOOKED_AT_FIRST, 4 * limit);
  const found = await loadTickets(ctx, {
    from: sql`(select t.* from ${from} where ${where} order by ${walk} limit ${first}) t`,
    where: hasWords(query),
    order,
    limit,
  });
  if (found.length === limit) return found;
  const isCommon = found.length * 100 >= first * COMMON_PERCENT;
  const hits = isCommon ? undefined : await hitsOf(ctx, query);
  if (hits?.length === 0) return [];
  const isHit = hits ? sql`t.id = any (${hits}::bigint[])` : hasWords(query);
  return loadTickets(ctx, { ...choice, where: sql`${where} and ${isHit}` });
}
