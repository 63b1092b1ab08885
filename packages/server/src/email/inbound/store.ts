import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';

/** A mail as a route received it. */
export interface NewReceived {
  mailboxId: number;
  route: 'imap' | 'smtp' | 'http';
  /** Its id on the route, which another mail of this mailbox never has; null if the route has none. */
  source: string | null;
  raw: Buffer;
  /** Of the SMTP envelope; empty for the null sender of bounces. */
  envelopeFrom?: string | undefined;
  envelopeTo?: string | undefined;
  /** The sending server's address, for SPF, and the name that it gave. */
  remoteAddress?: string | undefined;
  helo?: string | undefined;
}

const ENVELOPE_MAX = 1_000;

/** A sender's text as PostgreSQL can store it: without NUL, and cut to a maximum of characters. */
export const storableText = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : text.toWellFormed().replaceAll('\0', '').slice(0, max);

const clean = (text: string | undefined): string | null => storableText(text, ENVELOPE_MAX);

/**
 * Stores a mail and queues its processing, in one transaction. A route may acknowledge the mail once this has
 * committed: nothing later can lose it.
 * @returns the id; undefined if this source was stored before
 */
export async function storeReceived(ctx: SiteContext, mail: NewReceived): Promise<number | undefined> {
  const id = await ctx.transaction(async (tx) => {
    const row = await tx.db
      .insertInto('received_mails')
      .values({
        site_id: tx.site.id,
        mailbox_id: mail.mailboxId,
        route: mail.route,
        source: clean(mail.source ?? undefined),
        received_at: tx.now(),
        envelope_from: clean(mail.envelopeFrom),
        envelope_to: clean(mail.envelopeTo),
        remote_address: clean(mail.remoteAddress),
        helo: clean(mail.helo),
        size: mail.raw.length,
        raw: mail.raw,
      })
      .onConflict((conflict) => conflict.columns(['site_id', 'mailbox_id', 'source']).doNothing())
      .returning('id')
      .modifyEnd(prepared)
      .executeTakeFirst();
    if (row) await queueReceived(tx, row.id);
    return row?.id;
  });
  if (id !== undefined) ctx.services.freshMails.add(ctx.site.id, id, mail.raw);
  return id;
}

/** Queues the processing of a stored mail, in the caller's transaction. */
export const queueReceived = (tx: SiteContext, id: number): Promise<void> =>
  tx.enqueue('email.process', { received_id: id }, { key: `${tx.site.id}:${id}` });
