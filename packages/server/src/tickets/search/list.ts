import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { searchQuery } from '../../text/search-words.ts';
import { loadTickets, type PageChoice, type TicketRow } from '../tickets.ts';
import { hasWords } from './search.ts';

/** How many tickets are read first in an order other than newest first: a frequent word fills a page from them. */
const LOOKED_AT_FIRST = 600;
/** In percent of the tickets read: with so many hits, the next page's worth is close. */
const COMMON_PERCENT = 1;
/** Up to this many hits are fetched and sorted. With more, reading along the list's order is faster. */
const HITS_SORTED = 5_000;
/** The newest hits are read in this many steps; usually the first fills a page. */
const READ_FIRST = 100;
const READ_MOST = 1_000;
/**
 * More than the clocks of two nodes differ: within this limit, ids are in order of time. Imported tickets are
 * older.
 */
const CLOCKS_APART_MS = 60_000;

/** The list is sorted newest first, and continues from here. */
export interface Newest {
  before?: { at: Date; id: number };
}

interface Hits {
  /** Newest first. */
  ids: number[];
  /** Whether there are more. */
  more: boolean;
}

interface Asked {
  /** The condition on rows of `ticket_words`. */
  which: RawBuilder<SqlBool>;
  query: string;
  before?: Newest['before'];
  /** Hits beyond this number are not read. */
  fetched?: number;
  kept: number;
}

/** The newest matching rows. `which`, not the query, determines the index. */
async function hitsOf({ db, site }: SiteContext, asked: Asked): Promise<Hits> {
  const { which, query, before, fetched, kept } = asked;
  const isBefore = before ? sql`created_at <= ${before.at}` : sql`true`;
  // The CTE hides the limit from the planner, so it uses the index instead of reading the table until it has
  // enough.
  const { rows } = await sql<{ ids: string | null; found: number }>`
    with hits as materialized (
      select ticket_id, created_at from ticket_words
      where site_id = ${site.id} and ${which} and ${isBefore} and (words @@ ${query}::tsquery) is true
    ),
    fetched as (select * from hits ${fetched === undefined ? sql`` : sql`limit ${fetched + 1}`}),
    kept as (select * from fetched order by created_at desc, ticket_id desc limit ${kept})
    select (select string_agg(ticket_id::text, ' ' order by created_at desc, ticket_id desc) from kept) as ids,
      (select count(*) from fetched)::int as found`.execute(db);
  const ids = rows[0]?.ids?.split(' ').map(Number) ?? [];
  return { ids, more: (rows[0]?.found ?? 0) > ids.length };
}

/** Searches all tickets, if there aren't too many hits. */
const hitsInAll = (ctx: SiteContext, query: string, before?: Newest['before']): Promise<Hits> =>
  hitsOf(ctx, {
    which: sql`words @@ ${query}::tsquery`,
    query,
    ...(before && { before }),
    fetched: HITS_SORTED,
    kept: HITS_SORTED,
  });

/** The hits that belong to the list, up to its limit. */
async function firstOfHits(
  ctx: SiteContext,
  choice: PageChoice,
  ids: readonly number[],
): Promise<TicketRow[]> {
  if (ids.length === 0) return [];
  const among = (some: readonly number[]): Promise<TicketRow[]> =>
    loadTickets(ctx, { ...choice, where: sql`${choice.where} and t.id = any (${some}::bigint[])` });
  const first = Math.max(READ_FIRST, 2 * choice.limit);
  const rows = await among(ids.slice(0, first));
  return rows.length < choice.limit && ids.length > first ? among(ids) : rows;
}

/** How many of the newest tickets are read directly: a word in one of a hundred fills a page. */
const NEAR_TICKETS = 3_000;
/** Size of a `bucket`: a word in one of a thousand fills a page from two of them. */
const BUCKET_TICKETS = 32_768;
/** A ticket may have a higher id than one created after it, by no more than were created at the same moment. */
const LATE_COMERS = 1_000;

/**
 * The highest id that the rest of the list can contain; the site's last id if tickets were imported, because those
 * are older than their ids suggest.
 */
async function newestId({ db, site }: SiteContext, { before }: Newest): Promise<number> {
  const { rows } = await sql<{ last: number; brought_in: number }>`
    select coalesce(max(id), 0) as last,
      (select coalesce(max(id), 0) from tickets where site_id = ${site.id} and imported_at is not null) as brought_in
    from tickets where site_id = ${site.id}`.execute(db);
  const { last, brought_in } = rows[0] ?? { last: 0, brought_in: 0 };
  return before && brought_in <= before.id + LATE_COMERS ? before.id + LATE_COMERS : last;
}

interface Reach {
  which: RawBuilder<SqlBool>;
  /** No ticket with a lower id was created after this; null: there is none. */
  edge: Date | null;
}

/** Ranges of the newest tickets, the second by the word index. */
async function reachesOf(ctx: SiteContext, list: Newest, query: string): Promise<Reach[]> {
  const { db, site } = ctx;
  const newest = await newestId(ctx, list);
  const bucket = Math.floor(newest / BUCKET_TICKETS);
  const firsts = [newest - NEAR_TICKETS, (bucket - 1) * BUCKET_TICKETS];
  const { rows } = await sql<{ edge: Date | null }>`
    select (
      select coalesce(imported_at, created_at) from tickets where site_id = ${site.id} and id < first
      order by id desc limit 1
    ) as edge
    from unnest(${firsts}::bigint[]) with ordinality as reach (first, place) order by place`.execute(db);
  const edge = (place: number): Date | null => rows[place]?.edge ?? null;
  const isIn = (one: number) => sql<SqlBool>`(bucket = ${one}::bigint and words @@ ${query}::tsquery)`;
  return [
    { which: sql`ticket_id between ${firsts[0]}::bigint and ${newest}::bigint`, edge: edge(0) },
    { which: sql`(${isIn(bucket)} or ${isIn(bucket - 1)})`, edge: edge(1) },
  ];
}

/** The words of all queries. @returns undefined if one has no word, which matches nothing */
function queryOf({ site }: SiteContext, questions: readonly string[]): string | undefined {
  const queries = questions.map((question) => searchQuery(site.id, question));
  return queries.includes(undefined) ? undefined : queries.join(' & ');
}

/**
 * Searches the newest tickets, where the index finds few regardless of the total; if these don't fill the page, so
 * that the words are rare, searches all.
 * @returns undefined if there are too many hits for that, because another filter excludes most of them
 */
async function searchNewest(
  ctx: SiteContext,
  choice: PageChoice,
  query: string,
  newest: Newest,
): Promise<TicketRow[] | undefined> {
  for (const { which, edge } of await reachesOf(ctx, newest, query)) {
    const { ids, more } = await hitsOf(ctx, { which, query, ...newest, kept: READ_MOST });
    if (edge !== null && ids.length < choice.limit) continue;
    const rows = await firstOfHits(ctx, choice, ids);
    if (edge === null && !more) return rows;
    const sure = (edge?.getTime() ?? 0) + CLOCKS_APART_MS;
    const surely = rows.filter((row) => row.created_at.getTime() > sure);
    if (surely.length === choice.limit) return surely;
  }
  const all = await hitsInAll(ctx, query, newest.before);
  return all.more ? undefined : firstOfHits(ctx, choice, all.ids);
}

/** Reads along the list's order if there are many hits, uses the index if there are few. */
async function searchAlong(ctx: SiteContext, choice: PageChoice, query: string): Promise<TicketRow[]> {
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
  const hits = isCommon ? undefined : await hitsInAll(ctx, query);
  if (hits?.ids.length === 0) return [];
  const isHit = hits && !hits.more ? sql`t.id = any (${hits.ids}::bigint[])` : hasWords(query);
  return loadTickets(ctx, { ...choice, where: sql`${where} and ${isHit}` });
}

/**
 * The tickets of a list that contain the words of all queries, in the list's order. The planner can't know how many
 * tickets match, so that is determined in steps of limited cost.
 */
export async function searchTickets(
  ctx: SiteContext,
  choice: PageChoice,
  questions: readonly string[],
  newest: Newest | undefined,
): Promise<TicketRow[]> {
  const query = queryOf(ctx, questions);
  if (query === undefined) return [];
  const found = newest && (await searchNewest(ctx, choice, query, newest));
  return found ?? searchAlong(ctx, choice, query);
}
