import { recordEmailBounce } from '../../conversations/emails/send-email.ts';
import type { SiteContext } from '../../core/context.ts';
import { readMessageId } from '../../mail/mailboxes/message-ids.ts';
import type { Bounce } from '../../mime/bounce.ts';
import { recordBounce } from '../../tickets/replies/mail.ts';
import type { Outcome } from './received.ts';

/** The mail of this site that one of these Message-IDs belongs to. Their signature makes sure that nobody made it up. */
function mailOf(
  { services, site }: SiteContext,
  messageIds: readonly string[],
): { about: 'reply' | 'chat'; id: number } | undefined {
  for (const messageId of messageIds) {
    const own = readMessageId(services, messageId);
    if (own?.siteId === site.id && own.about !== 'ticket') return { about: own.about, id: own.id };
  }
  return undefined;
}

/** Marks the mail that a report is about as undelivered: a reply's author is notified, a chat shows it. */
export async function takeBounce(tx: SiteContext, bounce: Bounce): Promise<Outcome> {
  const { error: detail } = bounce;
  const unknown: Outcome = { state: 'bounce', reason: 'unknown_mail', detail };
  const mail = mailOf(tx, bounce.messageIds);
  if (!mail) return unknown;
  if (!bounce.isFailure) return { state: 'ignored', reason: 'delivery_report', detail };
  const known: Outcome = { state: 'bounce', reason: 'undelivered', detail };
  if (mail.about === 'chat') {
    const chat = await recordEmailBounce(tx, mail.id, detail);
    return chat ? { ...known, said: { ...chat, seq: null } } : unknown;
  }
  const ticketId = await recordBounce(tx, mail.id, detail);
  return ticketId === undefined ? unknown : { ...known, ticketId, replyId: mail.id };
}
