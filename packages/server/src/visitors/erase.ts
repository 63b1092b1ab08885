import { type RawBuilder, sql } from 'kysely';
import { eraseUploadsOf } from '../attachments/uploads.ts';
import type { SiteContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { eraseProblemsOf } from '../imports/erase-problems.ts';
import { eraseFromTickets } from '../tickets/erase-requester.ts';
import { emptyVisitor } from './fold.ts';
import { lockVisitors, scopeOf, type VisitorRow, type VisitorScope } from './rows.ts';
import { yielding } from './yielding.ts';

/** The last line of a summary says who it is; what was asked stands in marks of quotation before it. */
const withoutName = (summary: RawBuilder<unknown>) =>
  sql`regexp_replace(${summary}, ${'\n[^“…\n][^\n]*$'}, '')`;

/** The chats stay, as those of somebody unknown: no address, no name, no browser that opens them again. */
async function eraseFromChats({ db, siteId }: VisitorScope, { id }: VisitorRow): Promise<void> {
  const chats = sql`select id from conversations where site_id = ${siteId} and visitor_id = ${id}`;
  await sql`delete from drafts where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  const unnamed = 'An e-mail address was left for an answer.';
  await sql`delete from transcript_mails where site_id = ${siteId} and conversation_id in (${chats})`.execute(
    db,
  );
  await sql`
    update handoffs set summary = ${withoutName(sql`summary`)}
    where site_id = ${siteId} and conversation_id in (${chats})`.execute(db);
  await sql`
    update messages set author_name = case when sender = 'visitor' then null else author_name end,
      text = case when event = 'email_left' then ${unnamed} else text end
    where site_id = ${siteId} and conversation_id in (${chats})
      and (event = 'email_left' or (sender = 'visitor' and author_name is not null))`.execute(db);
  await sql`
    update conversations c set contact_email = null, device_id = null,
      last_text = case when exists (
        select from messages m where m.site_id = c.site_id and m.conversation_id = c.id
          and m.seq = c.last_seq and m.event = 'email_left'
      ) then ${unnamed} else last_text end
    where site_id = ${siteId} and visitor_id = ${id}`.execute(db);
}

/**
 * Bodies of webhook events name the visitor. Those still to be delivered go out without the name: the wish to be
 * forgotten counts more than that every attempt is the same.
 */
async function eraseFromEvents({ db, siteId }: VisitorScope, key: string): Promise<void> {
  const needle = Buffer.from(`"key":${JSON.stringify(key)}`);
  const nobody = JSON.stringify({ key: null, name: null, email: null });
  await sql`
    with named as materialized (
      select id, convert_from(body, 'UTF8')::jsonb as body from webhook_events
      where site_id = ${siteId} and position(${needle}::bytea in body) > 0
    ), unnamed as (
      select id, body || coalesce((
        select jsonb_object_agg(field, ${nobody}::jsonb) from unnest(array['visitor', 'requester']) as field
        where body -> field ->> 'key' = ${key}
      ), '{}') || case when body ? 'summary'
        then jsonb_build_object('summary', ${withoutName(sql`body ->> 'summary'`)}) else '{}' end as body from named
    )
    update webhook_events e set body = convert_to(u.body::text, 'UTF8')
    from unnamed u where e.site_id = ${siteId} and e.id = u.id`.execute(db);
}

const ERASED_TABLES = ['visitor_events', 'visitor_notes', 'visitor_pages', 'visitor_devices'] as const;

/**
 * Erases a visitor, its events and the identity in its chats (decisions 3, `visitors`); the key is free again.
 * @throws AppError 404 when the site has no such visitor.
 */
export async function eraseVisitor(ctx: SiteContext, key: string): Promise<{ key: string; deleted: true }> {
  await ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const visitorId = await yielding(tx.db, async () => {
      const [visitor] = await lockVisitors(scope, [key]);
      if (!visitor) throw notFound('visitor');
      await eraseUploadsOf(tx.db, scope.siteId, visitor.id);
      for (const table of ERASED_TABLES) {
        await tx.db
          .deleteFrom(table)
          .where('site_id', '=', scope.siteId)
          .where('visitor_id', '=', visitor.id)
          .execute();
      }
      await eraseFromChats(scope, visitor);
      await eraseFromTickets(scope, visitor);
      await eraseFromEvents(scope, key);
      await eraseProblemsOf(tx.db, scope.siteId, { key, email: visitor.email });
      await emptyVisitor(scope, visitor.id, null);
      return visitor.id;
    });
    await tx.emit({ notices: [{ kind: 'visitor', visitorId }] });
  });
  return { key, deleted: true };
}
