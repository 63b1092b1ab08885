import { sql } from 'kysely';
import { readChats } from '../conversations/search/chat-words.ts';
import { renewFieldWords } from '../conversations/search/field-words.ts';
import type { SiteContext } from '../core/context.ts';
import { renewWords } from '../tickets/search/search.ts';
import type { Conversation } from './copies.ts';

/**
 * Waits until no process indexes the site's chats, and prevents it for the rest of the transaction: an indexer that has
 * read the old text would add its words afterwards. Comes before the locks of chats, as for the indexer.
 */
export async function lockIndex({ db, site }: SiteContext): Promise<void> {
  await sql`
    insert into message_search_progress (site_id) select id from sites where id = ${site.id}
    on conflict do nothing`.execute(db);
  await sql`select from message_search_progress where site_id = ${site.id} for update`.execute(db);
}

/** Indexes a conversation again. */
export async function indexAgain(tx: SiteContext, { chats, tickets }: Conversation): Promise<void> {
  await sql`
    delete from message_search_chunks
    where site_id = ${tx.site.id} and conversation_id = any (${[...chats]}::bigint[])`.execute(tx.db);
  while (await readChats(tx, chats));
  await renewFieldWords(tx, chats);
  for (const id of tickets) await renewWords(tx, id);
}
