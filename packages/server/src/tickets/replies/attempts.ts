import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { type Attempt, storableAnswer } from '../../mail/send-recorded.ts';

/** Adds an attempt to the log of a reply's mail; does nothing if the mail was deleted. */
export async function recordAttempt(
  tx: SiteContext,
  replyId: number,
  { outcome, answer }: Attempt,
): Promise<void> {
  await sql`
    insert into mail_attempts (site_id, ticket_id, mail_id, outcome, answer, attempted_at)
    select site_id, ticket_id, id, ${outcome}, ${storableAnswer(answer)}, ${tx.now()}
    from ticket_mails where site_id = ${tx.site.id} and reply_id = ${replyId} and is_outgoing`.execute(tx.db);
}
