import type { MailAttemptOutcome } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

/** One attempt to send a mail, or what became of it later. */
export interface Attempt {
  outcome: MailAttemptOutcome;
  /** The server's response, or what else went wrong. It may contain the recipient's address. */
  answer: string | null;
}

const ANSWER_MAX = 500;

/** Adds an attempt to the log of a reply's mail; does nothing if the mail was deleted. */
export async function recordAttempt(
  tx: SiteContext,
  replyId: number,
  { outcome, answer }: Attempt,
): Promise<void> {
  await sql`
    insert into mail_attempts (site_id, ticket_id, mail_id, outcome, answer, attempted_at)
    select site_id, ticket_id, id, ${outcome}, ${answer?.toWellFormed().replaceAll('\0', '').slice(0, ANSWER_MAX) ?? null}, ${tx.now()}
    from ticket_mails where site_id = ${tx.site.id} and reply_id = ${replyId} and is_outgoing`.execute(tx.db);
}
