import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { DueItem } from '../../jobs/schedule.ts';

/** A place in the order of all sites' messages and notes, by their ids. */
interface Place {
  message_id: number;
  note_id: number;
}

interface Progress {
  /** Every message and note up to here has been read, in every site. */
  floor?: Place;
  /** The next floor, once all transactions below `xid` are over and what they wrote has been read. */
  next?: Place & { xid: string };
}

/** Kept in memory by connection pool: a process that has just started looks into each site once. */
const progressOf = new WeakMap<Db, Progress>();

/** Sites that may have something unread. */
function candidates(floor: Place | undefined): RawBuilder<unknown> {
  return floor
    ? sql`(select site_id from messages where id > ${floor.message_id}
        union select site_id from notes where id > ${floor.note_id}
        union select site_id from message_search_progress where chats_below is not null)`
    : sql`(select id as site_id from sites)`;
}

/**
 * Sites with messages or notes that were not read yet, up to `end` where one is given. `max` rather than `exists`: for
 * `exists` the planner expects that a third of all messages match, and reads the whole table.
 */
async function unreadSites(db: Db, { floor }: Progress, limit: number, end?: Place): Promise<number[]> {
  const newest = (table: 'messages' | 'notes', last: number | undefined): RawBuilder<number> => sql`
    (select max(t.id) from ${sql.table(table)} t
      where t.site_id = c.site_id ${last === undefined ? sql`` : sql`and t.id <= ${last}`})`;
  const { rows } = await sql<{ site_id: number }>`
    select c.site_id from ${candidates(floor)} c left join message_search_progress r on r.site_id = c.site_id
    where ${end ? sql`false` : sql`r.chats_below is not null`}
      or ${newest('messages', end?.message_id)} > coalesce(r.message_id, 0)
      or ${newest('notes', end?.note_id)} > coalesce(r.note_id, 0)
    order by random() limit ${limit}`.execute(db);
  return rows.map((row) => row.site_id);
}

/**
 * Moves the floor up. Ids are not committed in their order, but every writer has a transaction id before it takes a
 * number. So the numbers are read first, and a transaction id is taken after them (the end of a snapshot would be too
 * low: it is behind what has ended, not behind what has begun). Once all lower ones are over, nothing can appear below
 * the numbers any more.
 */
async function moveFloor(db: Db, progress: Progress): Promise<void> {
  const { next } = progress;
  if (next) {
    const { rows } = await sql<{ settled: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${next.xid}::xid8 as settled`.execute(db);
    if (!rows[0]?.settled || (await unreadSites(db, progress, 1, next)).length > 0) return;
    progress.floor = { message_id: next.message_id, note_id: next.note_id };
  }
  const numbers = await sql<Place>`
    select (select last_value from messages_id_seq) as message_id,
      (select last_value from notes_id_seq) as note_id`.execute(db);
  const transactions = await sql<{ xid: string }>`
    select pg_current_xact_id()::text as xid`.execute(db);
  const [place, end] = [numbers.rows[0], transactions.rows[0]];
  if (place && end) progress.next = { ...place, ...end };
}

/** Sites whose chats are to be read on, in no order. What nobody wrote to costs nothing, however many sites there are. */
export async function sitesToRead(db: Db, limit: number): Promise<DueItem[]> {
  const progress = progressOf.get(db) ?? {};
  progressOf.set(db, progress);
  const sites = await unreadSites(db, progress, limit);
  await moveFloor(db, progress);
  return sites.map((id) => ({ siteId: id, id }));
}
