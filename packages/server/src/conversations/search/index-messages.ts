import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { readChats } from './chat-words.ts';
import { renewFieldWords } from './field-words.ts';
import { raiseFloor, sitesToRead } from './words-due.ts';

/** How soon new messages can be found. */
const READ_EVERY_MS = 3_000;
/** Messages per transaction: about 50 ms of work. */
const MESSAGES_A_BATCH = 250;
const CHATS_A_BATCH = 50;
/** After this many batches the other sites get their turn. */
const BATCHES_A_TURN = 10;

/** How far messages and notes have been indexed, by id. */
interface Place {
  message_id: number;
  note_id: number;
}

interface Standing extends Place {
  /** Whether everything up to `settling_…` is committed; null: nothing was marked. */
  settled: boolean | null;
  settling_message_id: number;
  settling_note_id: number;
  chats_below: number | null;
}

interface Turn {
  /** Indexed so far. */
  at: Place;
  /** Everything up to here was committed before the turn began. Once indexed, nothing is added below it. */
  floor: Place;
}

const lower = (one: Place, two: Place): Place => ({
  message_id: Math.min(one.message_id, two.message_id),
  note_id: Math.min(one.note_id, two.note_id),
});

/** Takes a site's lock for the rest of the transaction. Undefined while another process has it. */
async function lockReading({ db, site }: SiteContext): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select message_id, note_id, settling_message_id, settling_note_id, chats_below,
      settling_xid <= pg_snapshot_xmin(pg_current_snapshot()) as settled
    from message_search_progress where site_id = ${site.id} for update skip locked`.execute(db);
  return rows[0];
}

/**
 * Begins where everything before is indexed and committed. Ids don't commit in order, but every writer gets a
 * transaction id before it takes a number, through the lock of the chat's row. So every writer that may still add a
 * message below the current newest has a lower transaction id than this transaction, which takes its own only after
 * it has read the newest. Once all lower ones have ended, everything up to that newest is committed.
 */
function beginTurn(ctx: SiteContext): Promise<Turn | undefined> {
  return ctx.transaction(async (tx) => {
    const { db, site } = tx;
    const { rows } = await sql<Place>`
      select coalesce((select max(id) from messages where site_id = ${site.id}), 0) as message_id,
        coalesce((select max(id) from notes where site_id = ${site.id}), 0) as note_id`.execute(db);
    const newest = rows[0];
    await sql`
      insert into message_search_progress (site_id) select id from sites where id = ${site.id}
      on conflict do nothing`.execute(db);
    const standing = await lockReading(tx);
    if (!standing || !newest) return undefined;
    const { message_id, note_id, settled, settling_message_id, settling_note_id } = standing;
    if (settled !== false)
      await sql`
        update message_search_progress set settling_xid = pg_current_xact_id(),
          settling_message_id = ${newest.message_id}, settling_note_id = ${newest.note_id}
        where site_id = ${site.id}`.execute(db);
    const at = { message_id, note_id };
    return { at, floor: settled ? { message_id: settling_message_id, note_id: settling_note_id } : at };
  });
}

interface News extends Place {
  ids: number[];
  isEnd: boolean;
}

/** The chats of the next messages and notes after a place. */
async function newsAfter({ db, site }: SiteContext, place: Place): Promise<News> {
  const next = async (table: 'messages' | 'notes', after: number) => {
    const { rows } = await sql<{ id: number; conversation_id: number }>`
      select id, conversation_id from ${sql.table(table)}
      where site_id = ${site.id} and id > ${after} order by id limit ${MESSAGES_A_BATCH}`.execute(db);
    return { rows, last: rows.at(-1)?.id ?? after };
  };
  const messages = await next('messages', place.message_id);
  const notes = await next('notes', place.note_id);
  return {
    ids: [...new Set([...messages.rows, ...notes.rows].map((row) => row.conversation_id))],
    message_id: messages.last,
    note_id: notes.last,
    isEnd: messages.rows.length < MESSAGES_A_BATCH && notes.rows.length < MESSAGES_A_BATCH,
  };
}

/** @returns whether there may be more */
async function readNews(tx: SiteContext, turn: Turn): Promise<boolean> {
  const { ids, isEnd, ...at } = await newsAfter(tx, turn.at);
  // A chat with very many new entries continues in the next batch, and the place stays before it.
  if (await readChats(tx, ids)) return true;
  turn.at = at;
  const { message_id, note_id } = lower(at, turn.floor);
  await sql`
    update message_search_progress set message_id = greatest(message_id, ${message_id}), note_id = greatest(note_id, ${note_id})
    where site_id = ${tx.site.id}`.execute(tx.db);
  return !isEnd;
}

/** Indexes chats from before the index existed, the newest first. @returns whether there may be more */
async function readBacklog(tx: SiteContext, below: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from conversations where site_id = ${tx.site.id} and id < ${below}
    order by id desc limit ${CHATS_A_BATCH}`.execute(tx.db);
  const ids = rows.map(({ id }) => id);
  if (await readChats(tx, ids)) return true;
  await renewFieldWords(tx, ids);
  const next = ids.length < CHATS_A_BATCH ? null : (ids.at(-1) ?? null);
  await sql`
    update message_search_progress set chats_below = ${next} where site_id = ${tx.site.id}`.execute(tx.db);
  return next !== null;
}

/**
 * Indexes a site's new messages, and some of its older chats. Each batch is a transaction that records its
 * progress: a killed process loses nothing, and two at once do nothing twice.
 */
export async function readSite(ctx: SiteContext): Promise<void> {
  const turn = await beginTurn(ctx);
  if (!turn) return;
  let hasNews = true;
  for (let batch = 0; batch < BATCHES_A_TURN; batch++) {
    const more = await ctx.transaction(async (tx) => {
      const standing = await lockReading(tx);
      if (!standing) return false;
      if (hasNews) {
        hasNews = await readNews(tx, turn);
        return hasNews || standing.chats_below !== null;
      }
      return standing.chats_below !== null && readBacklog(tx, standing.chats_below);
    });
    if (!more) return;
  }
}

/** Reindexes all of a site's chats in the background: an archive import gives them new ids. */
export async function readAllChats({ db, site }: SiteContext): Promise<void> {
  await sql`
    insert into message_search_progress (site_id, chats_below)
    select site_id, max(id) + 1 from conversations where site_id = ${site.id} group by site_id
    on conflict (site_id) do update set chats_below = excluded.chats_below`.execute(db);
}

export const chatWordClock: RecurringJob = {
  name: 'chats.read',
  everyMs: READ_EVERY_MS,
  prepare: raiseFloor,
  due: sitesToRead,
  run: (ctx) => readSite(ctx),
};
