import { LANGUAGES, type Language } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/** The message that a visitor answers, as it becomes the first one of their chat. */
export interface Answered {
  text: string;
  /** The agent in whose name it was shown; without an id, the bot. */
  author: { id: number | null; name: string };
}

interface Row {
  texts: Partial<Record<Language, string>>;
  language: Language;
  sender_id: number | null;
  sender_name: string | null;
  bot_name: string;
}

/**
 * Counts once that a visitor answers a message that they were shown, in the transaction that stores the answer.
 * @returns undefined for an unknown or deleted message, and for one that they weren't shown: its text is not public
 */
export async function answerProactive(
  tx: SiteContext,
  visitorId: number,
  id: number,
): Promise<Answered | undefined> {
  const { rows } = await sql<Row>`
    with receipt as (
      select opened_at, answered_at, language from proactive_receipts
      where site_id = ${tx.site.id} and visitor_id = ${visitorId} and message_id = ${id} for update
    ), answered as (
      update proactive_receipts set answered_at = ${tx.now()}, opened_at = coalesce(opened_at, ${tx.now()})
      where site_id = ${tx.site.id} and visitor_id = ${visitorId} and message_id = ${id}
        and exists (select from receipt where answered_at is null)
    ), message as (
      update proactive_messages m set
        opened = m.opened + (select count(*) from receipt where opened_at is null)::integer,
        answered = m.answered + (select count(*) from receipt where answered_at is null)::integer
      where m.site_id = ${tx.site.id} and m.id = ${id} and exists (select from receipt)
      returning m.site_id, m.texts, m.sender_id
    )
    select m.texts, (select language from receipt) as language, a.id as sender_id,
      a.name as sender_name, s.bot_name
    from message m join sites s on s.id = m.site_id
    left join agents a on a.site_id = m.site_id and a.id = m.sender_id and a.removed_at is null`.execute(
    tx.db,
  );
  const row = rows[0];
  if (!row) return undefined;
  const { texts, language, sender_id, sender_name, bot_name } = row;
  const shown = [language, ...LANGUAGES].find((one) => texts[one] !== undefined) ?? language;
  return { text: texts[shown] ?? '', author: { id: sender_id, name: sender_name ?? bot_name } };
}
