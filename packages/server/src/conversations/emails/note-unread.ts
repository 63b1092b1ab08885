import type { Sender } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

/** An email waits until nobody has written for this long, so that several lines are one email. */
export const QUIET_MS = MINUTE_MS;

/**
 * Notes, in the statement that stores a message (`chat`), that its visitor may have to get it by email. The bot's
 * messages count if the visitor writes by email.
 */
export function noteUnread(ctx: SiteContext, sender: Sender): RawBuilder<unknown> {
  if (sender !== 'agent' && sender !== 'bot') return sql``;
  const { site } = ctx;
  const byMail =
    sender === 'agent'
      ? sql``
      : sql`where exists (select from chat_mails w
          where w.site_id = ${site.id} and w.conversation_id = chat.id and not w.is_outgoing)`;
  return sql`, unread as (
      insert into unread_replies (site_id, conversation_id, due_at)
      select ${site.id}::bigint, chat.id, ${new Date(ctx.now().getTime() + QUIET_MS)}::timestamptz
      from chat join sites s on s.id = ${site.id} and s.email_replies_after_min is not null ${byMail}
      on conflict do nothing)`;
}
