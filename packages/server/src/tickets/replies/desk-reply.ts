import type { OutputOf, ParsedInputOf, Reply } from '@foyer/protocol';
import { type SqlBool, sql } from 'kysely';
import { answeredMeanwhile } from '../../conversations/desk.ts';
import { assertHas } from '../../core/access/permissions.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { storeMentions } from '../../mentions/mentions.ts';
import { getTicketRow, lockTicket, presentTicketSummary, ticketsOfIds } from '../tickets.ts';
import { inTicketQueue } from '../views/queues.ts';
import { authorOf } from './authors.ts';
import { replyToTicket } from './replies.ts';
import { findOthersReply, findSentReply } from './reply-rows.ts';

/** Limit per ticket; nobody replies to a closed ticket that often. */
const FOLLOW_UPS_SHOWN = 50;

/**
 * Stores an agent's reply or note from the desk, once however often it is sent.
 * @throws AppError like `replyToTicket`, and 409 if a colleague has replied since `seen`
 */
export function replyFromDesk(ctx: SiteContext, input: ParsedInputOf<'tickets.reply'>): Promise<Reply> {
  const { ticket_id, client_id, attachments, text, mentions = [], seen, cc, bcc, undo_s, ...reply } = input;
  if (reply.type === 'public') assertHas(ctx, 'answer');
  return ctx.transaction(async (tx) => {
    // A second request with the same reply waits here, and then finds what the first one stored.
    const row = await lockTicket(tx, ticket_id);
    const { agentId } = agentActor(tx);
    const sent = await findSentReply(tx, ticket_id, agentId, client_id);
    if (sent) return sent;
    if (reply.type === 'public' && seen !== undefined) {
      const other = await findOthersReply(tx, ticket_id, agentId, seen);
      if (other) throw answeredMeanwhile(other.author.name);
    }
    const made = await replyToTicket(tx, row, {
      ...reply,
      body: text,
      author: await authorOf(tx),
      uploadIds: attachments,
      clientId: client_id,
      copies: { cc, bcc },
      undoS: undo_s,
    });
    const isOpen = sql<SqlBool>`exists (select from tickets t where t.id = ${ticket_id} and ${inTicketQueue(tx, 'open')})`;
    await storeMentions(tx, { replyId: made.id, ticketId: ticket_id }, text, mentions, isOpen);
    return made;
  });
}

/** The follow-ups of this ticket, oldest first. @throws AppError 404 */
export async function listFollowUps(ctx: SiteContext, id: number): Promise<OutputOf<'tickets.follow_ups'>> {
  const { merged_into_id } = await getTicketRow(ctx, id);
  const { rows } = await sql<{ id: number }>`
    select id from tickets where site_id = ${ctx.site.id} and (follow_up_of_id = ${id} or id = ${merged_into_id})
    order by id limit ${FOLLOW_UPS_SHOWN}`.execute(ctx.db);
  const tickets = await ticketsOfIds(
    ctx,
    rows.map((row) => row.id),
  );
  return { merged_into_id, tickets: tickets.map(presentTicketSummary) };
}
