import type { InboxSearchFields } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime } from '../../db/keyset.ts';
import { type Phrase, phrasesOf, textsSaying, withoutQuotes } from '../../text/quoted-phrases.ts';
import { searchQuery } from '../../text/search-words.ts';
import { visitorsCalled } from '../../visitors/search.ts';
import type { ChatHit } from './chat-hit.ts';
import { chatSearch } from './search-filter.ts';
import { saidInChats } from './search-terms.ts';

/** How many of the newest chunks are read directly: a word in one of a hundred fills a page. */
const LOOKED_AT_FIRST = 2_500;
/** With this many hits among those, the index would find too many. */
const COMMON_HITS = 100;
/** How many hits of the index are fetched and sorted; with more, the next hit is near in the order of time. */
const HITS_SORTED = 5_000;
/** How many chunks a page reads at most. Then it ends, and the next continues there. */
const LOOKED_AT_MOST = 5_000;
/** More than there can be between two places. Shows the planner that they are few. */
const BETWEEN_PLACES = 2 * LOOKED_AT_MOST;
/** How many visitors with a matching name are searched, and how many of their chats. */
const VISITORS_FOUND = 200;
const CHATS_OF_VISITORS = 2_000;

/** A place in time order: by `said_at` (ms), then the chat's id, then the chunk. */
export type ChatPlace = readonly [at: number, id: number, part: number];

/** The hit's place in time order, from which the next page continues. */
export const placeOfChat = ({ said_at, conversation_id, part }: ChatHit): ChatPlace => [
  said_at.getTime(),
  conversation_id,
  part,
];

export interface ChatHits {
  hits: ChatHit[];
  /** Where the search stopped before the page was full; undefined for a full page, and if nothing is left. */
  end?: ChatPlace;
}

interface Way {
  from: ChatPlace | undefined;
  to: ChatPlace | undefined;
}

/** The search among rows `w` of `message_search_chunks`. */
interface Asked {
  /** Undefined if the query has no searchable word. */
  query: string | undefined;
  /** Chats of visitors with a matching name. */
  chats: number[];
  where: readonly RawBuilder<SqlBool>[];
  state: RawBuilder<SqlBool>;
  /** The chats of a rare tag, if the filter has one: only these can match. */
  among: number[] | undefined;
}

const all = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`${sql.join(conditions, sql` and `)}`;

const PLACE = sql`(w.said_at, w.conversation_id, w.part)`;
const NEWEST_FIRST = sql`w.said_at desc, w.conversation_id desc, w.part desc`;
const placed = ([at, id, part]: ChatPlace): RawBuilder<unknown> =>
  sql`(${cursorTime(at)}::timestamptz, ${id}::bigint, ${part}::bigint)`;
const before = (from: ChatPlace | undefined): RawBuilder<SqlBool> =>
  from ? sql`${PLACE} < ${placed(from)}` : sql`true`;

/** The last of the next `count` chunks; undefined if there are fewer. */
async function placeBehind(
  { db, site }: SiteContext,
  from: ChatPlace | undefined,
  count: number,
): Promise<ChatPlace | undefined> {
  const { rows } = await sql<ChatHit>`
    select w.said_at, w.conversation_id, w.part from message_search_chunks w
    where w.site_id = ${site.id} and ${before(from)}
    order by ${NEWEST_FIRST} offset ${count - 1} limit 1`.execute(db);
  const [row] = rows;
  return row && [row.said_at.getTime(), row.conversation_id, row.part];
}

/** A condition: the chunk matches. Written so that it never uses the word index. */
const isHit = (row: 'w' | 'newer', { query, chats }: Asked): RawBuilder<SqlBool> => sql`(
  (${sql.ref(`${row}.words`)} @@ ${query ?? null}::tsquery) is true
  or ${sql.ref(`${row}.conversation_id`)} = any (${chats}::bigint[]))`;

/** The chunks from one place to another, newest first. */
const stretches = ({ site }: SiteContext, { from, to }: Way): RawBuilder<unknown> => sql`
  select w.* from message_search_chunks w
  where w.site_id = ${site.id} and ${before(from)} and ${to ? sql`${PLACE} >= ${placed(to)}` : sql`true`}
  order by ${NEWEST_FIRST} limit ${BETWEEN_PLACES}`;

/** Whether so many chunks match that the index would find too many. A filter lets few of them through. */
async function isCommon(ctx: SiteContext, { query, where }: Asked, way: Way): Promise<boolean> {
  if (where.length === 0) return false;
  const { rows } = await sql`
    select from (${stretches(ctx, way)}) w where (w.words @@ ${query ?? null}::tsquery) is true
    limit ${COMMON_HITS}`.execute(ctx.db);
  return rows.length === COMMON_HITS;
}

/** Reads chunks one after another between two places. The hit of a chat is its newest matching chunk. */
async function lookAlong(ctx: SiteContext, asked: Asked, way: Way, limit: number): Promise<ChatHit[]> {
  const { rows } = await sql<ChatHit>`
    select w.conversation_id, w.part, w.said_at from (${stretches(ctx, way)}) w
    where ${all([isHit('w', asked), asked.state, ...asked.where])} and (
      select true from message_search_chunks newer
      where newer.site_id = w.site_id and newer.conversation_id = w.conversation_id and newer.part > w.part
        and ${isHit('newer', asked)} limit 1) is null
    order by ${NEWEST_FIRST} limit ${limit}`.execute(ctx.db);
  return rows;
}

/** Asks the word index for all hits. @returns undefined if there are too many. */
async function lookUp(
  { db, site }: SiteContext,
  { query, chats, where, state, among }: Asked,
  from: ChatPlace | undefined,
  limit: number,
): Promise<ChatHit[] | undefined> {
  // The CTE hides the limit from the planner, which might otherwise read the table instead of using the index.
  const { rows } = await sql<{ found: number } & { [K in keyof ChatHit]: ChatHit[K] | null }>`
    with said as materialized (
      select site_id, conversation_id, part, said_at from message_search_chunks
      where site_id = ${site.id} and ${
        among
          ? sql`conversation_id = any (${among}::bigint[]) and (words @@ ${query ?? null}::tsquery) is true`
          : sql`words @@ ${query ?? null}::tsquery`
      }
    ), hits as (
      (select * from said limit ${HITS_SORTED + 1})
      union all
      (select site_id, conversation_id, part, said_at from message_search_chunks
        where site_id = ${site.id} and conversation_id = any (${chats}::bigint[]) limit ${HITS_SORTED})
    ), newest as (select distinct on (conversation_id) * from hits order by conversation_id, part desc)
    select h.conversation_id, h.part, h.said_at, (select count(*) from hits)::int as found
    from (select) one left join lateral (
      select * from newest w where ${all([before(from), state, ...where])} order by ${NEWEST_FIRST} limit ${limit}
    ) h on true`.execute(db);
  if ((rows[0]?.found ?? 0) > HITS_SORTED) return undefined;
  return rows.flatMap(({ conversation_id, part, said_at }) =>
    conversation_id !== null && part !== null && said_at !== null ? [{ conversation_id, part, said_at }] : [],
  );
}

async function chatsOfVisitors(ctx: SiteContext, q: string): Promise<number[]> {
  const visitors = await visitorsCalled(ctx, q, VISITORS_FOUND);
  if (visitors.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select id from conversations where site_id = ${ctx.site.id} and visitor_id = any (${visitors}::bigint[])
    order by id desc limit ${CHATS_OF_VISITORS}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** How many hits are read to find a phrase, which no index supports. A page ends there. */
const READ_FOR_PHRASES = 200;
/** Concurrency, because messages can be long. */
const READ_AT_ONCE = 10;

/** The hits that also contain the phrases. */
async function hitsSaying(
  ctx: SiteContext,
  hits: readonly ChatHit[],
  { query, chats }: Asked,
  phrases: readonly Phrase[],
  limit: number,
): Promise<ChatHit[]> {
  const saying: ChatHit[] = [];
  for (let at = 0; at < hits.length && saying.length < limit; at += READ_AT_ONCE) {
    const some = hits.slice(at, at + READ_AT_ONCE);
    const texts = await saidInChats(ctx, some, query);
    for (const hit of some) {
      const said = textsSaying(texts.get(hit.conversation_id) ?? [], phrases);
      if (said.length > 0) saying.push({ ...hit, said });
      else if (chats.includes(hit.conversation_id)) saying.push(hit);
    }
  }
  return saying.slice(0, limit);
}

/**
 * Finds hits in steps of limited cost, because no planner knows how many chats match: first among the newest, for
 * frequent words; then by the word index, for rare ones; then in time order, for words that were frequent long ago.
 */
async function findHits(
  ctx: SiteContext,
  asked: Asked,
  from: ChatPlace | undefined,
  limit: number,
): Promise<ChatHits> {
  const near = await placeBehind(ctx, from, LOOKED_AT_FIRST);
  const way = { from, to: near };
  const first = await lookAlong(ctx, asked, way, limit);
  if (near === undefined || first.length === limit) return { hits: first };
  const isFew = asked.among !== undefined || !(await isCommon(ctx, asked, way));
  const every = isFew ? await lookUp(ctx, asked, from, limit) : undefined;
  if (every) return { hits: every };
  const far = await placeBehind(ctx, near, LOOKED_AT_MOST);
  const rest = await lookAlong(ctx, asked, { from: near, to: far }, limit - first.length);
  const hits = [...first, ...rest];
  return far === undefined || hits.length === limit ? { hits } : { hits, end: far };
}

/**
 * Chats that contain these words, or whose visitor's name matches, latest first. Quoted words must occur as a
 * phrase.
 */
export async function findChats(
  ctx: SiteContext,
  search: InboxSearchFields & { q: string },
  from: ChatPlace | undefined,
  limit: number,
  readForPhrases = READ_FOR_PHRASES,
): Promise<ChatHits> {
  const conditions = await chatSearch(ctx, search);
  if (!conditions) return { hits: [] };
  const query = searchQuery(ctx.site.id, search.q);
  const chats = await chatsOfVisitors(ctx, withoutQuotes(search.q));
  if (query === undefined && chats.length === 0) return { hits: [] };
  const asked: Asked = { query, chats, ...conditions };
  const phrases = phrasesOf(search.q);
  if (query === undefined || phrases.length === 0) return findHits(ctx, asked, from, limit);

  const { hits, end } = await findHits(ctx, asked, from, readForPhrases);
  const saying = await hitsSaying(ctx, hits, asked, phrases, limit);
  if (saying.length === limit) return { hits: saying };
  const last = hits.length === readForPhrases ? hits.at(-1) : undefined;
  const next = last ? placeOfChat(last) : end;
  return { hits: saying, ...(next && { end: next }) };
}
