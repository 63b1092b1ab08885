import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import type { ReplyUndo } from '../../db/column-types.ts';
import { reportChange, writeTicket } from '../changes.ts';
import { mailOfTicket } from '../replies/mail.ts';
import { renewWords } from '../search/search.ts';
import { lockTicket } from '../tickets.ts';

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The files of a reply become unsent uploads again, which its author can send. */
async function takeFiles({ db, site }: SiteContext, replyId: number) {
  const { rows } = await sql<{ upload_id: string; name: string; size: number; position: number | null }>`
    update attachments set reply_id = null, position = null
    where site_id = ${site.id} and reply_id = ${replyId} and upload_id is not null
    returning upload_id, name, size, id as position`.execute(db);
  return rows
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
    .map(({ upload_id, name, size }) => ({ upload_id, name, size }));
}

/**
 * Deletes the caller's own reply before its mail is sent, and restores the ticket's status.
 * @throws AppError 404, and 409 once the mail is being sent
 */
export function undoReply(
  ctx: SiteContext,
  { ticket_id, reply_id }: ParsedInputOf<'tickets.undo_reply'>,
): Promise<OutputOf<'tickets.undo_reply'>> {
  return ctx.transaction(async (tx) => {
    const row = await lockTicket(tx, ticket_id);
    const { agentId } = agentActor(tx);
    const { rows } = await sql<{ body: string; undo: ReplyUndo | null }>`
      select body, undo from ticket_replies
      where site_id = ${tx.site.id} and ticket_id = ${ticket_id} and id = ${reply_id} and agent_id = ${agentId}
      for update`.execute(tx.db);
    const [reply] = rows;
    if (!reply) throw notFound('reply');
    const { undo } = reply;
    if (!undo || new Date(undo.until) <= tx.now())
      throw new AppError('conflict', 'This reply has been sent and can no longer be undone.', {
        reason: 'reply_sent',
      });
    const files = await takeFiles(tx, reply_id);
    await sql`delete from ticket_replies where site_id = ${tx.site.id} and id = ${reply_id}`.execute(tx.db);
    await renewWords(tx, ticket_id);
    const isUntouched = row.status === undo.status_after;
    const after = await writeTicket(tx, row, {
      ...(isUntouched ? { status: undo.status, snoozed_until: dateOf(undo.snoozed_until) } : {}),
      reply_count: row.reply_count - 1,
      last_activity_at: new Date(undo.last_activity_at),
      // The requester may have written meanwhile.
      unanswered_since: row.unanswered_since ?? dateOf(undo.unanswered_since),
      replied_at: dateOf(undo.replied_at),
    });
    await tx.emit({
      audit: { subject: 'ticket', subjectId: ticket_id, action: 'reply_undone' },
      notices: [{ kind: 'ticket', ticketId: ticket_id }],
    });
    await reportChange(tx, row, after);
    return { text: reply.body, files, mail: await mailOfTicket(tx, { id: ticket_id }) };
  });
}
