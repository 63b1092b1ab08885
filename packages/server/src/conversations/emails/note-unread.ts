import type { Sender } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, sql } from 'kysely';

/** An email waits until nobody has written for this long, so that several lines are one email. */
export const QUIET_MS = MINUTE_MS;

/**
 * Notes, in the statement that stores messages (`chat`), that their visitors may have to get them by email. The bot's
 * messages count if the visitor writes by email.
 */
export function noteUnread(sender: Sender): RawBuilder<unknown> {
  if (sender !== 'agent' && sender !== 'bot') return sql``;
  const byMail =
    sender === 'agent'
      ? sql``
      : sql`where exists (select from chat_mails w
          where w.site_id = chat.site_id and w.conversation_id = chat.id and not w.is_outgoing)`;
  return sql`, unread as (
      insert into unread_replies (site_id, conversation_id, due_at)
      select chat.site_id, chat.id, chat.now + make_interval(secs => ${sql.lit(QUIET_MS / 1_000)})
      from chat join sites s on s.id = chat.site_id and s.email_replies_after_min is not null ${byMail}
      on conflict do nothing)`;
}
