import type { OfficeHours } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { type Calendar, createCalendar } from './calendar.ts';
import { countsOfChat, readChats } from './chat-counts.ts';
import { type StoredCount, withTeam } from './measures.ts';
import { addToSums, differenceOf } from './sums.ts';
import { countsOfTicket, readTickets } from './ticket-counts.ts';

/** Records per transaction: about 100 ms of work. */
const BATCH = 500;
/** After this many batches the other sites get their turn. */
const BATCHES_A_TURN = 20;

interface Standing {
  time_zone: string;
  chats_below: number | null;
  tickets_below: number | null;
  office_hours: OfficeHours | null;
}

/**
 * Takes a site's counting lock for the rest of the transaction. Undefined while another process has it. Changes
 * that it can't see yet stay marked and are counted in the next run.
 */
async function lockCounting(ctx: SiteContext): Promise<Standing | undefined> {
  const { db, site } = ctx;
  const lock = sql<Standing>`
    select r.time_zone, r.chats_below, r.tickets_below, s.office_hours
    from report_sites r join sites s on s.id = r.site_id
    where r.site_id = ${site.id} for update of r skip locked`;
  const [row] = (await lock.execute(db)).rows;
  if (row) return row;
  // A new site's first row.
  await sql`
    insert into report_sites (site_id, time_zone, counted_by_team_at)
    select id, coalesce(office_hours ->> 'time_zone', time_zone), ${ctx.now()}::timestamptz from sites where id = ${site.id}
    on conflict do nothing`.execute(db);
  return (await lock.execute(db)).rows[0];
}

/** The oldest marks. A record that changes again after this gets a new mark. */
async function takeMarks({ db, site }: SiteContext): Promise<{ records: string[]; full: boolean }> {
  const { rows } = await sql<{ record: string }>`
    delete from report_dirty_records where site_id = ${site.id} and id in (
      select id from report_dirty_records where site_id = ${site.id} order by id limit ${BATCH}
    ) returning record`.execute(db);
  return { records: [...new Set(rows.map(({ record }) => record))], full: rows.length === BATCH };
}

interface Backlog {
  records: string[];
  /** Remaining records have lower ids; null: none remain. */
  below: number | null;
}

async function takeBacklog(
  { db, site }: SiteContext,
  table: 'conversations' | 'tickets',
  below: number | null,
  room: number,
): Promise<Backlog> {
  if (below === null || room <= 0) return { records: [], below };
  const record = table === 'conversations' ? sql`session_id` : sql`id::text`;
  const { rows } = await sql<{ id: number; record: string }>`
    select id, ${record} as record from ${sql.table(table)}
    where site_id = ${site.id} and id < ${below} order by id desc limit ${room}`.execute(db);
  const records = rows.map((row) => row.record);
  return { records, below: rows.length < room ? null : (rows.at(-1)?.id ?? null) };
}

/** Whether a record is a chat; otherwise it is a ticket's id. */
export const isSession = (record: string): boolean => record.startsWith('ses_');

/** What each of these records adds to the sums now; a deleted one adds nothing. */
async function countsNow(
  ctx: SiteContext,
  records: readonly string[],
  calendar: Calendar,
): Promise<Map<string, StoredCount[]>> {
  const chats = await readChats(ctx, records.filter(isSession), calendar);
  const tickets = await readTickets(ctx, records.filter((record) => !isSession(record)).map(Number));
  return new Map([
    ...chats.map((chat) => [chat.sessionId, withTeam(countsOfChat(chat, calendar), chat.teamId)] as const),
    ...tickets.map(
      (ticket) => [String(ticket.id), withTeam(countsOfTicket(ticket, calendar), ticket.teamId)] as const,
    ),
  ]);
}

async function countsBefore({ db, site }: SiteContext, records: readonly string[]): Promise<StoredCount[]> {
  const { rows } = await sql<{ counts: StoredCount[] }>`
    select counts from report_contributions
    where site_id = ${site.id} and record = any (${records}::text[])`.execute(db);
  return rows.flatMap(({ counts }) => counts);
}

async function keepCounted(
  { db, site }: SiteContext,
  records: readonly string[],
  counted: ReadonlyMap<string, StoredCount[]>,
): Promise<void> {
  const gone = records.filter((record) => !counted.has(record));
  await sql`
    delete from report_contributions where site_id = ${site.id} and record = any (${gone}::text[])`.execute(
    db,
  );
  const kept = [...counted].map(([record, counts]) => [record, JSON.stringify(counts)] as const);
  await sql`
    insert into report_contributions (site_id, record, counts)
    select ${site.id}, * from unnest(${kept.map(([record]) => record)}::text[], ${kept.map(([, counts]) => counts)}::jsonb[])
    on conflict (site_id, record) do update set counts = excluded.counts`.execute(db);
}

/** @returns whether there may be more to count */
function countBatch(ctx: SiteContext): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const standing = await lockCounting(tx);
    if (!standing) return false;
    const marks = await takeMarks(tx);
    const room = BATCH - marks.records.length;
    const chats = await takeBacklog(tx, 'conversations', standing.chats_below, room);
    const left = room - chats.records.length;
    const tickets = await takeBacklog(tx, 'tickets', standing.tickets_below, left);
    const records = [...new Set([...marks.records, ...chats.records, ...tickets.records])];
    const calendar = createCalendar(standing.time_zone, standing.office_hours);
    const now = await countsNow(tx, records, calendar);
    const difference = differenceOf(await countsBefore(tx, records), [...now.values()].flat());
    await keepCounted(tx, records, now);
    await addToSums(tx.db, tx.site.id, difference);
    await sql`
      update report_sites set chats_below = ${chats.below}, tickets_below = ${tickets.below}, counted_at = ${tx.now()}
      where site_id = ${tx.site.id}`.execute(tx.db);
    return marks.full || chats.below !== null || tickets.below !== null;
  });
}

/**
 * Counts a site's changed records, and some of those from before the reports existed. A killed process changes
 * nothing.
 */
export async function countSite(ctx: SiteContext): Promise<void> {
  for (let batch = 0; batch < BATCHES_A_TURN; batch++) if (!(await countBatch(ctx))) return;
}
