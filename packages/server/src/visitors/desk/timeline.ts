import {
  type EventProperties,
  type OutputOf,
  type ParsedInputOf,
  type SessionStatus,
  TIMELINE_KINDS,
  type TicketStatus,
  type TimelineEntry,
  type TimelineKind,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime, decodeCursor, encodeCursor } from '../../db/keyset.ts';
import { findVisitor } from '../rows.ts';
import { loadNotes, presentNote } from './notes.ts';

type List = ParsedInputOf<'visitors.timeline'>;

/** Where the list of one kind continues: after this id; for tickets, after this time and id. */
interface Place {
  id: number;
  atMs: number;
}

interface Ask {
  ctx: SiteContext;
  visitorId: number;
  order: 'asc' | 'desc';
  limit: number;
  after: Place;
}

type Dated = { entry: TimelineEntry; place: Place };
type Reader = (ask: Ask) => Promise<Dated[]>;

/** One page after the given place, in the list's order. No row has the id 0. */
const pageOf = (table: string, { order, after, limit }: Ask): RawBuilder<unknown> => {
  const id = sql.ref(`${table}.id`);
  const beyond = after.id === 0 ? sql`true` : sql`${id} ${order === 'asc' ? sql`>` : sql`<`} ${after.id}`;
  return sql`${beyond} order by ${id} ${sql.raw(order)} limit ${limit}`;
};

const dated = (entry: TimelineEntry): Dated => ({
  entry,
  place: { id: entry.id, atMs: Date.parse(entry.at_utc) },
});

const readEvents: Reader = async (ask) => {
  const { ctx, visitorId } = ask;
  const { rows } = await sql<{ id: number; name: string; properties: EventProperties; occurred_at: Date }>`
    select e.id, e.name, e.properties, e.occurred_at from visitor_events e
    where e.site_id = ${ctx.site.id} and e.visitor_id = ${visitorId} and ${pageOf('e', ask)}`.execute(ctx.db);
  return rows.map(({ id, name, properties, occurred_at }) =>
    dated({ kind: 'event', id, at_utc: occurred_at.toISOString(), name, properties }),
  );
};

interface PageRow {
  id: number;
  url: string;
  title: string | null;
  referrer: string | null;
  opened_at: Date;
  left_at: Date | null;
}

const readPages: Reader = async (ask) => {
  const { ctx, visitorId } = ask;
  const { rows } = await sql<PageRow>`
    select p.id, p.url, p.title, p.referrer, p.opened_at, p.left_at from visitor_pages p
    where p.site_id = ${ctx.site.id} and p.visitor_id = ${visitorId} and ${pageOf('p', ask)}`.execute(ctx.db);
  return rows.map((row) =>
    dated({
      kind: 'page',
      id: row.id,
      at_utc: row.opened_at.toISOString(),
      page_url: row.url,
      page_title: row.title,
      referrer: row.referrer,
      left_utc: row.left_at?.toISOString() ?? null,
    }),
  );
};

interface ChatRow {
  id: number;
  session_id: string;
  status: SessionStatus;
  excerpt: string | null;
  agent_id: number | null;
  agent_name: string | null;
  started_at: Date;
}

const readChats: Reader = async (ask) => {
  const { ctx, visitorId } = ask;
  const { rows } = await sql<ChatRow>`
    select c.id, c.session_id, c.status,
      case when c.status = 'closed' then coalesce(c.about, c.said_text) else c.said_text end as excerpt, c.agent_id, a.name as agent_name, c.started_at
    from conversations c left join agents a on a.site_id = c.site_id and a.id = c.agent_id
    where c.site_id = ${ctx.site.id} and c.visitor_id = ${visitorId} and ${pageOf('c', ask)}`.execute(ctx.db);
  return rows.map((row) =>
    dated({
      kind: 'chat',
      id: row.id,
      at_utc: row.started_at.toISOString(),
      session_id: row.session_id,
      status: row.status,
      last_text: row.excerpt ?? '',
      agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent_name ?? '' },
    }),
  );
};

interface TicketRow {
  id: number;
  subject: string;
  status: TicketStatus;
  created_at: Date;
}

/** Ordered by time, like the index of requesters. */
const readTickets: Reader = async ({ ctx, visitorId, order, after, limit }) => {
  const behind = order === 'asc' ? sql`>` : sql`<`;
  const beyond =
    after.id === 0
      ? sql`true`
      : sql`(t.created_at, t.id) ${behind} (${cursorTime(after.atMs)}::timestamptz, ${after.id})`;
  const direction = sql.raw(order);
  const { rows } = await sql<TicketRow>`
    select t.id, t.subject, t.status, t.created_at from tickets t
    where t.site_id = ${ctx.site.id} and t.requester_id = ${visitorId} and ${beyond}
    order by t.created_at ${direction}, t.id ${direction} limit ${limit}`.execute(ctx.db);
  return rows.map(({ id, subject, status, created_at }) =>
    dated({ kind: 'ticket', id, at_utc: created_at.toISOString(), subject, status }),
  );
};

const readNotes: Reader = async (ask) => {
  const rows = await loadNotes(ask.ctx, sql`n.visitor_id = ${ask.visitorId} and ${pageOf('n', ask)}`);
  return rows.map((row) =>
    dated({ kind: 'note', id: row.id, at_utc: row.created_at.toISOString(), note: presentNote(row) }),
  );
};

const READERS: Readonly<Record<TimelineKind, Reader>> = {
  event: readEvents,
  page: readPages,
  chat: readChats,
  ticket: readTickets,
  note: readNotes,
};

type Places = Readonly<Record<TimelineKind, Place>>;

/** The ids of each kind in order, and the ticket's time. */
function placesOf(cursor: string | undefined): Places {
  const values = decodeCursor(cursor, TIMELINE_KINDS.length + 1) ?? [];
  const atMs = values.at(-1) ?? 0;
  return Object.fromEntries(
    TIMELINE_KINDS.map((kind, at) => [kind, { id: values[at] ?? 0, atMs }]),
  ) as Places;
}

const cursorOf = (places: Places): string =>
  encodeCursor([...TIMELINE_KINDS.map((kind) => places[kind].id), places.ticket.atMs]);

/**
 * Merges the lists by time. Each kind keeps its own order, so nothing is repeated or skipped if times are out of
 * order, as with events reported late.
 */
function merged(lists: Dated[][], order: 'asc' | 'desc', limit: number): Dated[] {
  const heads = lists.map((list) => ({ list, at: 0 }));
  const shown: Dated[] = [];
  while (shown.length < limit) {
    let next: { list: Dated[]; at: number } | undefined;
    const timeOf = ({ list, at }: { list: Dated[]; at: number }): number => list[at]?.place.atMs ?? 0;
    for (const head of heads) {
      if (head.at === head.list.length) continue;
      const isFirst = !next || (order === 'asc' ? timeOf(head) < timeOf(next) : timeOf(head) > timeOf(next));
      if (isFirst) next = head;
    }
    const item = next?.list[next.at];
    if (!next || !item) break;
    next.at++;
    shown.push(item);
  }
  return shown;
}

/** Everything a visitor did, and everything done for them, in one list. @throws AppError 404 */
export async function listTimeline(
  ctx: SiteContext,
  { key, kind, limit, order, cursor }: List,
): Promise<OutputOf<'visitors.timeline'>> {
  const visitor = await findVisitor(ctx.db, ctx.site.id, key);
  if (!visitor) throw notFound('visitor');
  const places = placesOf(cursor);
  const kinds = kind === undefined ? TIMELINE_KINDS : [kind];
  const lists = await Promise.all(
    kinds.map((one) =>
      READERS[one]({ ctx, visitorId: visitor.id, order, limit: limit + 1, after: places[one] }),
    ),
  );
  const found = merged(lists, order, limit + 1);
  const shown = found.slice(0, limit);
  const ended: Record<TimelineKind, Place> = { ...places };
  for (const { entry, place } of shown) ended[entry.kind] = place;
  return {
    items: shown.map(({ entry }) => entry),
    limit,
    next_cursor: found.length > limit ? cursorOf(ended) : null,
  };
}
