import type { Message } from '@foyer/protocol';
import { sql } from 'kysely';
import type { NewAttachment } from '../../attachments/attachments.ts';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite } from '../../sites/sites.ts';
import { appendMessage, findSent, HAS_BOT } from '../append/append-message.ts';
import { closed } from '../desk.ts';
import { getSession, lockSession, type SessionRow } from '../sessions.ts';
import { refuseSpam } from '../spam/mark.ts';

/** A 409 for operations that only the chat's bot may run. */
export const withPerson = () =>
  new AppError('conflict', 'This chat is with the team. The bot can’t write in it.', {
    reason: 'chat_with_person',
  });

/**
 * The bot says nothing to the last messages: it owes no answer, and keeps the chat.
 * @throws AppError 409 for a chat that is with the team
 */
export async function keepSilent(tx: SiteContext, chat: SessionRow): Promise<SessionRow> {
  if (chat.status !== 'bot') throw withPerson();
  await sql`
    update conversations set bot_seq = last_seq, bot_due_at = null
    where site_id = ${tx.site.id} and id = ${chat.id} and status = 'bot'`.execute(tx.db);
  await tx.emit({ notices: [{ kind: 'session', sessionId: chat.session_id }], counts: false });
  return getSession(tx, chat.session_id);
}

interface Said {
  clientId: string;
  text: string;
  files?: readonly NewAttachment[] | undefined;
}

/**
 * A message as the bot of a chat, from another program. It counts as the answer to everything said before, so the
 * built-in bot doesn't answer that again.
 * @throws AppError 404, 409 for a chat that is closed, spam, or with the team
 */
export function sayAsBot(ctx: SiteContext, sessionId: string, said: Said): Promise<Message> {
  return ctx.transaction(async (tx) => {
    const chat = await lockSession(tx, sessionId);
    const sent = await findSent(tx, sessionId, said.clientId);
    if (sent) return sent;
    if (chat.status === 'closed') throw closed();
    refuseSpam(chat);
    if (chat.status !== 'bot') throw withPerson();
    const { bot_name: name } = await getSite(tx.db, tx.site.id);
    const draft = { ...said, sender: 'bot', author: { id: null, name } } as const;
    const made = await appendMessage(
      tx,
      sessionId,
      draft,
      HAS_BOT,
      sql`, bot_seq = c.last_seq + 1, bot_misses = 0, bot_due_at = null`,
    );
    if (!made) throw withPerson();
    return made.message;
  });
}
