import { sql } from 'kysely';
import { eraseUploadsOf } from '../attachments/uploads.ts';
import { notFound } from '../base/errors.ts';
import { FIELDS_PART } from '../conversations/search/field-words.ts';
import type { SiteContext } from '../core/context.ts';
import { retryOnLockTimeout } from '../db/transactions/lock-retry.ts';
import { eraseProblemsOf } from '../imports/erase-problems.ts';
import { eraseFromTickets } from '../tickets/requester/erase-requester.ts';
import { emptyVisitor } from '../visitors/identity/merge.ts';
import { lockVisitors, scopeOf, type VisitorRow, type VisitorScope } from '../visitors/rows.ts';
import { eraseFromEvents } from './erase-events.ts';

/** Chats stay, but as those of an unknown visitor: no address, no name, no browser that can open them. */
async function eraseFromChats({ db, siteId }: VisitorScope, { id }: VisitorRow): Promise<void> {
  const chats = sql`select id from conversations where site_id = ${siteId} and visitor_id = ${id}`;
  await sql`delete from drafts where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  await sql`delete from conversation_fields where site_id = ${siteId} and conversation_id in (${chats})`.execute(
    db,
  );
  await sql`
    delete from message_search_chunks
    where site_id = ${siteId} and conversation_id in (${chats}) and part = ${FIELDS_PART}`.execute(db);
  await sql`delete from action_runs where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  await sql`
    update action_calls set input = '{}', response_excerpt = null
    where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  await sql`delete from received_mails where site_id = ${siteId} and conversation_id in (${chats})`.execute(
    db,
  );
  await sql`delete from chat_mails where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  await sql`delete from unread_replies where site_id = ${siteId} and conversation_id in (${chats})`.execute(
    db,
  );
  const unnamed = 'The visitor left an email address.';
  await sql`delete from transcript_mails where site_id = ${siteId} and conversation_id in (${chats})`.execute(
    db,
  );
  await sql`
    update handoffs set visitor_line = null
    where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  await sql`
    update messages set author_name = case when sender = 'visitor' then null else author_name end,
      text = case when event = 'email_left' then ${unnamed} else text end
    where site_id = ${siteId} and conversation_id in (${chats})
      and (event = 'email_left' or (sender = 'visitor' and author_name is not null))`.execute(db);
  await sql`
    update conversations c set contact_email = null, page_url = null, device_id = null,
      last_text = case when exists (
        select from messages m where m.site_id = c.site_id and m.conversation_id = c.id
          and m.seq = c.last_seq and m.event = 'email_left'
      ) then ${unnamed} else last_text end
    where site_id = ${siteId} and visitor_id = ${id}`.execute(db);
}

const ERASED_TABLES = [
  'visitor_events',
  'visitor_notes',
  'visitor_consents',
  'proactive_receipts',
  'visitor_pages',
  'visitor_devices',
] as const;

/**
 * Erases a visitor, their events and their identity in chats (`docs/contract/decisions.md#erasing-a-visitor`).
 * @throws AppError 404 if the site has no such visitor
 */
export async function eraseVisitor(ctx: SiteContext, key: string): Promise<{ key: string; deleted: true }> {
  await ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const visitorId = await retryOnLockTimeout(tx.db, async () => {
      const [visitor] = await lockVisitors(scope, [key]);
      if (!visitor) throw notFound('visitor');
      const files = await eraseUploadsOf(tx.db, scope.siteId, visitor.id);
      for (const table of ERASED_TABLES) {
        await tx.db
          .deleteFrom(table)
          .where('site_id', '=', scope.siteId)
          .where('visitor_id', '=', visitor.id)
          .execute();
      }
      // Open pages of browsers that connected with this key but never wrote.
      await tx.db
        .deleteFrom('visitor_pages')
        .where('site_id', '=', scope.siteId)
        .where('guest_key', '=', key)
        .execute();
      await eraseFromChats(scope, visitor);
      await eraseFromTickets(scope, visitor, files);
      await eraseFromEvents(scope, visitor);
      await eraseProblemsOf(tx.db, scope.siteId, { key, email: visitor.email });
      await emptyVisitor(scope, visitor.id, null);
      return visitor.id;
    });
    await tx.emit({ notices: [{ kind: 'visitor', visitorId }] });
  });
  return { key, deleted: true };
}
