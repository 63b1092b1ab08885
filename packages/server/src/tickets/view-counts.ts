import { type TicketFilter, VIEW_COUNT_MAX } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Services, SiteContext } from '../context.ts';
import { type BoundedCache, createBoundedCache } from '../sites/bounded-cache.ts';
import { conditionsOf, findTag, isSnoozed } from './filter.ts';
import { searchQuery } from './search-words.ts';

/**
 * How many tickets are looked at for a count whose filter no single index answers: those that were made (or changed)
 * last among all that the narrowest index gives. A count never costs more, however many tickets a site has.
 */
export const LOOKED_AT_MAX = VIEW_COUNT_MAX;
/** Views whose counts come by one statement. */
const TOGETHER = 20;
/** A count that looked at so many is told again for as long: the desks of a team ask for the same ones all day. */
const KEPT_FROM = 1_000;
const KEPT_MS = 3_000;

type Field = Exclude<keyof TicketFilter, 'snoozed'>;

interface Walk {
  /** The filter has these, and the index gives them. */
  by: readonly Field[];
  /** What the same index tells as well, if it is asked for. */
  also?: Field;
  order: RawBuilder<unknown>;
}

const created = sql`order by t.created_at desc, t.id desc`;
const updated = sql`order by t.updated_at desc, t.id desc`;

/** The indexes of 0007_tickets.sql, the narrowest first: who, what about, for whom, in which state, when. */
const WALKS: readonly Walk[] = [
  { by: ['requester_key'], also: 'since', order: created },
  { by: ['q'], order: sql`` },
  { by: ['tag'], also: 'since', order: created },
  { by: ['assignee_id', 'status', 'updated_since'], order: updated },
  { by: ['assignee_id', 'status'], also: 'since', order: created },
  { by: ['assignee_id'], also: 'since', order: created },
  { by: ['status', 'priority'], also: 'since', order: created },
  { by: ['status', 'updated_since'], order: updated },
  { by: ['status'], also: 'since', order: created },
  { by: ['priority'], also: 'since', order: created },
  { by: ['updated_since'], order: updated },
];
const WHOLE_SITE: Walk = { by: [], also: 'since', order: created };

const given = (filter: TicketFilter, field: Field): boolean => filter[field] !== undefined;

function split(filter: TicketFilter): { walk: Walk; walked: TicketFilter; looked: TicketFilter } {
  const walk = WALKS.find(({ by }) => by.every((field) => given(filter, field))) ?? WHOLE_SITE;
  const isWalked = (field: string): boolean => [...walk.by, walk.also].some((own) => own === field);
  const part = (wanted: boolean): TicketFilter =>
    Object.fromEntries(
      Object.entries(filter).filter(([field]) => field !== 'snoozed' && isWalked(field) === wanted),
    );
  return { walk, walked: part(true), looked: part(false) };
}

interface Start {
  from: RawBuilder<unknown>;
  conditions: RawBuilder<unknown>[];
  order?: RawBuilder<unknown>;
}

/** A tag's own index has its tickets in the order of their making. */
async function startByTag(ctx: SiteContext, tag: string, since: string | undefined): Promise<Start> {
  const tagId = await findTag(ctx, tag);
  return {
    from: sql`ticket_tags tt join tickets t on t.site_id = tt.site_id and t.id = tt.ticket_id`,
    conditions: [
      sql`tt.site_id = ${ctx.site.id}`,
      tagId === undefined ? sql`false` : sql`tt.tag_id = ${tagId}`,
      since === undefined ? sql`true` : sql`tt.created_at >= ${new Date(since)}`,
    ],
    order: sql`order by tt.created_at desc, tt.ticket_id desc`,
  };
}

/** Behind the CTE the planner doesn't see the limit: it asks the index, where it might read the table to its end. */
function startByWords({ site }: SiteContext, question: string): Start {
  const query = searchQuery(site.id, question);
  const hit = query === undefined ? sql`false` : sql`words @@ ${query}::tsquery`;
  return {
    from: sql`(
      with hits as materialized (select ticket_id from ticket_words where site_id = ${site.id} and ${hit})
      select ticket_id from hits limit ${LOOKED_AT_MAX}
    ) h join tickets t on t.id = h.ticket_id`,
    conditions: [sql`t.site_id = ${site.id}`],
  };
}

async function startOf(ctx: SiteContext, walked: TicketFilter): Promise<Start> {
  if (walked.tag !== undefined) return startByTag(ctx, walked.tag, walked.since);
  if (walked.q !== undefined) return startByWords(ctx, walked.q);
  const conditions = await conditionsOf(ctx, walked);
  return { from: sql`tickets t`, conditions: [sql`t.site_id = ${ctx.site.id}`, ...conditions] };
}

async function countOf(ctx: SiteContext, filter: TicketFilter, place: number): Promise<RawBuilder<unknown>> {
  const { walk, walked, looked } = split(filter);
  const { from, conditions, order = walk.order } = await startOf(ctx, walked);
  const byRow = await conditionsOf(ctx, looked);
  const where = sql.join([...conditions, isSnoozed(filter.snoozed ?? false)], sql` and `);
  const chosen = byRow.length === 0 ? sql`true` : sql.join(byRow, sql` and `);
  return sql`
    select ${place}::int as place, count(*) filter (where ${chosen})::int as count, count(*)::int as looked_at from (
      select t.site_id, t.id, t.requester_id, t.assignee_key, t.status, t.priority_rank, t.created_at, t.updated_at
      from ${from} where ${where} ${order} limit ${LOOKED_AT_MAX}
    ) t`;
}

interface Count {
  place: number;
  count: number;
  looked_at: number;
}

async function countTogether(ctx: SiteContext, filters: readonly TicketFilter[]): Promise<Count[]> {
  const parts: RawBuilder<unknown>[] = [];
  for (const [place, filter] of filters.entries()) parts.push(sql`(${await countOf(ctx, filter, place)})`);
  const { rows } = await sql<Count>`${sql.join(parts, sql` union all `)}`.execute(ctx.db);
  return rows;
}

/** Of each process; those of its tests are many. */
const caches = new WeakMap<Services, BoundedCache<number>>();

function cacheOf({ services }: SiteContext): BoundedCache<number> {
  const known = caches.get(services);
  if (known) return known;
  const made = createBoundedCache<number>({ max: 5_000, ttlMs: KEPT_MS, now: () => new Date() });
  caches.set(services, made);
  return made;
}

/**
 * How many tickets each of these filters chooses: at most 10,000, which stands for that many or more, and where only
 * a combination of fields tells, among the 10,000 newest that its narrowest index gives.
 */
export async function countTickets(ctx: SiteContext, filters: readonly TicketFilter[]): Promise<number[]> {
  const cache = cacheOf(ctx);
  const keys = filters.map((filter) => `${ctx.site.id} ${JSON.stringify(filter)}`);
  const counts = keys.map((key) => cache.get(key));
  const open = [...keys.keys()].filter((place) => counts[place] === undefined);
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
