import { type RawBuilder, sql } from 'kysely';
import type { Given } from '../../db/given-rows.ts';

/** A condition: the site has an SLA policy for chats. Without one, only this is read. */
const hasPolicy = (siteId: Given<number>): RawBuilder<boolean> => sql`exists (
        select from sla_policies where site_id = ${siteId} and applies_to @> '["chats"]'::jsonb)`;

/**
 * An insert that marks chats whose due times may have changed (conversations/sla/clock), as a part of the statement
 * that changes them: one process computes the due times a moment later, so no message waits for it.
 * @param chats `from … where …` of the chats `c` that have changed
 */
export const markChatSlas = (
  siteId: Given<number>,
  now: Given<Date>,
  chats: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
      insert into chat_slas as s (site_id, conversation_id, event_at, changed_at, created_at)
      select ${siteId}::bigint, c.id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      ${chats} and ${hasPolicy(siteId)}
      on conflict (site_id, conversation_id) do update
        set event_at = least(s.event_at, excluded.event_at), changed_at = greatest(s.changed_at, excluded.changed_at)`;

/** The chats of these notices, unless only the bot has ever had them. */
export const chatsOfSessions = (siteId: number, sessionIds: readonly string[]): RawBuilder<unknown> => sql`
      from conversations c
      where c.site_id = ${siteId} and c.session_id = any (${[...sessionIds]}::text[])
        and (c.status in ('waiting', 'active') and c.spam_at is null or exists (
          select from chat_slas k where k.site_id = c.site_id and k.conversation_id = c.id and k.sla is not null))`;
