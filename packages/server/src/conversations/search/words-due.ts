import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { DueItem, RecurringJob } from '../../jobs/schedule.ts';

/** A place among all sites' messages and notes, by id. */
interface Place {
  message_id: number;
  note_id: number;
}

interface Progress {
  /** Every message and note up to here has been indexed, in every site. */
  floor?: Place;
  /** The next floor, valid once all transactions below `xid` have ended and their messages are indexed. */
  next?: (Place & { xid: string }) | undefined;
}

/** In memory, per connection pool. A new process checks each site once. */
const progressOf = new WeakMap<Db, Progress>();

/** Sites that may have unindexed messages. */
function candidates(floor: Place | undefined): RawBuilder<unknown> {
  return floor
    ? sql`(select site_id from messages where id > ${floor.message_id}
        union select site_id from notes where id > ${floor.note_id}
        union select site_id from message_search_progress where chats_below is not null)`
    : sql`(select id as site_id from sites)`;
}

/**
 * Sites with unindexed messages or notes, up to `end` if given. Uses `max` instead of `exists`: for `exists` the
 * planner expects a third of all messages to match, and reads the whole table.
 */
function unreadSites({ floor }: Progress, limit: unknown, end?: Place): RawBuilder<DueItem> {
  const newest = (table: 'messages' | 'notes', last: number | undefined): RawBuilder<number> => sql`
    (select max(t.id) from ${sql.table(table)} t
      where t.site_id = c.site_id ${last === undefined ? sql`` : sql`and t.id <= ${last}`})`;
  return sql`
    select c.site_id as "siteId", c.site_id as id
    from ${candidates(floor)} c left join message_search_progress r on r.site_id = c.site_id
    where ${end ? sql`false` : sql`r.chats_below is not null`}
      or ${newest('messages', end?.message_id)} > coalesce(r.message_id, 0)
      or ${newest('notes', end?.note_id)} > coalesce(r.note_id, 0)
    order by random() limit ${limit}`;
}

/**
 * Raises the floor. Ids don't commit in order, but every writer gets a transaction id before it takes a number. So
 * the numbers are read first and a transaction id is taken after that. (A snapshot's upper bound would be too low:
 * it covers ended transactions, not all that have begun.) Once all lower transactions have ended, nothing can
 * appear below those numbers.
 */
export async function raiseFloor(db: Db): Promise<void> {
  const progress = progressOf.get(db) ?? {};
  progressOf.set(db, progress);
  const { floor, next } = progress;
  if (next) {
    const { rows } = await sql<{ settled: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${next.xid}::xid8 as settled`.execute(db);
    if (!rows[0]?.settled) return;
    const unread = await unreadSites(progress, sql.lit(1), next).execute(db);
    if (unread.rows.length > 0) return;
    progress.floor = { message_id: next.message_id, note_id: next.note_id };
    progress.next = undefined;
  }
  const numbers = await sql<Place>`
    select (select last_value from messages_id_seq) as message_id,
      (select last_value from notes_id_seq) as note_id`.execute(db);
  const [place] = numbers.rows;
  if (!place || (floor && floor.message_id === place.message_id && floor.note_id === place.note_id)) return;
  const transactions = await sql<{ xid: string }>`
    select pg_current_xact_id()::text as xid`.execute(db);
  const [end] = transactions.rows;
  if (end) progress.next = { ...place, ...end };
}

/** Sites to index, in no particular order. Inactive sites cost nothing, however many there are. */
export const sitesToRead: RecurringJob['due'] = ({ db, limit }) =>
  unreadSites(progressOf.get(db) ?? {}, limit);
