import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import { noteMailFailure } from '../../mail/failures.ts';
import { findMailbox, findMailboxMailer } from '../../mail/mailboxes/mailboxes.ts';
import { type Attempt, sendRecorded, storableAnswer } from '../../mail/send-recorded.ts';
import { findMailer } from '../../mail/site-mailer.ts';
import { composeEmail, findQueuedEmail } from './compose-email.ts';

/**
 * Records the result of a chat's mail and shows it to the team; ignored if its chat was deleted.
 * @returns the chat
 */
async function recordOutcome(
  ctx: SiteContext,
  id: number,
  { outcome, answer }: Attempt,
): Promise<{ conversationId: number } | undefined> {
  return ctx.transaction(async (tx) => {
    const words = storableAnswer(answer);
    const error = outcome === 'sent' ? null : words;
    const state = outcome === 'delayed' ? sql`state` : sql`${outcome}`;
    const { rows } = await sql<{ conversation_id: number; session_id: string }>`
      with mail as (
        update chat_mails m set state = ${state}, error = coalesce(${error}, case when ${outcome} = 'failed' then m.error end)
        where m.site_id = ${tx.site.id} and m.id = ${id} and m.is_outgoing returning m.site_id, m.id, m.conversation_id
      ), attempt as (
        insert into mail_attempts (site_id, conversation_id, chat_mail_id, outcome, answer, attempted_at)
        select site_id, conversation_id, id, ${outcome}, ${words}, ${tx.now()} from mail
      )
      select c.id as conversation_id, c.session_id from mail
      join conversations c on c.site_id = mail.site_id and c.id = mail.conversation_id`.execute(tx.db);
    const [row] = rows;
    if (!row) return undefined;
    await tx.emit({ notices: [{ kind: 'session', sessionId: row.session_id }], counts: false });
    return { conversationId: row.conversation_id };
  });
}

/** Records that a chat's mail came back as undeliverable. @returns the chat; undefined if it was deleted */
export const recordEmailBounce = (
  ctx: SiteContext,
  id: number,
  error: string,
): Promise<{ conversationId: number } | undefined> =>
  recordOutcome(ctx, id, { outcome: 'bounced', answer: error });

/** The visitor returned before a mail was sent. In one statement, so that a sent mail stays marked as sent. */
async function noteRead({ db, site }: SiteContext, id: number): Promise<void> {
  await db
    .updateTable('chat_mails')
    .set({ state: 'read', error: null })
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

/**
 * Emails unread replies. A retry creates the same mail, with the same Message-ID.
 * @throws every error that a retry may fix
 */
export async function sendChatEmail(ctx: SiteContext, id: number): Promise<void> {
  const email = await findQueuedEmail(ctx, id);
  if (!email) return;
  if (email.is_read) return noteRead(ctx, id);
  const mailbox = await findMailbox(ctx, email.mailbox_id);
  await sendRecorded(ctx, {
    kind: 'chat',
    about: { session_id: email.session_id, chat_mail_id: id },
    mailer: await (mailbox ? findMailboxMailer(ctx, mailbox) : findMailer(ctx)),
    compose: () => composeEmail(ctx, email, mailbox),
    record: (attempt) => recordOutcome(ctx, id, attempt),
  });
}

/** Retries after 5, 10, 20 s … up to an hour: about twelve hours in all, as for replies to tickets. */
const RETRIES = { limit: 21, delayS: 5, maxDelayS: 3600 };

export const chatEmailJobs = [
  job({
    name: 'mail.chat',
    retries: RETRIES,
    run: (ctx, { chat_mail_id }) => sendChatEmail(ctx, chat_mail_id),
    async giveUp(ctx, { chat_mail_id }, error) {
      await noteMailFailure(ctx, 'chat', error);
      await recordOutcome(ctx, chat_mail_id, { outcome: 'failed', answer: null });
    },
  }),
];
