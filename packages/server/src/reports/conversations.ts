import type {
  OutputOf,
  ParsedInputOf,
  ReportConversation,
  SessionStatus,
  TicketStatus,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { cursorTime, decodeCursor, pageOf } from '../db/keyset.ts';
import { frameOf } from './reading.ts';

interface PersonRow {
  id: number;
  created_at: Date;
  key: string | null;
  name: string | null;
  email: string | null;
}
interface ChatRow extends PersonRow {
  kind: 'chat';
  session_id: string;
  status: SessionStatus;
}
interface TicketRow extends PersonRow {
  kind: 'ticket';
  subject: string;
  status: TicketStatus;
}
type Row = ChatRow | TicketRow;

/** Decides between a chat and a ticket of the same moment. */
const KIND_ORDER = { ticket: 0, chat: 1 } as const;

/** Where a page begins: behind this row. */
interface Place {
  at: Date;
  kind: number;
  id: number;
}

function placeOf(cursor: string | undefined): Place | undefined {
  const [at, kind, id] = decodeCursor(cursor, 3) ?? [];
  if (at === undefined || kind === undefined || id === undefined) return undefined;
  return { at: cursorTime(at), kind, id };
}

/** What comes behind the place, of one kind whose rows are sorted by time and id. */
function isBehind(
  place: Place | undefined,
  kind: keyof typeof KIND_ORDER,
  row: 'c' | 't',
): RawBuilder<boolean> {
  if (!place) return sql`true`;
  const order = KIND_ORDER[kind];
  const id = order < place.kind ? Number.MAX_SAFE_INTEGER : order > place.kind ? 0 : place.id;
  const at = row === 'c' ? sql`c.started_at` : sql`t.created_at`;
  return sql`(${at}, ${sql.ref(`${row}.id`)}) < (${place.at}::timestamptz, ${id}::bigint)`;
}

interface Days {
  from: RawBuilder<Date>;
  to: RawBuilder<Date>;
}

async function listChats(
  { db, site }: SiteContext,
  { from, to }: Days,
  place: Place | undefined,
  limit: number,
): Promise<ChatRow[]> {
  const { rows } = await sql<ChatRow>`
    select 'chat' as kind, c.id, c.session_id, c.status, c.started_at as created_at, v.key, v.name, v.email
    from conversations c
    left join visitors v on v.site_id = c.site_id and v.id = c.visitor_id and v.erased_at is null
    where c.site_id = ${site.id} and c.started_at >= ${from} and c.started_at < ${to} and ${isBehind(place, 'chat', 'c')}
    order by c.started_at desc, c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Of the snoozed, or of the others: each is in the order of an index. */
async function listTickets(
  { db, site }: SiteContext,
  { from, to }: Days,
  place: Place | undefined,
  limit: number,
  snoozed: boolean,
): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select 'ticket' as kind, t.id, t.subject, t.status, t.created_at, v.key, v.name, v.email
    from tickets t
    left join visitors v on v.site_id = t.site_id and v.id = t.requester_id and v.erased_at is null
    where t.site_id = ${site.id} and t.snoozed = ${snoozed} and t.created_at >= ${from} and t.created_at < ${to}
      and t.imported_at is null and ${isBehind(place, 'ticket', 't')}
    order by t.created_at desc, t.id desc limit ${limit}`.execute(db);
  return rows;
}

function present(row: Row): ReportConversation {
  const { key, name, email } = row;
  const started = { visitor: { key, name, email }, created_utc: row.created_at.toISOString() };
  return row.kind === 'chat'
    ? { kind: 'chat', session_id: row.session_id, status: row.status, ...started }
    : { kind: 'ticket', id: row.id, subject: row.subject, status: row.status, ...started };
}

const keyOf = (row: Row): [number, number, number] => [
  row.created_at.getTime(),
  KIND_ORDER[row.kind],
  row.id,
];

/** The chats and tickets behind a bar of the volume, in the time zone of the reports. */
export async function listConversations(
  ctx: SiteContext,
  { day, days, limit, cursor }: ParsedInputOf<'reports.conversations'>,
): Promise<OutputOf<'reports.conversations'>> {
  const { time_zone: zone } = (await frameOf(ctx, { range: 'custom', from: day, to: day })).head;
  const start = sql<Date>`(${day}::date::timestamp at time zone ${zone})`;
  const end = sql<Date>`((${day}::date + ${days}::int)::timestamp at time zone ${zone})`;
  const within = { from: start, to: end };
  const place = placeOf(cursor);
  const found: Row[][] = await Promise.all([
    listChats(ctx, within, place, limit + 1),
    listTickets(ctx, within, place, limit + 1, false),
    listTickets(ctx, within, place, limit + 1, true),
  ]);
  const rows = found.flat().toSorted((one, other) => {
    const [at, kind, id] = keyOf(one);
    const [otherAt, otherKind, otherId] = keyOf(other);
    return otherAt - at || otherKind - kind || otherId - id;
  });
  return pageOf(rows, limit, keyOf, present);
}
