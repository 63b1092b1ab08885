import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { htmlToText } from '../mime/html-text.ts';
import type { Conversation } from './copies.ts';
import { contains, type Needle } from './needle.ts';

/**
 * Deletes the copies in emails of a conversation in which nothing can be replaced: their source as it was received, and
 * the HTML of those that have the text. Their texts have the same content.
 * @param own the emails whose whole message was redacted
 * @returns how many records were changed
 */
export async function redactMails(
  { db, site }: SiteContext,
  { chats, tickets }: Conversation,
  needle: Needle | undefined,
  own: readonly number[],
): Promise<number> {
  const { rows: sources } = await sql`
    update received_mails set raw = null
    where site_id = ${site.id} and raw is not null
      and (ticket_id = any (${[...tickets]}::bigint[]) or conversation_id = any (${[...chats]}::bigint[]))
    returning id`.execute(db);
  const { rows: mails } = await sql<{ id: number; html: string }>`
    select id, html from ticket_mails
    where site_id = ${site.id} and ticket_id = any (${[...tickets]}::bigint[]) and html is not null
    for update`.execute(db);
  const gone: number[] = [];
  for (const { id, html } of mails) {
    // Also in the source: a comment or an attribute is in no text.
    const has = needle && (contains(html, needle) || contains(await htmlToText(html), needle));
    if (has || own.includes(id)) gone.push(id);
  }
  await sql`
    update ticket_mails set html = null where site_id = ${site.id} and id = any (${gone}::bigint[])`.execute(
    db,
  );
  return sources.length + gone.length;
}
