import { randomUUID } from 'node:crypto';
import { type Language, PORTAL_HOURS_DEFAULT, type Reply } from '@foyer/protocol';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { sql } from 'kysely';
import { ANY_OPEN, appendMessage } from '../../conversations/append/append-message.ts';
import type { SiteContext } from '../../core/context.ts';
import { speechOf } from '../../i18n/phrases.ts';
import { keepPortalLink } from '../portal/links.ts';

interface OpenChat {
  session_id: string;
  language: Language;
  site_name: string;
}

/** The chat that a ticket was created from, if it belongs to its requester and is still open. */
export async function openChatOf({ db, site }: SiteContext, ticketId: number): Promise<OpenChat | undefined> {
  const { rows } = await sql<OpenChat>`
    select c.session_id, s.language, s.name as site_name
    from tickets t
    join conversations c on c.site_id = t.site_id and c.id = t.conversation_id and c.visitor_id = t.requester_id
    join sites s on s.id = t.site_id
    where t.site_id = ${site.id} and t.id = ${ticketId} and c.status <> 'closed'`.execute(db);
  return rows[0];
}

/**
 * Sends a reply as a message in the chat that its ticket was created from, for a requester who can't be emailed.
 * Files and longer text are behind a link to the ticket's page.
 * @returns whether there was an open chat
 */
export async function sayInChat(tx: SiteContext, reply: Reply): Promise<boolean> {
  const chat = await openChatOf(tx, reply.ticket_id);
  if (!chat) return false;
  const { id: agentId, name, type } = reply.author;
  const said = await appendMessage(
    tx,
    chat.session_id,
    {
      sender: 'agent',
      clientId: randomUUID(),
      text: await chatTextOf(tx, reply, chat),
      author: type === 'agent' ? { id: agentId, name } : { id: null, name: chat.site_name },
    },
    ANY_OPEN,
  );
  return said !== undefined;
}

async function chatTextOf(
  tx: SiteContext,
  { id, ticket_id, body, attachments }: Reply,
  { language }: OpenChat,
): Promise<string> {
  if (body.length <= MESSAGE_MAX && attachments.length === 0) return body;
  const { say } = speechOf(language);
  const token = tx.services.derivedToken(`portal link of reply ${tx.site.id}-${id}`);
  const url = await keepPortalLink(tx, ticket_id, token, PORTAL_HOURS_DEFAULT);
  const names = attachments.map(({ name }) => name).join(', ');
  const ending = `\n\n${names === '' ? say('mail_answer_here') : say('mail_files', { names })}\n${url}`;
  const room = MESSAGE_MAX - ending.length;
  const text = body.length <= room ? body : `${body.slice(0, room - 1).toWellFormed()}…`;
  return text + ending;
}
