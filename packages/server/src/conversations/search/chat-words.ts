import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { LEXEMES_MAX, lexemesOf } from '../../text/search-words.ts';

/**
 * Messages and notes per chunk of a chat's words; few chats fill one. All words of a query must be in one chunk.
 * Only a long chat's last chunk is rewritten.
 */
export const STRETCH_ENTRIES = 100;
/** Entries read per chat at a time. */
const READ_AT_ONCE = 200;

/** Where a chat's indexed words end. */
interface End {
  conversation_id: number;
  /** 0: nothing of the chat is indexed. */
  part: number;
  last_seq: number;
  last_note_id: number;
  entries: number;
  lexemes: number;
}

interface Entry {
  conversation_id: number;
  /** One of the two is set. */
  seq: number | null;
  note_id: number | null;
  /** Null for system messages, which nobody wrote. */
  text: string | null;
  at: Date;
}

interface Stretch extends End {
  said_at: Date;
  words: Set<string>;
}

async function endsOf({ db, site }: SiteContext, ids: readonly number[]): Promise<End[]> {
  const { rows } = await sql<End>`
    select c.id as conversation_id, coalesce(w.part, 0) as part, coalesce(w.last_seq, 0) as last_seq,
      coalesce(w.last_note_id, 0) as last_note_id, coalesce(w.entries, 0) as entries, coalesce(length(w.words), 0) as lexemes
    from conversations c left join lateral (
      select * from message_search_chunks w where w.site_id = c.site_id and w.conversation_id = c.id order by w.part desc limit 1
    ) w on true
    where c.site_id = ${site.id} and c.id = any (${ids}::bigint[])`.execute(db);
  return rows;
}

/** The entries of each chat after its end, in commit order, which the lock of the chat's row guarantees. */
async function entriesAfter({ db, site }: SiteContext, ends: readonly End[]): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    with ends as (select * from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb)
      as e (conversation_id bigint, last_seq integer, last_note_id bigint))
    select m.* from ends e cross join lateral (
      select conversation_id, seq, null::bigint as note_id, case when sender <> 'system' then text end as text, created_at as at
      from messages where site_id = ${site.id} and conversation_id = e.conversation_id and seq > e.last_seq
      order by seq limit ${READ_AT_ONCE}
    ) m
    union all
    select n.* from ends e cross join lateral (
      select conversation_id, null::integer, id, text, created_at
      from notes where site_id = ${site.id} and conversation_id = e.conversation_id and id > e.last_note_id
      order by id limit ${READ_AT_ONCE}
    ) n
    order by seq, note_id`.execute(db);
  return rows;
}

const isFull = ({ entries, lexemes, words }: Stretch, more: readonly string[]): boolean =>
  entries >= STRETCH_ENTRIES || lexemes + words.size + more.length > LEXEMES_MAX;

const begun = (end: End, at: Date): Stretch => ({ ...end, said_at: at, words: new Set() });
const behind = (end: End, at: Date): Stretch =>
  begun({ ...end, part: end.part + 1, entries: 0, lexemes: 0 }, at);

/** The chunks that a chat's new entries go into; the first one usually exists already. */
function stretchesOf(siteId: number, end: End, entries: readonly Entry[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { seq, note_id, text, at } of entries) {
    const words = text === null ? [] : lexemesOf(siteId, text).slice(0, LEXEMES_MAX);
    let last = stretches.at(-1) ?? begun(end, at);
    if (last.part === 0 || isFull(last, words)) last = behind(last, at);
    if (last !== stretches.at(-1)) stretches.push(last);
    for (const word of words) last.words.add(word);
    last.entries += 1;
    last.last_seq = seq ?? last.last_seq;
    last.last_note_id = note_id ?? last.last_note_id;
    if (at > last.said_at) last.said_at = at;
  }
  return stretches;
}

/** Chats that were deleted meanwhile are skipped. */
async function writeStretches({ db, site }: SiteContext, stretches: readonly Stretch[]): Promise<void> {
  const rows = JSON.stringify(stretches.map((one) => ({ ...one, words: [...one.words] })));
  await sql`
    insert into message_search_chunks as known (site_id, conversation_id, part, last_seq, last_note_id, entries, said_at, words)
    select c.site_id, c.id, r.part, r.last_seq, r.last_note_id, r.entries, r.said_at, array_to_tsvector(r.words)
    from jsonb_to_recordset(${rows}::jsonb) as r (conversation_id bigint, part integer, last_seq integer,
      last_note_id bigint, entries integer, said_at timestamptz, words text[])
    join conversations c on c.site_id = ${site.id} and c.id = r.conversation_id
    on conflict (site_id, conversation_id, part) do update
      set last_seq = excluded.last_seq, last_note_id = excluded.last_note_id, entries = excluded.entries,
        said_at = greatest(known.said_at, excluded.said_at), words = known.words || excluded.words`.execute(
    db,
  );
}

/**
 * Indexes the new entries of these chats. The caller holds the site's indexing lock.
 * @returns whether one of them has more
 */
export async function readChats(tx: SiteContext, ids: readonly number[]): Promise<boolean> {
  const ends = await endsOf(tx, ids);
  const said = Map.groupBy(await entriesAfter(tx, ends), (entry) => entry.conversation_id);
  const stretches = ends.flatMap((end) => stretchesOf(tx.site.id, end, said.get(end.conversation_id) ?? []));
  if (stretches.length > 0) await writeStretches(tx, stretches);
  return [...said.values()].some((entries) => entries.length >= READ_AT_ONCE);
}
