import type { SiteContext } from '../../core/context.ts';
import { readMessageId } from '../../mail/mailboxes/message-ids.ts';
import type { Bounce } from '../../mime/bounce.ts';
import { recordBounce } from '../../tickets/replies/mail.ts';
import type { Outcome } from './received.ts';

/** The reply of this site that one of these Message-IDs belongs to. Their signature makes sure that nobody made it up. */
function replyOf({ services, site }: SiteContext, messageIds: readonly string[]): number | undefined {
  for (const messageId of messageIds) {
    const own = readMessageId(services, messageId);
    if (own?.about === 'reply' && own.siteId === site.id) return own.id;
  }
  return undefined;
}

/** Marks the reply that a report is about as undelivered, and notifies its author. */
export async function takeBounce(tx: SiteContext, bounce: Bounce): Promise<Outcome> {
  const replyId = replyOf(tx, bounce.messageIds);
  if (replyId === undefined) return { state: 'bounce', reason: 'unknown_mail', detail: bounce.error };
  if (!bounce.isFailure) return { state: 'ignored', reason: 'delivery_report', detail: bounce.error };
  const ticketId = await recordBounce(tx, replyId, bounce.error);
  if (ticketId === undefined) return { state: 'bounce', reason: 'unknown_mail', detail: bounce.error };
  return { state: 'bounce', reason: 'undelivered', detail: bounce.error, ticketId, replyId };
}
