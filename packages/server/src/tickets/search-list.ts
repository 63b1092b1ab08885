import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { hasWords } from './search.ts';
import { bucketOf, firstOfBucket, searchQuery } from './search-words.ts';
import { type Choice, loadTickets, type TicketRow } from './tickets.ts';

/** Tickets that are looked at first in another order than that of the newest: a word of many of them fills a page. */
const LOOKED_AT_FIRST = 600;
/** Of a hundred that were looked at: with so many hits the next page's worth is not far. */
const COMMON_PERCENT = 1;
/** So many hits are fetched and sorted; with more, a page is found sooner by looking along the list's order. */
const HITS_SORTED = 5_000;
/** Of the newest hits, the tickets are read in this many goes: as a rule the first fills a page. */
const READ_FIRST = 100;
const READ_MOST = 1_000;
/** More than the buckets of a reach have tickets. */
const BUCKET_HITS_MAX = 100_000;
/** More than two nodes' clocks are apart: the order of ids is the order of times, but for so much. */
const CLOCKS_APART_MS = 60_000;

/** The list is that of the newest, and goes on from here. */
export interface Newest {
  before?: { at: Date; id: number };
}

interface Hits {
  /** The newest first. */
  ids: number[];
  /** There are more than these. */
  more: boolean;
}

/** The newest hits of an index query. */
async function hitsOf(
  { db, site }: SiteContext,
  query: string,
  { fetched, kept }: { fetched: number; kept: number },
  { before }: Newest = {},
): Promise<Hits> {
  const isBefore = before ? sql`created_at <= ${before.at}` : sql`true`;
  // Behind the CTE the planner doesn't see the limit: it asks the index, where it might read the table until it has enough.
  const { rows } = await sql<{ ids: string | null; found: number }>`
    with hits as materialized (
      select ticket_id, created_at from ticket_words
      where site_id = ${site.id} and words @@ ${query}::tsquery and ${isBefore}
    ), fetched as (
      select * from hits limit ${fetched + 1}
    ), kept as (
      select * from fetched order by created_at desc, ticket_id desc limit ${kept}
    )
    select (select string_agg(ticket_id::text, ' ' order by created_at desc, ticket_id desc) from kept) as ids,
      (select count(*) from fetched)::int as found`.execute(db);
  const ids = rows[0]?.ids?.split(' ').map(Number) ?? [];
  return { ids, more: (rows[0]?.found ?? 0) > ids.length };
}

/** Those of the hits that the list has, up to its limit. */
async function firstOfHits(ctx: SiteContext, choice: Choice, ids: readonly number[]): Promise<TicketRow[]> {
  const among = (some: readonly number[]): Promise<TicketRow[]> =>
    loadTickets(ctx, { ...choice, where: sql`${choice.where} and t.id = any (${some}::bigint[])` });
  const first = Math.max(READ_FIRST, 2 * choice.limit);
  const rows = await among(ids.slice(0, first));
  return rows.length < choice.limit && ids.length > first ? among(ids) : rows;
}

/**
 * How far back the newest are looked for, in buckets: a word that one of eighty tickets has fills a page from the first
 * ones, one of a thousand from the second. The first bucket may have just begun, and a newer ticket may be in the next.
 */
const REACHES = [1, 16];

interface Reach {
  buckets: number[];
  /** The newest ticket that is older than those of the buckets was made then; null: there is none. */
  edge: Date | null;
}

/** Stretches of the newest tickets, each longer than the one before. */
async function reachesOf({ db, site }: SiteContext, { before }: Newest): Promise<Reach[]> {
  const newest = sql<{ id: number | null }>`select max(id) as id from tickets where site_id = ${site.id}`;
  const bucket = bucketOf(before?.id ?? (await newest.execute(db)).rows[0]?.id ?? 0);
  const lasts = REACHES.map((reach) => bucket - reach);
  const { rows } = await sql<{ edge: Date | null }>`
    select (
      select created_at from tickets where site_id = ${site.id} and id < first order by id desc limit 1
    ) as edge
    from unnest(${lasts.map(firstOfBucket)}::bigint[]) with ordinality as reach (first, place)
    order by place`.execute(db);
  return lasts.map((last, place) => ({
    buckets: Array.from({ length: bucket + 2 - last }, (_, at) => last + at),
    edge: rows[place]?.edge ?? null,
  }));
}

/** The words of all questions. @returns undefined when one has no word, which nothing matches. */
function queryOf({ site }: SiteContext, questions: readonly string[], bucket?: number): string | undefined {
  const queries = questions.map((question) => searchQuery(site.id, question, bucket));
  return queries.includes(undefined) ? undefined : queries.join(' & ');
}

/** Those of a page that are in a reach for sure, and whether there can be no more. */
async function searchReach(
  ctx: SiteContext,
  choice: Choice,
  questions: readonly string[],
  { reach: { buckets, edge }, newest }: { reach: Reach; newest: Newest },
): Promise<{ rows: TicketRow[]; isAll: boolean }> {
  const query = buckets.map((bucket) => `(${queryOf(ctx, questions, bucket)})`).join(' | ');
  const hits = await hitsOf(ctx, query, { fetched: BUCKET_HITS_MAX, kept: READ_MOST }, newest);
  const rows = hits.ids.length === 0 ? [] : await firstOfHits(ctx, choice, hits.ids);
  if (edge === null) return { rows, isAll: !hits.more };
  const sure = edge.getTime() + CLOCKS_APART_MS;
  return { rows: rows.filter((row) => row.created_at.getTime() > sure), isAll: false };
}

/**
 * Among the newest, where the index finds few however many there are in all; then, if these don't fill the page and so
 * the words are rare, everywhere.
 * @returns undefined when the hits are too many for that after all: another filter leaves little of them.
 */
async function searchNewest(
  ctx: SiteContext,
  choice: Choice,
  questions: readonly string[],
  newest: Newest,
): Promise<TicketRow[] | undefined> {
  for (const reach of await reachesOf(ctx, newest)) {
    const { rows, isAll } = await searchReach(ctx, choice, questions, { reach, newest });
    if (isAll || rows.length === choice.limit) return rows;
  }
  const query = queryOf(ctx, questions) ?? '';
  const all = await hitsOf(ctx, query, { fetched: HITS_SORTED, kept: HITS_SORTED }, newest);
  return all.more ? undefined : firstOfHits(ctx, choice, all.ids);
}

/** Along the list's order where hits are many, by the index where they are few. */
async function searchAlong(ctx: SiteContext, choice: Choice, query: string): Promise<TicketRow[]> {
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
  const hits = isCommon ? undefined : await hitsOf(ctx, query, { fetched: HITS_SORTED, kept: HITS_SORTED });
  if (hits?.ids.length === 0) return [];
  const isHit = hits && !hits.more ? sql`t.id = any (${hits.ids}::bigint[])` : hasWords(query);
  return loadTickets(ctx, { ...choice, where: sql`${where} and ${isHit}` });
}

/**
 * Those of a list's tickets that have the words of all questions, in the list's order, for as many of them as there may
 * be: what a planner can't know, how many tickets have words that begin so, is found out in steps of bounded cost.
 */
export async function searchTickets(
  ctx: SiteContext,
  choice: Choice,
  questions: readonly string[],
  newest: Newest | undefined,
): Promise<TicketRow[]> {
  const query = queryOf(ctx, questions);
  if (query === undefined) return [];
  const found = newest && (await searchNewest(ctx, choice, questions, newest));
  return found ?? searchAlong(ctx, choice, query);
}
