import type { MailAuthentication } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import type { ParsedMail } from '../../mime/parsed-mail.ts';
import { storableText } from './store.ts';

export type ReceivedRow = Selectable<Tables['received_mails']>;
export type ReceivedState = ReceivedRow['state'];

/** The mailbox that a mail came to. */
export type MailboxRow = Pick<Selectable<Tables['mailboxes']>, 'id' | 'address' | 'assignee_id'>;

/** What became of a mail, and why, for the mail log. */
export interface Outcome {
  state: Exclude<ReceivedState, 'waiting'>;
  /** A code that the desk translates. */
  reason?: string | undefined;
  /** For whoever looks into it. */
  detail?: string | undefined;
  ticketId?: number | undefined;
  replyId?: number | undefined;
}

/** A stored mail, read: everything that processing needs. */
export interface Incoming {
  received: ReceivedRow;
  mailbox: MailboxRow;
  mail: ParsedMail;
  authentication: MailAuthentication;
}

const DETAIL_MAX = 2_000;

/** The mail with its bytes, if it still waits. */
export const findWaiting = (
  { db, site }: SiteContext,
  id: number,
): Promise<(ReceivedRow & { raw: Buffer }) | undefined> =>
  db
    .selectFrom('received_mails')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('raw', 'is not', null)
    .$narrowType<{ raw: Buffer }>()
    .executeTakeFirst();

/** Locks a mail that still waits. Two processes that have the same job meet here: the second finds it done. */
export async function lockWaiting({ db, site }: SiteContext, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('received_mails')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Its received mails are deleted with a mailbox, so it exists. */
export const getMailbox = ({ db, site }: SiteContext, id: number): Promise<MailboxRow> =>
  db
    .selectFrom('mailboxes')
    .select(['id', 'address', 'assignee_id'])
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Records what the mail says of itself, so that the log shows it whatever becomes of it. */
export async function recordHead(
  { db, site }: SiteContext,
  id: number,
  { mail, authentication }: Pick<Incoming, 'mail' | 'authentication'>,
): Promise<void> {
  await db
    .updateTable('received_mails')
    .set({
      message_id: mail.messageId,
      from_address: mail.from?.address ?? null,
      from_name: mail.from?.name ?? null,
      subject: mail.subject,
      authentication: JSON.stringify(authentication),
    })
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .execute();
}

/** Records the outcome of a mail that waits. */
export async function recordOutcome(ctx: SiteContext, id: number, outcome: Outcome): Promise<void> {
  await ctx.db
    .updateTable('received_mails')
    .set({
      state: outcome.state,
      reason: outcome.reason ?? null,
      detail: storableText(outcome.detail, DETAIL_MAX),
      ticket_id: outcome.ticketId ?? null,
      reply_id: outcome.replyId ?? null,
      attempts: sql`attempts + 1`,
      processed_at: ctx.now(),
    })
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}
