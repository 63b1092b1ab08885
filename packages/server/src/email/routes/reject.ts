import type { SiteContext } from '../../core/context.ts';
import { storableText } from '../inbound/store.ts';

/** A mail that the log shows, but that will never be processed. */
export interface Unprocessed {
  mailboxId: number;
  route: 'imap' | 'smtp' | 'http';
  source: string;
  state: 'rejected' | 'failed';
  /** `too_large`, or `unreadable`: the server didn't deliver it in several attempts. */
  reason: 'too_large' | 'unreadable';
  detail: string;
  /** Its headers, if they are known. */
  headers: Buffer;
  size: number;
  subject?: string | undefined;
  from?: { name?: string | undefined; address?: string | undefined } | undefined;
}

/** The maximum length of a line in a mail. */
const LINE_MAX = 998;

const clean = (text: string | undefined): string | null => storableText(text, LINE_MAX);

/** Records a mail that a route can't process, once per source. It stays on the server where it is. */
export async function logUnprocessed(ctx: SiteContext, mail: Unprocessed): Promise<void> {
  const now = ctx.now();
  await ctx.db
    .insertInto('received_mails')
    .values({
      site_id: ctx.site.id,
      mailbox_id: mail.mailboxId,
      route: mail.route,
      source: mail.source,
      received_at: now,
      processed_at: now,
      size: mail.size,
      raw: mail.headers,
      state: mail.state,
      reason: mail.reason,
      detail: clean(mail.detail),
      subject: clean(mail.subject),
      from_address: clean(mail.from?.address),
      from_name: clean(mail.from?.name),
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'mailbox_id', 'source']).doNothing())
    .execute();
}
