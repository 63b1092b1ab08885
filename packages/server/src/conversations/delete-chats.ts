import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/** Deletes chats with their messages, in the caller's transaction. Tickets created from them stay. */
export async function deleteChats({ db, site }: SiteContext, ids: readonly number[]): Promise<void> {
  await sql`
    update tickets set conversation_id = null
    where site_id = ${site.id} and conversation_id = any (${ids}::bigint[])`.execute(db);
  await sql`
    update conversations set previous_id = null
    where site_id = ${site.id} and previous_id = any (${ids}::bigint[])`.execute(db);
  await sql`delete from conversations where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(db);
}
