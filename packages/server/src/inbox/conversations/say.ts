import { randomUUID } from 'node:crypto';
import type { ConversationMessage, Message, ParsedInputOf } from '@foyer/protocol';
import { decodeAttachments } from '../../attachments/attachments.ts';
import { refuseMalware } from '../../attachments/scan.ts';
import { findSent } from '../../conversations/append/append-message.ts';
import { sendMessage } from '../../conversations/chat.ts';
import { reply } from '../../conversations/desk.ts';
import { sayAsBot } from '../../conversations/own-bot/say-as-bot.ts';
import { lockSession, type SessionRow } from '../../conversations/sessions.ts';
import { startedBefore } from '../../conversations/starting/begin.ts';
import type { SiteContext } from '../../core/context.ts';
import { forVisitorOf, inNameOf } from './acting.ts';
import { presentMessageOf } from './present.ts';

/** A visitor's message to a closed chat is in the chat that follows it. */
async function sentBefore(tx: SiteContext, chat: SessionRow, clientId: string) {
  const message = await findSent(tx, chat.session_id, clientId);
  if (message) return { sessionId: chat.session_id, message };
  const next = await startedBefore(tx, chat.visitor_id, clientId);
  const there = next === undefined ? undefined : await findSent(tx, next, clientId);
  return next !== undefined && there ? { sessionId: next, message: there } : undefined;
}

/**
 * Stores a message from another program: what the desk, the widget and the bot call. Runs under the chat's lock, so a
 * repeated call finds the message that the first one stored.
 * @throws AppError 404, 409 for a chat that the sender can't write in
 */
export async function say(
  ctx: SiteContext,
  input: ParsedInputOf<'conversation_messages.create'>,
): Promise<ConversationMessage> {
  const { session_id, sender, client_id: clientId = randomUUID(), text, seen } = input;
  const files = decodeAttachments(input.attachments ?? []);
  await refuseMalware(ctx, files);
  const said = { clientId, text, files };
  return ctx.transaction(async (tx) => {
    const chat = await lockSession(tx, session_id);
    const before = await sentBefore(tx, chat, clientId);
    if (before) return presentMessageOf(before.sessionId, before.message);
    let message: Message;
    if (sender === 'visitor') {
      const sent = await sendMessage(forVisitorOf(tx, chat), { sessionId: session_id, ...said });
      return presentMessageOf(sent.sessionId, sent.message);
    }
    if (sender === 'bot') message = await sayAsBot(tx, session_id, said);
    else message = await reply(await inNameOf(tx, input.agent_id, chat), session_id, { ...said, seen });
    return presentMessageOf(session_id, message);
  });
}
