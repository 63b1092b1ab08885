import { isUniqueViolation } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { readMessageId } from '../../mail/mailboxes/message-ids.ts';
import { bounceOf } from '../../mime/bounce.ts';
import { MailUnreadable } from '../../mime/limits.ts';
import { noiseOf } from '../../mime/noise.ts';
import { parseMail } from '../../mime/parse-mail.ts';
import { AuthenticationUnavailable, authenticateMail, UNPROVEN } from './authenticate.ts';
import { takeBounce } from './bounces.ts';
import { contentHash } from './content-hash.ts';
import { openTicket, replyToThread } from './deliver.ts';
import { findTicket } from './find-ticket.ts';
import {
  findWaiting,
  getMailbox,
  type Incoming,
  lockWaiting,
  type Outcome,
  type ReceivedRow,
  recordHead,
  recordOutcome,
} from './received.ts';
import { storableText } from './store.ts';
import { suspensionOf } from './suspend.ts';

/** As often as a failed lookup of the sender's domain postpones a mail. */
const POSTPONED_MAX = 2;

/** Reads and checks a mail, which needs no lock and may take seconds. @throws MailUnreadable */
async function readMail(ctx: SiteContext, received: ReceivedRow & { raw: Buffer }): Promise<Incoming> {
  const mailbox = await getMailbox(ctx, received.mailbox_id);
  const mail = await parseMail(received.raw);
  const authentication = await authenticateMail(ctx, received, mail.from?.address ?? null).catch(
    (error: unknown) => {
      if (error instanceof AuthenticationUnavailable && received.attempts >= POSTPONED_MAX) return UNPROVEN;
      throw error;
    },
  );
  return { received, mailbox, mail, authentication };
}

/** The mail of this site that this one repeats. The index decides between two processes. */
async function findOriginal(tx: SiteContext, { received, mail }: Incoming): Promise<Outcome | undefined> {
  const hash = contentHash(mail);
  try {
    await tx.attempt((inner) =>
      inner.db
        .updateTable('received_mails')
        .set({ content_hash: hash })
        .where('site_id', '=', tx.site.id)
        .where('id', '=', received.id)
        .execute(),
    );
    return undefined;
  } catch (error) {
    if (!isUniqueViolation(error, 'received_mails_content')) throw error;
  }
  const original = await tx.db
    .selectFrom('received_mails')
    .select(['id', 'ticket_id', 'reply_id'])
    .where('site_id', '=', tx.site.id)
    .where('content_hash', '=', hash)
    .executeTakeFirst();
  return {
    state: 'duplicate',
    reason: 'same_mail',
    detail: `${original?.id ?? ''}`,
    ticketId: original?.ticket_id ?? undefined,
    replyId: original?.reply_id ?? undefined,
  };
}

async function outcomeOf(tx: SiteContext, incoming: Incoming): Promise<Outcome> {
  const duplicate = await findOriginal(tx, incoming);
  if (duplicate) return duplicate;
  if (incoming.mail.from === null)
    return { state: 'rejected', reason: 'no_sender', detail: 'The message has no valid From address.' };
  if (readMessageId(tx.services, incoming.mail.messageId ?? ''))
    return { state: 'ignored', reason: 'own_mail' };
  const { mail, received } = incoming;
  const bounce = bounceOf(mail, received.envelope_from);
  if (bounce) return takeBounce(tx, bounce);
  const ticket = await findTicket(tx, incoming);
  const noise = noiseOf(mail, received.envelope_from);
  const suspension = await suspensionOf(tx, incoming, noise, ticket);
  if (suspension) return suspension;
  if (ticket) return replyToThread(tx, ticket, incoming, noise !== undefined && noise !== 'bulk');
  // An answer of a machine to nothing of ours tells nobody anything.
  if (noise === 'auto_reply' && received.accepted_at === null)
    return { state: 'ignored', reason: 'auto_reply' };
  return openTicket(tx, incoming);
}

/** Counts an attempt that failed, and why, so that the log shows it while it is retried. */
async function recordFailure({ db, site }: SiteContext, id: number, error: unknown): Promise<void> {
  await db
    .updateTable('received_mails')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      detail: error instanceof Error ? storableText(error.message, 500) : null,
    }))
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/**
 * Processes a stored mail: everything that it changes is one transaction with its outcome, under a lock of its row,
 * so that a process that dies before or after it repeats nothing. Does nothing for a mail that was processed.
 * @throws every error that a retry may fix
 */
export async function processReceived(ctx: SiteContext, id: number): Promise<void> {
  const received = await findWaiting(ctx, id);
  if (!received) return;
  try {
    const incoming = await readMail(ctx, received);
    await ctx.transaction(async (tx) => {
      if (!(await lockWaiting(tx, id))) return;
      await recordHead(tx, id, incoming);
      await recordOutcome(tx, id, await outcomeOf(tx, incoming));
    });
  } catch (error) {
    if (error instanceof MailUnreadable)
      return recordOutcome(ctx, id, { state: 'rejected', reason: error.reason, detail: error.message });
    await recordFailure(ctx, id, error);
    throw error;
  }
}
