import { type TicketFilter, VIEW_COUNT_MAX } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { conditionsOf, isSnoozed } from './filter.ts';

/**
 * How many tickets are looked at for a count whose filter no single index answers: those that were made (or changed)
 * last among all that the narrowest index gives. A count never costs more, however many tickets a site has.
 */
export const LOOKED_AT_MAX = 20_000;
/** Views whose counts come by one statement. */
const TOGETHER = 20;

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
  { by: ['assignee_id', 'status'], also: 'updated_since', order: updated },
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

async function countOf(ctx: SiteContext, filter: TicketFilter, place: number): Promise<RawBuilder<unknown>> {
  const { walk, walked, looked } = split(filter);
  const [byIndex, byRow] = [await conditionsOf(ctx, walked), await conditionsOf(ctx, looked)];
  const where = sql.join(
    [sql`t.site_id = ${ctx.site.id}`, isSnoozed(filter.snoozed ?? false), ...byIndex],
    sql` and `,
  );
  const chosen = byRow.length === 0 ? sql`true` : sql.join(byRow, sql` and `);
  const limit = byRow.length === 0 ? VIEW_COUNT_MAX : LOOKED_AT_MAX;
  return sql`
    select ${place}::int as place, least(count(*), ${VIEW_COUNT_MAX})::int as count from (
      select t.site_id, t.id, t.requester_id, t.assignee_key, t.status, t.priority_rank, t.created_at, t.updated_at
      from tickets t where ${where} ${walk.order} limit ${limit}
    ) t where ${chosen}`;
}

/**
 * How many tickets each of these filters chooses: at most 10,000, which stands for more, and where only a combination
 * of fields tells, among the 20,000 newest that its narrowest index gives.
 */
export async function countTickets(ctx: SiteContext, filters: readonly TicketFilter[]): Promise<number[]> {
  const counts: number[] = [];
  for (let from = 0; from < filters.length; from += TOGETHER) {
    const parts: RawBuilder<unknown>[] = [];
    for (const filter of filters.slice(from, from + TOGETHER)) {
      parts.push(sql`(${await countOf(ctx, filter, from + parts.length)})`);
    }
    const { rows } = await sql<{
      place: number;
      count: number;
    }>`${sql.join(parts, sql` union all `)}`.execute(ctx.db);
    for (const { place, count } of rows) counts[place] = count;
  }
  return counts;
}
