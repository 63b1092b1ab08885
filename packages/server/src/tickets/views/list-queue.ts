import type { InboxSort, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { cursorOf, type InboxPlace, placeIn } from '../../conversations/lists/inbox-place.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime } from '../../db/keyset.ts';
import { presentTicketSummary, ticketsOfIds } from '../tickets.ts';
import { fewTicketsOf, ticketConditions } from './inbox-filter.ts';
import { byStatus, conditionOf, inParts, type Part, partsFor } from './queues.ts';

type List = ParsedInputOf<'inbox.tickets'>;
type Condition = RawBuilder<SqlBool>;

/** How many tickets a filtered page reads per part. Then it ends, and the next continues there. */
const LOOKED_AT = 800;

/** A scan through parts, in the order of their index. */
interface Walk {
  parts: Part[];
  direction: 'asc' | 'desc';
  /** The rank in a place: constant, or the priority. */
  rank: number | 'priority_rank';
  time: 'last_activity_at' | 'unanswered_since' | 'created_at' | 'snoozed_until' | 'sla_due_at';
  /** A condition in addition to the parts. */
  where?: Condition;
  /** Like `where`, but so selective that a scan would read too far. */
  choose?: Condition;
}

const WAITING: readonly ['new', 'open'] = ['new', 'open'];
const waits = sql<SqlBool>`(t.status in ('new', 'open') and t.unanswered_since is not null)`;

const NOTHING_DUE: readonly unknown[] = ['solved', 'closed'];

/** Due times have an index over all statuses, because only tickets that aren't solved are due. */
function dueParts(parts: readonly Part[]): Part[] {
  const open = parts.filter(({ spam, status }) => !spam && !NOTHING_DUE.includes(status));
  const wider = open.map(({ status: _, ...part }) => part);
  return [...new Map(wider.map((part) => [JSON.stringify(part), part])).values()];
}

/**
 * The same orders as `sortKey` in the protocol. In `waiting` and `next_due`, tickets that wait or are due come first,
 * then the others.
 */
function walksOf(ctx: SiteContext, sort: InboxSort, parts: Part[]): Walk[] {
  switch (sort) {
    case 'waiting':
      return [
        {
          parts: parts.flatMap((part) => byStatus(part, WAITING)),
          direction: 'asc',
          rank: 1,
          time: 'unanswered_since',
          where: sql`t.unanswered_since is not null`,
        },
        { parts, direction: 'asc', rank: 2, time: 'last_activity_at', choose: sql`not ${waits}` },
      ];
    case 'priority':
      return [{ parts, direction: 'desc', rank: 'priority_rank', time: 'created_at' }];
    case 'due':
      if (!parts.every(({ snoozed }) => snoozed)) return walksOf(ctx, 'newest', parts);
      return [
        {
          parts,
          direction: 'asc',
          rank: 0,
          time: 'snoozed_until',
          where: sql`t.snoozed_until is not null`,
        },
      ];
    case 'next_due':
      return [
        {
          parts: dueParts(parts),
          direction: 'asc',
          rank: 0,
          time: 'sla_due_at',
          where: sql`t.sla_due_at is not null`,
          choose: inParts(ctx, parts),
        },
        { parts, direction: 'asc', rank: 1, time: 'last_activity_at', choose: sql`t.sla_due_at is null` },
      ];
    default:
      return [{ parts, direction: sort === 'oldest' ? 'asc' : 'desc', rank: 0, time: 'last_activity_at' }];
  }
}

interface Looked {
  id: number;
  rank: number;
  at: Date;
  hit: boolean;
}

interface Filtering {
  conditions: readonly Condition[];
  /** The only tickets that can match. */
  few: number[] | undefined;
}

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;

/** Reads up to `most` rows after a place in a scan's order, each with whether the filter matches. */
async function look(
  ctx: SiteContext,
  walk: Walk,
  { conditions, few }: Filtering,
  after: InboxPlace | undefined,
  most: number,
): Promise<Looked[]> {
  const { direction, rank, time, where = sql`true`, choose = sql`true` } = walk;
  const at = sql.ref(`t.${time}`);
  const ranked = rank === 'priority_rank';
  const way = sql.raw(direction);
  const step = direction === 'asc' ? sql`>` : sql`<`;
  const [r = 0, ms = 0, id = 0] = after ?? [];
  const place = sql`${cursorTime(ms)}::timestamptz, ${id}::bigint`;
  const beyond = !after
    ? sql`true`
    : ranked
      ? sql`(t.priority_rank, ${at}, t.id) ${step} (${r}::bigint, ${place})`
      : sql`(${at}, t.id) ${step} (${place})`;
  const hit = all([choose, ...conditions]);
  const columns = sql`t.id, ${ranked ? sql`t.priority_rank::int` : sql.lit(rank)} as rank, ${at} as at`;
  const order = sql`${ranked ? sql`t.priority_rank ${way},` : sql``} ${at} ${way}, t.id ${way}`;
  const selects = few
    ? [
        sql`(select ${columns}, true as hit from tickets t
          where t.site_id = ${ctx.site.id} and t.id = any (${few}::bigint[]) and ${inParts(ctx, walk.parts)}
            and ${where} and ${beyond} and ${hit} order by ${order} limit ${most})`,
      ]
    : walk.parts.map(
        (part) => sql`(select ${columns}, ${hit} as hit from tickets t
          where ${conditionOf(ctx, part)} and ${where} and ${beyond} order by ${order} limit ${most})`,
      );
  if (selects.length === 0) return [];
  const { rows } = await sql<Looked>`
    select id, rank, at, hit from (${sql.join(selects, sql` union all `)}) t
    order by ${ranked ? sql`rank ${way},` : sql``} at ${way}, id ${way} limit ${most}`.execute(ctx.db);
  return rows;
}

const placeOf = ({ rank, at, id }: Looked): InboxPlace => [rank, at.getTime(), id];

interface Found {
  ids: number[];
  /** Where the page ended; undefined: there is nothing after it. */
  end: InboxPlace | undefined;
}

/**
 * A page of a scan. It ends at the last place read, not at a ticket, so a ticket that moves meanwhile doesn't
 * affect it.
 */
async function findIn(
  ctx: SiteContext,
  walk: Walk,
  filtering: Filtering,
  after: InboxPlace | undefined,
  limit: number,
): Promise<Found> {
  const isWhole = filtering.few !== undefined || (filtering.conditions.length === 0 && !walk.choose);
  const most = isWhole ? limit + 1 : Math.max(LOOKED_AT, limit + 1);
  const rows = await look(ctx, walk, filtering, after, most);
  const hits = rows.filter(({ hit }) => hit);
  const shown = hits.slice(0, limit);
  const last = hits.length > limit ? shown.at(-1) : rows.length === most ? rows.at(-1) : undefined;
  return { ids: shown.map(({ id }) => id), end: last && placeOf(last) };
}

async function findPage(ctx: SiteContext, { queue, sort, limit, cursor, ...filter }: List): Promise<Found> {
  const conditions = await ticketConditions(ctx, filter);
  if (!conditions) return { ids: [], end: undefined };
  const filtering = { conditions, few: await fewTicketsOf(ctx, filter) };
  let after = placeIn(sort, cursor);
  const walks = walksOf(ctx, sort, partsFor(ctx, queue, filter));
  const from =
    walks.length > 1
      ? Math.max(
          0,
          walks.findIndex(({ rank }) => rank === after?.[0]),
        )
      : 0;
  const ids: number[] = [];
  for (const [at, walk] of walks.entries()) {
    if (at < from) continue;
    if (ids.length === limit) return { ids, end: [Number(walk.rank), 0, 0] };
    const found = await findIn(ctx, walk, filtering, after, limit - ids.length);
    ids.push(...found.ids);
    if (found.end) return { ids, end: found.end };
    after = undefined;
  }
  return { ids, end: undefined };
}

/** The tickets of a queue, or all that aren't snoozed, that match a filter, in the requested order. */
export async function listQueueTickets(ctx: SiteContext, input: List): Promise<OutputOf<'inbox.tickets'>> {
  const { ids, end } = await findPage(ctx, input);
  const found = new Map((await ticketsOfIds(ctx, ids)).map((row) => [row.id, row]));
  return {
    items: ids.flatMap((id) => found.get(id) ?? []).map(presentTicketSummary),
    limit: input.limit,
    next_cursor: end ? cursorOf(input.sort, end) : null,
  };
}
