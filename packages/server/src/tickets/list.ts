import {
  type OutputOf,
  type ParsedInputOf,
  TICKET_SORTS,
  type Ticket,
  type TicketFilter,
  type TicketSort,
} from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorTime, decodeCursor, type Page, pageOf } from '../db/keyset.ts';
import { findTag } from '../tags/tags.ts';
import { phrasesOf } from '../text/quoted-phrases.ts';
import { type Newest, searchTickets } from './search/list.ts';
import { READ_FOR_PHRASES, ticketsSaying } from './search/message-search.ts';
import {
  type Choice,
  getTicket,
  loadTickets,
  presentTicket,
  presentTicketSummary,
  type TicketRow,
} from './tickets.ts';
import { conditionsOf, isSnoozed, rankOf } from './views/filter.ts';
import { filterOfView } from './views/saved-views.ts';

/** The order of what the desk lists, beside those of the contract. */
export type ListSort = TicketSort | 'activity' | '-activity';
/** Their places mark cursors. */
const SORTS: readonly ListSort[] = [...TICKET_SORTS, 'activity', '-activity'];

/** The mark of a sort order, first in its cursors. */
export const markOf = (sort: ListSort): number => SORTS.indexOf(sort);

type ListInput = Omit<ParsedInputOf<'tickets.list'>, 'sort'> & { sort?: ListSort | undefined };

/** `where`: further conditions on the tickets `t`. */
type RowsInput = Omit<ListInput, 'id'> & { where?: readonly RawBuilder<SqlBool>[] };

interface Order {
  /** Columns of `t`; each list is sorted by all of them in one direction, the id last. */
  columns: RawBuilder<unknown>[];
  values(row: TicketRow): number[];
  /** The values of a cursor as its columns have them. */
  bounds(values: number[]): RawBuilder<unknown>[];
}

const time = (ms?: number): RawBuilder<unknown> => sql`${cursorTime(ms)}::timestamptz`;
const whole = (value = 0): RawBuilder<unknown> => sql`${value}::bigint`;

const ORDERS: Record<'created' | 'updated' | 'priority' | 'activity', Order> = {
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
  activity: {
    columns: [sql`t.last_activity_at`, sql`t.id`],
    values: (row) => [row.last_activity_at.getTime(), row.id],
    bounds: ([at, id]) => [time(at), whole(id)],
  },
  priority: {
    columns: [sql`t.priority_rank`, sql`t.created_at`, sql`t.id`],
    values: (row) => [rankOf(row.priority), row.created_at.getTime(), row.id],
    bounds: ([rank, at, id]) => [whole(rank), time(at), whole(id)],
  },
};

/**
 * By a tag and by when they were made: its own index gives them in that order, by a copy of the ticket's time, so that
 * a tag that half of a million tickets have costs no more than one that three have.
 */
const BY_TAG: Pick<Walk, 'from' | 'columns'> = {
  from: sql`ticket_tags tt join tickets t on t.site_id = tt.site_id and t.id = tt.ticket_id`,
  columns: [sql`tt.created_at`, sql`tt.ticket_id`],
};

interface Walk {
  from: RawBuilder<unknown>;
  columns: RawBuilder<unknown>[];
  conditions: RawBuilder<SqlBool>[];
}

interface Sorting extends Order {
  key: keyof typeof ORDERS;
  /** First in each cursor: one of another order would go on from anywhere. */
  mark: number;
  direction: RawBuilder<unknown>;
  compare: RawBuilder<unknown>;
}

function sortingOf(sort: ListSort): Sorting {
  const isDescending = sort.startsWith('-');
  const key = sort.replace('-', '') as keyof typeof ORDERS;
  return {
    ...ORDERS[key],
    key,
    mark: markOf(sort),
    direction: isDescending ? sql`desc` : sql`asc`,
    compare: isDescending ? sql`<` : sql`>`,
  };
}

interface Chosen {
  walk: Walk;
  sorting: Sorting;
  questions: string[];
}

/** Where a list begins to look. A tag that the site doesn't have has no tickets. */
async function walkOf(ctx: SiteContext, sorting: Sorting, lead: TicketFilter | undefined): Promise<Walk> {
  const { site } = ctx;
  if (lead?.tag === undefined)
    return { from: sql`tickets t`, columns: sorting.columns, conditions: [sql`t.site_id = ${site.id}`] };
  const tagId = await findTag(ctx, lead.tag);
  const conditions: RawBuilder<SqlBool>[] = [sql`tt.site_id = ${site.id}`];
  conditions.push(tagId === undefined ? sql`false` : sql`tt.tag_id = ${tagId}`);
  if (lead.since !== undefined) conditions.push(sql`tt.created_at >= ${new Date(lead.since)}`);
  return { ...BY_TAG, conditions };
}

/** So many that were changed lately are sorted; with more, the next of a list's order that was changed is not far. */
const CHANGED_SORTED = 5_000;

/**
 * What was changed lately may stand anywhere in another order: where it is little, it is found by the order of changes.
 * The planner takes it to be spread evenly, and would look through all that is older.
 */
async function isAmongChanged(
  { db, site }: SiteContext,
  since: string,
  hasState: RawBuilder<SqlBool>,
): Promise<RawBuilder<SqlBool>> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t.site_id = ${site.id} and ${hasState} and t.updated_at >= ${new Date(since)}
    order by t.updated_at desc, t.id desc limit ${CHANGED_SORTED + 1}`.execute(db);
  return rows.length > CHANGED_SORTED ? sql`true` : sql`t.id = any (${rows.map(({ id }) => id)}::bigint[])`;
}

/** A list's own filter narrows its view's down; its own `snoozed` and order count instead of the view's. */
async function choose(
  ctx: SiteContext,
  { view, sort, order, where = [], ...filter }: RowsInput,
): Promise<Chosen> {
  const saved = view === undefined ? undefined : await filterOfView(ctx, view);
  const own = order && (order === 'asc' ? 'created' : '-created');
  const sorting = sortingOf(sort ?? own ?? saved?.sort ?? '-created');
  const filters: TicketFilter[] = [filter, ...(saved ? [saved.filter] : [])];
  const lead = sorting.key === 'created' ? filters.find(({ tag }) => tag !== undefined) : undefined;
  const walk = await walkOf(ctx, sorting, lead);
  const hasState = isSnoozed(filter.snoozed ?? saved?.filter.snoozed ?? false);
  walk.conditions.push(hasState, ...where);
  for (const { q: _, tag, ...plain } of filters) {
    const isLead = tag === lead?.tag;
    walk.conditions.push(...(await conditionsOf(ctx, isLead ? plain : { ...plain, tag })));
    if (plain.updated_since !== undefined && sorting.key !== 'updated')
      walk.conditions.push(await isAmongChanged(ctx, plain.updated_since, hasState));
  }
  return { walk, sorting, questions: filters.flatMap(({ q }) => q ?? []) };
}

const inDirection = (columns: RawBuilder<unknown>[], { direction }: Sorting): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${column} ${direction}`));

/** The values that a page ended with, if its list was in this order. @throws AppError 400 */
function markedCursor(cursor: string | undefined, { mark, columns }: Sorting): number[] | undefined {
  const values = decodeCursor(cursor, columns.length + 1);
  if (values === undefined) return undefined;
  const [first, ...after] = values;
  if (first !== mark) throw invalidInput([{ path: 'cursor', message: 'isn’t a cursor of this sort order' }]);
  return after;
}

/** @returns undefined for any other order. */
function newestAfter({ mark }: Sorting, after: number[] | undefined): Newest | undefined {
  if (SORTS[mark] !== '-created') return undefined;
  const [at = 0, id = 0] = after ?? [];
  return after ? { before: { at: cursorTime(at), id } } : {};
}

/**
 * A page of those that the filter chooses, as rows. Of a phrase, which is read for in what has its words, a page may have
 * fewer than its limit, or none, and go on all the same.
 */
export async function listTicketRows(
  ctx: SiteContext,
  input: RowsInput,
  readForPhrases = READ_FOR_PHRASES,
): Promise<Page<TicketRow>> {
  const { walk, sorting, questions } = await choose(ctx, input);
  const { columns, values, bounds, compare, mark } = sorting;
  const phrases = questions.flatMap(phrasesOf);
  const limit = phrases.length === 0 ? input.limit : readForPhrases;
  const after = markedCursor(input.cursor, sorting);
  if (after) walk.conditions.push(sql`(${sql.join(walk.columns)}) ${compare} (${sql.join(bounds(after))})`);
  const choice: Choice = {
    from: walk.from,
    where: sql<SqlBool>`${sql.join(walk.conditions, sql` and `)}`,
    walk: inDirection(walk.columns, sorting),
    order: inDirection(columns, sorting),
    limit: limit + 1,
  };
  const rows =
    questions.length === 0
      ? await loadTickets(ctx, choice)
      : await searchTickets(ctx, choice, questions, newestAfter(sorting, after));
  const page = (all: readonly TicketRow[], most: number): Page<TicketRow> =>
    pageOf(
      all,
      most,
      (row) => [mark, ...values(row)],
      (row) => row,
    );
  const read = page(rows, limit);
  if (phrases.length === 0) return read;
  const saying = await ticketsSaying(ctx, read.items, phrases, input.limit + 1);
  return saying.length > input.limit
    ? page(saying, input.limit)
    : { ...read, items: saying, limit: input.limit };
}

/** The page of a filter or a view as the desk's list shows it. */
export async function listTicketSummaries(
  ctx: SiteContext,
  input: ParsedInputOf<'inbox.filtered'>,
): Promise<OutputOf<'inbox.filtered'>> {
  const page = await listTicketRows(ctx, input);
  return { ...page, items: page.items.map(presentTicketSummary) };
}

async function listPage(ctx: SiteContext, input: ListInput): Promise<Page<Ticket>> {
  const page = await listTicketRows(ctx, input);
  return { ...page, items: page.items.map(presentTicket) };
}

/** One ticket by its id, with its replies, whatever else is asked for; else a page of those that the filter chooses. */
export const listTickets = (
  ctx: SiteContext,
  input: ParsedInputOf<'tickets.list'>,
): Promise<OutputOf<'tickets.list'>> =>
  input.id === undefined ? listPage(ctx, input) : getTicket(ctx, input.id);
