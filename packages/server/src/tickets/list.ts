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
import { cursorTime, decodeCursor, encodeCursor, type Page, pageOf } from '../db/keyset.ts';
import { fewWithFields, fieldConditions } from '../sites/fields/field-filter.ts';
import { isDue } from '../sla/due-filter.ts';
import { findTag } from '../tags/tags.ts';
import { phrasesOf } from '../text/quoted-phrases.ts';
import { type Newest, searchTickets } from './search/list.ts';
import { lookAlong } from './search/look-along.ts';
import { READ_FOR_PHRASES, ticketsSaying } from './search/message-search.ts';
import {
  getTicket,
  loadTickets,
  type PageChoice,
  presentTicket,
  presentTicketSummary,
  type TicketRow,
} from './tickets.ts';
import { conditionsOf, isInState, rankOf } from './views/filter.ts';
import { filterOfView } from './views/saved-views.ts';

/** The sort orders of the contract, and those that only the desk uses. */
export type ListSort = TicketSort | 'activity' | '-activity';
/** Cursors contain the index of their order. */
const SORTS: readonly ListSort[] = [...TICKET_SORTS, 'activity', '-activity'];

/** The number that identifies a sort order in its cursors. */
export const markOf = (sort: ListSort): number => SORTS.indexOf(sort);

type ListInput = Omit<ParsedInputOf<'tickets.list'>, 'sort'> & { sort?: ListSort | undefined };

/** `where`: further conditions on the tickets `t`. */
type RowsInput = Omit<ListInput, 'id'> & { where?: readonly RawBuilder<SqlBool>[] };

interface Order {
  /** Columns of `t` that each list is sorted by, all in one direction, the id last. */
  columns: RawBuilder<unknown>[];
  values(row: TicketRow): number[];
  /** The values of a cursor, cast to the types of the columns. */
  bounds(values: number[]): RawBuilder<unknown>[];
}

const time = (ms?: number): RawBuilder<unknown> => sql`${cursorTime(ms)}::timestamptz`;
const whole = (value = 0): RawBuilder<unknown> => sql`${value}::bigint`;

const ORDERS: Record<'created' | 'updated' | 'priority' | 'activity' | 'next_due', Order> = {
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
  next_due: {
    columns: [sql`t.sla_due_at`, sql`t.id`],
    values: (row) => [row.sla_due_at?.getTime() ?? 0, row.id],
    bounds: ([at, id]) => [time(at), whole(id)],
  },
};

/**
 * By tag and creation time. The index of tags contains the ticket's time, so a tag that half of a million tickets
 * have costs no more than one that three have.
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
  /** First value of every cursor, so that a cursor of another order is refused. */
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
  /** Conditions that no index supports. */
  looked: RawBuilder<SqlBool>[];
  keepPlan: boolean;
}

/** Filters that an index begins with in every order. */
const INDEXED: readonly (keyof TicketFilter)[] = ['status', 'priority', 'assignee_id'];
const FILTERS: readonly (keyof TicketFilter)[] = [
  ...INDEXED,
  'requester_key',
  'team_id',
  'tag',
  'due',
  'fields',
  'q',
  'since',
  'updated_since',
];

/**
 * Whether the same plan suits all values: with one filter at most, and an index of it in this order. Of several the
 * rarest should lead, and how far back a time reaches decides which index is read.
 */
function isPlanKept(filters: readonly TicketFilter[], { key }: Sorting): boolean {
  const given = filters.flatMap((filter) => FILTERS.filter((name) => filter[name] !== undefined));
  const indexed =
    key === 'created' ? [...INDEXED, 'requester_key', 'tag'] : key === 'next_due' ? ['assignee_id'] : INDEXED;
  return given.length <= 1 && given.every((name) => indexed.includes(name));
}

/** Where a list starts reading. An unknown tag has no tickets. */
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

/**
 * Up to this many recently changed or due tickets are sorted; with more, the list's own order soon reaches one.
 */
const FEW_SORTED = 5_000;

/**
 * Recently changed and due tickets may be anywhere in another order: if they are few, they are found in their own.
 * The planner assumes that they are spread evenly, and would read all others.
 */
async function isAmong(
  { db, site }: SiteContext,
  hasState: RawBuilder<SqlBool>,
  condition: RawBuilder<SqlBool>,
  order: RawBuilder<unknown>,
): Promise<RawBuilder<SqlBool>> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t where t.site_id = ${site.id} and ${hasState} and ${condition}
    order by ${order} limit ${FEW_SORTED + 1}`.execute(db);
  return rows.length > FEW_SORTED ? sql`true` : sql`t.id = any (${rows.map(({ id }) => id)}::bigint[])`;
}

/** The few tickets that a filter can only find in another order than the list's. */
async function fewOf(
  ctx: SiteContext,
  { updated_since, due }: TicketFilter,
  hasState: RawBuilder<SqlBool>,
  { key }: Sorting,
): Promise<RawBuilder<SqlBool>[]> {
  const found: RawBuilder<SqlBool>[] = [];
  if (updated_since !== undefined && key !== 'updated') {
    const isChanged = sql<SqlBool>`t.updated_at >= ${new Date(updated_since)}`;
    found.push(await isAmong(ctx, hasState, isChanged, sql`t.updated_at desc, t.id desc`));
  }
  if (due !== undefined && key !== 'next_due')
    found.push(await isAmong(ctx, hasState, isDue(due, ctx.now()), sql`t.sla_due_at, t.id`));
  return found;
}

const isSolved = ({ status }: TicketFilter): boolean => status === 'solved' || status === 'closed';

/** Nothing is due on solved tickets: their index would be read in vain. */
const mayBeDue = (filters: readonly TicketFilter[]): RawBuilder<SqlBool> =>
  filters.some(isSolved) ? sql`false` : sql`t.sla_due_at is not null`;

/** A list's own filter narrows its view. Its own `snoozed`, `spam` and order replace the view's. */
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
  const hasState = isInState({
    snoozed: filter.snoozed ?? saved?.filter.snoozed,
    spam: filter.spam ?? saved?.filter.spam,
  });
  walk.conditions.push(hasState, ...where);
  if (sorting.key === 'next_due') walk.conditions.push(mayBeDue(filters));
  const looked: RawBuilder<SqlBool>[] = [];
  for (const { q: _, tag, fields, ...plain } of filters) {
    const isLead = tag === lead?.tag;
    const ofFields = fieldConditions(ctx, 'tickets', fields);
    const few = await fewWithFields(ctx, 'tickets', fields, FEW_SORTED);
    if (few) walk.conditions.push(sql`t.id = any (${few}::bigint[])`, ...ofFields);
    else looked.push(...ofFields);
    walk.conditions.push(...(await conditionsOf(ctx, isLead ? plain : { ...plain, tag })));
    walk.conditions.push(...(await fewOf(ctx, plain, hasState, sorting)));
  }
  const keepPlan = where.length === 0 && isPlanKept(filters, sorting);
  return { walk, sorting, questions: filters.flatMap(({ q }) => q ?? []), looked, keepPlan };
}

const inDirection = (columns: RawBuilder<unknown>[], { direction }: Sorting): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${column} ${direction}`));

/** The values of a cursor, if it belongs to this order. @throws AppError 400 */
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
 * A page of rows that match the filter. With a phrase, which is checked in tickets that have its words, or a value that
 * many tickets have, a page may have fewer rows than its limit, or none, and still continue.
 */
export async function listTicketRows(
  ctx: SiteContext,
  input: RowsInput,
  readForPhrases = READ_FOR_PHRASES,
): Promise<Page<TicketRow>> {
  const { walk, sorting, questions, looked, keepPlan } = await choose(ctx, input);
  const { columns, values, bounds, compare, mark } = sorting;
  const phrases = questions.flatMap(phrasesOf);
  const limit = phrases.length === 0 ? input.limit : readForPhrases;
  const after = markedCursor(input.cursor, sorting);
  if (after) walk.conditions.push(sql`(${sql.join(walk.columns)}) ${compare} (${sql.join(bounds(after))})`);
  // A search looks at few tickets anyway: those that have the words.
  if (questions.length > 0) walk.conditions.push(...looked);
  const choice: PageChoice = {
    from: walk.from,
    where: sql<SqlBool>`${sql.join(walk.conditions, sql` and `)}`,
    walk: inDirection(walk.columns, sorting),
    order: inDirection(columns, sorting),
    limit: limit + 1,
  };
  const page = (all: readonly TicketRow[], most: number): Page<TicketRow> =>
    pageOf(
      all,
      most,
      (row) => [mark, ...values(row)],
      (row) => row,
    );
  if (questions.length === 0 && looked.length > 0) {
    const { rows, end } = await lookAlong(ctx, choice, looked);
    const found = page(rows, limit);
    return end ? { ...found, next_cursor: encodeCursor([mark, ...values(end)]) } : found;
  }
  const rows =
    questions.length === 0
      ? await loadTickets(ctx, { ...choice, keepPlan })
      : await searchTickets(ctx, choice, questions, newestAfter(sorting, after));
  const read = page(rows, limit);
  if (phrases.length === 0) return read;
  const saying = await ticketsSaying(ctx, read.items, phrases, input.limit + 1);
  return saying.length > input.limit
    ? page(saying, input.limit)
    : { ...read, items: saying, limit: input.limit };
}

/** A page of a filter or view, as the desk's list shows it. */
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

/** One ticket by id with its replies, ignoring the other filters; otherwise a page of tickets that match. */
export const listTickets = (
  ctx: SiteContext,
  input: ParsedInputOf<'tickets.list'>,
): Promise<OutputOf<'tickets.list'>> =>
  input.id === undefined ? listPage(ctx, input) : getTicket(ctx, input.id);
