import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { lockSession } from './sessions.ts';

/** Some chats that have a tag. */
export async function chatsWithTag(
  { db, site }: SiteContext,
  tagId: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select c.session_id from (
      select conversation_id from conversation_tags where site_id = ${site.id} and tag_id = ${tagId}
      order by conversation_id limit ${limit}) tagged
    join conversations c on c.site_id = ${site.id} and c.id = tagged.conversation_id`.execute(db);
  return rows.map(({ session_id }) => session_id);
}

/** Gives a chat one tag in place of another; one that was deleted meanwhile is left out. */
export async function retagChat(
  tx: SiteContext,
  sessionId: string,
  fromId: number,
  intoId: number,
): Promise<void> {
  const { id } = await lockSession(tx, sessionId);
  await sql`
    delete from conversation_tags
    where site_id = ${tx.site.id} and conversation_id = ${id} and tag_id = ${fromId}`.execute(tx.db);
  await sql`
    insert into conversation_tags (site_id, conversation_id, tag_id)
    select site_id, ${id}, id from tags where site_id = ${tx.site.id} and id = ${intoId} for key share
    on conflict do nothing`.execute(tx.db);
  await tx.emit({ notices: [{ kind: 'session', sessionId }] });
}
