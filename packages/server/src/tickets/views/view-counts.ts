import { type TicketFilter, VIEW_COUNT_MAX } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { type BoundedCache, createBoundedCache } from '../../base/bounded-cache.ts';
import type { Services, SiteContext } from '../../core/context.ts';
import { mayLead, valuesOf } from '../../sites/fields/field-filter.ts';
import { phrasesOf } from '../../text/quoted-phrases.ts';
import { searchQuery } from '../../text/search-words.ts';
import { searchTickets } from '../search/list.ts';
import { READ_FOR_PHRASES, ticketsSaying } from '../search/message-search.ts';
import { conditionsOf, isInState, type TicketState, ticketFilter } from './filter.ts';

/**
 * How many tickets are read for a count if no index has all of the filter: the most recently created (or changed) ones
 * in the narrowest index. A count never costs more, however many tickets a site has.
 */
export const LOOKED_AT_MAX = 2_000;
/** How many views are counted in one statement. */
const TOGETHER = 20;
/** A count that read at least this many tickets is cached: the desks of a team ask for the same ones all day. */
export const KEPT_FROM = 500;
const KEPT_MS = 3_000;

type Field = Exclude<keyof TicketFilter, keyof TicketState>;

const isStateField = (field: string): boolean => field === 'snoozed' || field === 'spam';

interface Walk {
  /** The filter has these fields, and the index covers them. */
  by: readonly Field[];
  /** A further field that the same index covers, if the filter has it. */
  also?: Field;
  order: RawBuilder<unknown>;
}

const created = sql`order by t.created_at desc, t.id desc`;
const updated = sql`order by t.updated_at desc, t.id desc`;
const nextDue = sql`order by t.sla_due_at, t.id`;

/** The indexes of `tickets`, the narrowest first: requester, text, tag, custom field, due time, assignee, team, status, time. */
const WALKS: readonly Walk[] = [
  { by: ['requester_key'], also: 'since', order: created },
  { by: ['q'], order: sql`` },
  { by: ['tag'], also: 'since', order: created },
  { by: ['fields'], order: sql`` },
  { by: ['due'], order: nextDue },
  { by: ['assignee_id', 'status', 'updated_since'], order: updated },
  { by: ['assignee_id', 'status'], also: 'since', order: created },
  { by: ['assignee_id'], also: 'since', order: created },
  { by: ['team_id'], also: 'since', order: created },
  { by: ['status', 'priority'], also: 'since', order: created },
  { by: ['status', 'updated_since'], order: updated },
  { by: ['status'], also: 'since', order: created },
  { by: ['priority'], also: 'since', order: created },
  { by: ['updated_since'], order: updated },
];
const WHOLE_SITE: Walk = { by: [], also: 'since', order: created };

const given = (filter: TicketFilter, field: Field): boolean =>
  field === 'fields' ? mayLead(filter.fields?.[0]) : filter[field] !== undefined;

function split(filter: TicketFilter): { walk: Walk; walked: TicketFilter; looked: TicketFilter } {
  const walk = WALKS.find(({ by }) => by.every((field) => given(filter, field))) ?? WHOLE_SITE;
  const isWalked = (field: string): boolean => [...walk.by, walk.also].some((own) => own === field);
  const part = (wanted: boolean): TicketFilter =>
    Object.fromEntries(
      Object.entries(filter).filter(([field]) => !isStateField(field) && isWalked(field) === wanted),
    );
  return { walk, walked: part(true), looked: part(false) };
}

/**
 * With a join, the planner might read all tickets of the site for a few. As an array, their ids are looked up along
 * the index.
 */
const ticketsOf = ({ site }: SiteContext, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  tickets t where t.site_id = ${site.id} and t.id = any (array(${ids} limit ${LOOKED_AT_MAX}))`;

/** A tag's own index has its tickets by creation time. */
function startByTag(ctx: SiteContext, tag: string, since: string | undefined): RawBuilder<unknown> {
  const isSince = since === undefined ? sql`true` : sql`created_at >= ${new Date(since)}`;
  return ticketsOf(
    ctx,
    sql`
    select ticket_id from ticket_tags
    where site_id = ${ctx.site.id} and ${isSince} and tag_id = (
      select id from tags where site_id = ${ctx.site.id} and lower(name) = lower(${tag}::text))
    order by created_at desc, ticket_id desc`,
  );
}

/** The CTE hides the limit from the planner, so it uses the index instead of reading the whole table. */
function startByWords(ctx: SiteContext, question: string): RawBuilder<unknown> {
  const query = searchQuery(ctx.site.id, question);
  const hit = query === undefined ? sql`false` : sql`words @@ ${query}::tsquery`;
  return ticketsOf(
    ctx,
    sql`
    with hits as materialized (select ticket_id from ticket_words where site_id = ${ctx.site.id} and ${hit})
    select ticket_id from hits`,
  );
}

/** The tickets `t` from an index, limited to the number that is read. */
async function startOf(
  ctx: SiteContext,
  walked: TicketFilter,
  of: TicketState,
  { order }: Walk,
  limit: number,
): Promise<RawBuilder<unknown>> {
  const state = isInState(of);
  if (walked.tag !== undefined) return sql`${startByTag(ctx, walked.tag, walked.since)} and ${state}`;
  const [lead] = walked.fields ?? [];
  if (lead) {
    const conditions = await conditionsOf(ctx, walked);
    return sql`${ticketsOf(ctx, valuesOf(ctx, 'tickets', lead))} and ${sql.join([state, ...conditions], sql` and `)}`;
  }
  if (walked.q !== undefined) return sql`${startByWords(ctx, walked.q)} and ${state}`;
  const where = [sql`t.site_id = ${ctx.site.id}`, state, ...(await conditionsOf(ctx, walked))];
  return sql`tickets t where ${sql.join(where, sql` and `)} ${order} limit ${limit}`;
}

/** Views with the same beginning, such as one tag, agent or queue, read the same rows once. */
export interface Look {
  /** The rows to read: a table with an alias, and its condition. */
  start: RawBuilder<unknown>;
  views: { place: number; chosen: RawBuilder<unknown> }[];
}

async function looksFor(ctx: SiteContext, filters: readonly TicketFilter[]): Promise<Look[]> {
  const looks = new Map<string, Look>();
  for (const [place, filter] of filters.entries()) {
    const { walk, walked, looked } = split(filter);
    const byRow = await conditionsOf(ctx, looked);
    // An index that leads to tickets doesn't contain their state.
    const isTold =
      byRow.length === 0 && [walked.tag, walked.q, walked.fields].every((value) => value === undefined);
    const limit = isTold ? VIEW_COUNT_MAX : LOOKED_AT_MAX;
    const { snoozed = false, spam = false } = filter;
    const key = JSON.stringify([walked, snoozed, spam, limit]);
    const look = looks.get(key) ?? {
      start: await startOf(ctx, walked, { snoozed, spam }, walk, limit),
      views: [],
    };
    looks.set(key, look);
    look.views.push({ place, chosen: byRow.length === 0 ? sql`true` : sql.join(byRow, sql` and `) });
  }
  return [...looks.values()];
}

const TICKET_COLUMNS = sql`
  t.site_id, t.id, t.requester_id, t.assignee_key, t.team_id, t.status, t.priority_rank, t.created_at, t.updated_at,
  t.last_activity_at, t.sla, t.sla_due_at`;

/** How many rows match each of the views: rows of `place`, `count` and `looked_at`. */
export function countBy(
  { start, views }: Look,
  columns: RawBuilder<unknown> = TICKET_COLUMNS,
  alias = 't',
): RawBuilder<unknown> {
  const counts = views.map(
    ({ chosen }) => sql`least(count(*) filter (where ${chosen}), ${VIEW_COUNT_MAX})::int`,
  );
  return sql`
    select v.place, v.count, c.looked_at
    from (
      select array[${sql.join(counts)}] as counts, count(*)::int as looked_at from (
        select ${columns} from ${start}
      ) ${sql.ref(alias)}
    ) c cross join unnest(${views.map(({ place }) => place)}::int[], c.counts) as v (place, count)`;
}

export interface Count {
  place: number;
  count: number;
  looked_at: number;
}

async function countTogether(ctx: SiteContext, filters: readonly TicketFilter[]): Promise<Count[]> {
  const looks = await looksFor(ctx, filters);
  const { rows } = await sql<Count>`${sql.join(
    looks.map((look) => sql`(${countBy(look)})`),
    sql` union all `,
  )}`.execute(ctx.db);
  return rows;
}

const hasPhrase = ({ q = '' }: TicketFilter): boolean => phrasesOf(q).length > 0;

/** A phrase is checked in the newest tickets that have its words, in no more of them than for a page. */
async function countSaying(ctx: SiteContext, { q = '', ...filter }: TicketFilter): Promise<number> {
  const where = await ticketFilter(ctx, filter);
  const order = sql`t.created_at desc, t.id desc`;
  const rows = await searchTickets(ctx, { where, order, limit: READ_FOR_PHRASES }, [q], {});
  return (await ticketsSaying(ctx, rows, phrasesOf(q), READ_FOR_PHRASES)).length;
}

/** One cache per process; tests have many. */
const caches = new WeakMap<Services, BoundedCache<number>>();

/** Caches expensive counts for a moment. */
export function cacheOf({ services }: SiteContext): BoundedCache<number> {
  const known = caches.get(services);
  if (known) return known;
  const made = createBoundedCache<number>({ max: 5_000, ttlMs: KEPT_MS, now: () => new Date() });
  caches.set(services, made);
  return made;
}

/**
 * How many tickets match each of these filters: at most VIEW_COUNT_MAX, which means that many or more. If no single
 * index has the filter, only the LOOKED_AT_MAX newest of the narrowest index count; for a phrase, the
 * READ_FOR_PHRASES newest that have its words.
 */
export async function countTickets(ctx: SiteContext, filters: readonly TicketFilter[]): Promise<number[]> {
  const cache = cacheOf(ctx);
  const keys = filters.map((filter) => `${ctx.site.id} ${JSON.stringify(filter)}`);
  const counts = keys.map((key) => cache.get(key));
  const known = (place: number): boolean => counts[place] !== undefined;
  for (const [place, filter] of filters.entries()) {
    if (known(place) || !hasPhrase(filter)) continue;
    const count = await countSaying(ctx, filter);
    counts[place] = count;
    cache.set(keys[place] ?? '', count);
  }
  const open = [...keys.keys()].filter((place) => !known(place));
  for (let from = 0; from < open.length; from += TOGETHER) {
    const places = open.slice(from, from + TOGETHER);
    for (const { place, count, looked_at } of await countTogether(
      ctx,
      places.map((one) => filters[one] ?? {}),
    )) {
      const at = places[place] ?? 0;
      counts[at] = count;
      if (looked_at >= KEPT_FROM) cache.set(keys[at] ?? '', count);
    }
  }
  return counts.map((count) => count ?? 0);
}
