import type { VisitorSession } from '@foyer/protocol';
import { AppError } from '../base/errors.ts';
import { noteContact, visitorActor } from '../conversations/chat.ts';
import { announce } from '../conversations/handoffs.ts';
import { getSession, lockSession, presentVisitorSession } from '../conversations/sessions.ts';
import { markIfBlocked } from '../conversations/spam/blocked.ts';
import type { SiteContext } from '../core/context.ts';
import { speakingVisitor } from '../visitors/identity/own-visitor.ts';
import { createTicketFromChat } from './from-chat.ts';

/**
 * No agent has joined the chat, and the visitor leaves an email address. Creates a ticket with the transcript, once
 * per chat; another address replaces the first. Ends a snooze, like a message.
 */
export async function leaveEmail(
  ctx: SiteContext,
  sessionId: string,
  email: string,
  name?: string,
): Promise<VisitorSession> {
  return ctx.transaction(async (tx) => {
    await speakingVisitor(tx, visitorActor(tx));
    await markIfBlocked(tx, sessionId, { emails: [email] });
    const session = await lockSession(tx, sessionId);
    if (session.status === 'closed') throw new AppError('conflict', 'This chat is closed.');
    await noteContact(tx, session.visitor_id, email, name);
    const ticketId = session.ticket_id ?? (await createTicketFromChat(tx, session, email));
    await tx.db
      .updateTable('conversations')
      .set({ contact_email: email, ticket_id: ticketId, snoozed_until: null })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', session.id)
      .execute();
    if (session.contact_email !== email)
      await announce(tx, sessionId, 'email_left', `The visitor left the email address ${email}.`);
    await tx.emit({ notices: [{ kind: 'session', sessionId }] });
    return presentVisitorSession(await getSession(tx, sessionId));
  });
}
