import type { OutputOf, ParsedInputOf, TicketSort } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { decodeCursor, type Page, pageOf } from '../db/keyset.ts';
import { invalidInput } from '../errors.ts';
import { conditionsOf, isSnoozed, rankOf } from './filter.ts';
import { filterOfView } from './saved-views.ts';
import { getTicket, loadTickets, presentTicket, type TicketRow } from './tickets.ts';

type ListInput = ParsedInputOf<'tickets.list'>;

/** The end of the year 9999: no time that is stored is behind it. */
const TIME_MAX_MS = 253_402_300_799_999;

interface Order {
  /** Columns of `t`; each list is sorted by all of them in one direction, the id last. */
  columns: RawBuilder<unknown>[];
  values(row: TicketRow): number[];
  /** The values of a cursor as its columns have them. */
  bounds(values: number[]): RawBuilder<unknown>[];
}

const time = (ms = 0): RawBuilder<unknown> => {
  if (ms > TIME_MAX_MS) throw invalidInput([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  return sql`${new Date(ms)}::timestamptz`;
};
const whole = (value = 0): RawBuilder<unknown> => sql`${value}::bigint`;

const ORDERS: Record<'created' | 'updated' | 'priority', Order> = {
  created: {
    columns: [sql`t.created_at`, sql`t.id`],
    values: (row) => [row.created_at.getTime(), row.id],
    bounds: ([at, id]) => [time(at), whole(id)],
  },
  updated: {
    columns: [sql`t.updated_at`, sql`t.id`],
    values: (row) => [row.updated_at.getTime(), row.id],
    bounds: ([at, id]) => [time(at), whole(id)],
  },
  priority: {
    columns: [sql`t.priority_rank`, sql`t.created_at`, sql`t.id`],
    values: (row) => [rankOf(row.priority), row.created_at.getTime(), row.id],
    bounds: ([rank, at, id]) => [whole(rank), time(at), whole(id)],
  },
};

interface Sorting extends Order {
  direction: RawBuilder<unknown>;
  compare: RawBuilder<unknown>;
}

function sortingOf(sort: TicketSort): Sorting {
  const isDescending = sort.startsWith('-');
  const order = ORDERS[sort.replace('-', '') as keyof typeof ORDERS];
  return {
    ...order,
    direction: isDescending ? sql`desc` : sql`asc`,
    compare: isDescending ? sql`<` : sql`>`,
  };
}

interface Chosen {
  conditions: RawBuilder<SqlBool>[];
  sort: TicketSort;
}

/** A list's own filter narrows its view's down; its own `snoozed` and order count instead of the view's. */
async function choose(ctx: SiteContext, { view, sort, order, ...filter }: ListInput): Promise<Chosen> {
  const saved = view === undefined ? undefined : await filterOfView(ctx, view);
  const own = order && (order === 'asc' ? 'created' : '-created');
  return {
    conditions: [
      isSnoozed(filter.snoozed ?? saved?.filter.snoozed ?? false),
      ...(saved ? await conditionsOf(ctx, saved.filter) : []),
      ...(await conditionsOf(ctx, filter)),
    ],
    sort: sort ?? own ?? saved?.sort ?? '-created',
  };
}

async function listPage(ctx: SiteContext, input: ListInput): Promise<Page<ReturnType<typeof presentTicket>>> {
  const { conditions, sort } = await choose(ctx, input);
  const { columns, values, bounds, direction, compare } = sortingOf(sort);
  const after = decodeCursor(input.cursor, columns.length);
  if (after) conditions.push(sql`(${sql.join(columns)}) ${compare} (${sql.join(bounds(after))})`);
  const rows = await loadTickets(ctx, {
    where: sql`t.site_id = ${ctx.site.id} and ${sql.join(conditions, sql` and `)}`,
    order: sql.join(columns.map((column) => sql`${column} ${direction}`)),
    limit: input.limit + 1,
  });
  return pageOf(rows, input.limit, values, presentTicket);
}

/** One ticket by its id, with its replies, whatever else is asked for; else a page of those that the filter chooses. */
export const listTickets = (ctx: SiteContext, input: ListInput): Promise<OutputOf<'tickets.list'>> =>
  input.id === undefined ? listPage(ctx, input) : getTicket(ctx, input.id);
