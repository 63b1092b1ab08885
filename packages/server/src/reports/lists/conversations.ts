import type {
  OutputOf,
  ParsedInputOf,
  ReportConversation,
  SessionStatus,
  TicketStatus,
} from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime, decodeCursor, pageOf } from '../../db/keyset.ts';
import { isSession } from '../counting.ts';
import { type StoredCount, type StoredMeasure, storedMeasure } from '../measures.ts';
import type { Days } from '../period.ts';
import { frameOf, readSums, type Sum } from '../reading.ts';
import { type Figure, isInFigure, measuresOf } from './figures.ts';

interface PersonRow {
  /** The last day on which the figure counts the record. */
  day: string;
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

/** Tie-breaker between a chat and a ticket of the same moment. */
const KIND_ORDER = { ticket: 0, chat: 1 } as const;

/** What a record has added to the sums. */
interface Source {
  record: string;
  counts: readonly StoredCount[];
}

/** By day, then by start, newest first. */
type Place = readonly [day: number, createdMs: number, kind: number, id: number];

const placeOf = ({ day, created_at, kind, id }: Row): Place => [
  Date.parse(day) / DAY_MS,
  created_at.getTime(),
  KIND_ORDER[kind],
  id,
];

function readPlace(cursor: string | undefined): Place | undefined {
  const [day, ms, kind, id] = decodeCursor(cursor, 4) ?? [];
  if (day === undefined || ms === undefined || kind === undefined || id === undefined) return undefined;
  return [cursorTime(day * DAY_MS).getTime() / DAY_MS, cursorTime(ms).getTime(), kind, id];
}

/** Negative if the first place comes first. */
function comparePlaces(one: Place, other: Place): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (other[at] ?? 0) - (one[at] ?? 0);
}

const dayAt = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The days with a count for the figure, newest first, with their sums. */
export async function sumsByDay(ctx: SiteContext, figure: Figure, days: Days): Promise<[string, Sum[]][]> {
  const sums = await readSums(ctx, measuresOf(figure), days, ['day', 'subject', 'bucket']);
  const own = sums.filter((sum) => isInFigure(figure, sum));
  return [...Map.groupBy(own, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? 1 : -1));
}

/** The key of a row of `report_days`, built like the database function `report_sum_keys`. */
const keyOf = ({ site }: SiteContext, { measure, day, bucket, subject }: Sum, { teamId }: Days): string =>
  `${site.id} ${storedMeasure(measure, teamId)} ${day} ${bucket} ${subject}`;

/** The records behind these sums, each with everything it has added. */
export async function sourcesOf(ctx: SiteContext, sums: readonly Sum[], days: Days): Promise<Source[]> {
  const keys = sums.map((sum) => keyOf(ctx, sum, days));
  const { rows } = await sql<Source>`
    select record, counts from report_contributions
    where site_id = ${ctx.site.id} and report_sum_keys(site_id, counts) && ${keys}::text[]`.execute(ctx.db);
  return rows;
}

async function findChats({ db, site }: SiteContext, days: ReadonlyMap<string, string>): Promise<ChatRow[]> {
  const { rows } = await sql<ChatRow>`
    select 'chat' as kind, c.id, c.session_id, c.status, c.started_at as created_at, v.key, v.name, v.email
    from conversations c
    left join visitors v on v.site_id = c.site_id and v.id = c.visitor_id and v.erased_at is null
    where c.site_id = ${site.id} and c.session_id = any (${[...days.keys()]}::text[])`.execute(db);
  return rows.map((row) => ({ ...row, day: days.get(row.session_id) ?? '' }));
}

async function findTickets(
  { db, site }: SiteContext,
  days: ReadonlyMap<string, string>,
): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select 'ticket' as kind, t.id, t.subject, t.status, t.created_at, v.key, v.name, v.email
    from tickets t
    left join visitors v on v.site_id = t.site_id and v.id = t.requester_id and v.erased_at is null
    where t.site_id = ${site.id} and t.id = any (${[...days.keys()].map(Number)}::bigint[])`.execute(db);
  return rows.map((row) => ({ ...row, day: days.get(String(row.id)) ?? '' }));
}

function present(row: Row): ReportConversation {
  const { key, name, email } = row;
  const started = { visitor: { key, name, email }, created_utc: row.created_at.toISOString() };
  return row.kind === 'chat'
    ? { kind: 'chat', session_id: row.session_id, status: row.status, ...started }
    : { kind: 'ticket', id: row.id, subject: row.subject, status: row.status, ...started };
}

/** As many of the next days as are needed for `wanted` records according to the sums. */
export function nextDays(days: readonly [string, Sum[]][], wanted: number): number {
  let promised = 0;
  const enough = days.findIndex(([, sums]) => {
    promised += sums.reduce((all, { count }) => all + count, 0);
    return promised >= wanted;
  });
  return enough === -1 ? days.length : enough + 1;
}

/** A record that counts on several days is listed on the last of them. */
function lastDayOf({ counts }: Source, figure: Figure, { from, to, teamId }: Days): string {
  const measures: readonly StoredMeasure[] = measuresOf(figure).map((one) => storedMeasure(one, teamId));
  const days = counts.flatMap(([measure, day, subject, bucket]) =>
    measures.includes(measure) && day >= from && day <= to && isInFigure(figure, { day, subject, bucket })
      ? day
      : [],
  );
  return days.reduce((last, day) => (day > last ? day : last), '');
}

async function rowsBehind(
  ctx: SiteContext,
  sums: readonly Sum[],
  figure: Figure,
  period: Days,
): Promise<Row[]> {
  const sources = await sourcesOf(ctx, sums, period);
  const [chats, tickets] = [true, false].map(
    (isChat) =>
      new Map(
        sources
          .filter(({ record }) => isSession(record) === isChat)
          .map((source) => [source.record, lastDayOf(source, figure, period)]),
      ),
  );
  const found: Row[][] = await Promise.all([
    findChats(ctx, chats ?? new Map()),
    findTickets(ctx, tickets ?? new Map()),
  ]);
  return found.flat();
}

/**
 * The chats and tickets behind a figure: exactly those that its sums consist of. Records that retention has deleted
 * remain only in the sums.
 */
export async function listConversations(
  ctx: SiteContext,
  { limit, cursor, figure, of, part, weekday, ...span }: ParsedInputOf<'reports.conversations'>,
): Promise<OutputOf<'reports.conversations'>> {
  const { period } = await frameOf(ctx, span);
  const place = readPlace(cursor);
  const chosen = { figure, of, part, weekday };
  const days = await sumsByDay(ctx, chosen, period);
  let left = place ? days.filter(([day]) => day <= dayAt(place[0])) : days;
  const found = new Map<string, Row>();
  // Some sums promise more records than there are, such as those of messages. Doubling avoids a query per day.
  for (let doubt = 1; left.length > 0 && found.size <= limit; doubt *= 2) {
    const next = nextDays(left, (limit + 1 - found.size) * doubt);
    const sums = left.slice(0, next).flatMap(([, own]) => own);
    left = left.slice(next);
    for (const row of await rowsBehind(ctx, sums, chosen, period))
      if (!place || comparePlaces(placeOf(row), place) > 0) found.set(`${row.kind} ${row.id}`, row);
  }
  const rows = [...found.values()].toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)));
  return pageOf(rows, limit, placeOf, present);
}
