import { TICKET_TAGS_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { setTags } from './desk.ts';
import { getSession, lockSession, type SessionRow } from './sessions.ts';

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const has = (names: readonly string[], name: string): boolean => names.some((one) => sameName(one, name));

/**
 * Adds and removes tags of a locked chat, ignoring case.
 * @throws AppError 409 for more tags than a chat can have
 */
export async function changeChatTags(
  tx: SiteContext,
  before: SessionRow,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): Promise<SessionRow> {
  const kept = before.tags.filter((name) => !has(remove, name));
  const tags = [...kept, ...add.filter((name) => !has(kept, name))];
  if (tags.length === before.tags.length && tags.every((name) => before.tags.includes(name))) return before;
  if (tags.length > TICKET_TAGS_MAX)
    throw new AppError('conflict', `A chat can have at most ${TICKET_TAGS_MAX} tags.`, {
      reason: 'chat_tags',
      values: { count: TICKET_TAGS_MAX },
    });
  await setTags(tx, before.session_id, tags);
  return getSession(tx, before.session_id);
}

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

/** Replaces a tag of a chat by another; a deleted replacement is ignored. */
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
