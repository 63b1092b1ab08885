import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { searchedValues } from '../../sites/fields/field-words.ts';
import { LEXEMES_MAX, lexemesOf } from '../../text/search-words.ts';

/** The chunk with the words of a chat's custom fields, before those of its messages. */
export const FIELDS_PART = 0;

/** Indexes the custom fields of these chats again, whose rows are locked or new. */
export async function renewFieldWords(tx: SiteContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: number; text: string }>`${searchedValues(tx, 'chats', ids)}`.execute(
    tx.db,
  );
  const words = Map.groupBy(rows, ({ id }) => id);
  const chats = [...words].map(([id, values]) => ({
    id,
    words: [...new Set(values.flatMap(({ text }) => lexemesOf(tx.site.id, text)))].slice(0, LEXEMES_MAX),
  }));
  await sql`
    delete from message_search_chunks
    where site_id = ${tx.site.id} and conversation_id = any (${ids}::bigint[]) and part = ${FIELDS_PART}`.execute(
    tx.db,
  );
  if (chats.length === 0) return;
  await sql`
    insert into message_search_chunks (site_id, conversation_id, part, last_seq, last_note_id, entries, said_at, words)
    select c.site_id, c.id, ${FIELDS_PART}, 0, 0, 0, coalesce(c.said_at, c.started_at), array_to_tsvector(r.words)
    from jsonb_to_recordset(${JSON.stringify(chats)}::jsonb) as r (id bigint, words text[])
    join conversations c on c.site_id = ${tx.site.id} and c.id = r.id
    on conflict (site_id, conversation_id, part) do update set words = excluded.words, said_at = excluded.said_at`.execute(
    tx.db,
  );
}
