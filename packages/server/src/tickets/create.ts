import type { ParsedInputOf, Ticket, TicketPriority, TicketStatus } from '@foyer/protocol';
import { lockSession } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { notify } from '../notifications/notify.ts';
import { assignableAgent } from '../sites/agents/assignable.ts';
import { resolveRequester } from './requester/requester.ts';
import { addWords } from './search/search.ts';
import { isSolved, touched } from './states.ts';
import { setTicketTags } from './tags/ticket-tags.ts';
import { getTicketRow, presentTicket, requesterOf, type TicketRow } from './tickets.ts';

interface NewTicket {
  subject: string;
  description: string;
  requesterId: number;
  /** Where this ticket's answers go, where that isn't the requester's own address. */
  requesterEmail: string | null;
  conversationId?: number | null;
  /** The description is the chat up to this message. */
  chatSeq?: number;
  followUpOf?: number;
  assigneeId?: number | null;
  priority?: TicketPriority;
  externalId?: string | null;
  tags?: readonly string[];
  /** It was made elsewhere, then, and stands there like this. */
  imported?: { status: TicketStatus; createdAt: Date };
}

/** The one way in which a ticket comes to be. A chat that it is made from is locked. */
export async function insertTicket(tx: SiteContext, ticket: NewTicket): Promise<TicketRow> {
  const { subject, description, tags = [], conversationId = null, assigneeId = null, imported } = ticket;
  const now = imported?.createdAt ?? tx.now();
  const status = imported?.status ?? (assigneeId === null ? 'new' : touched('new'));
  const { id } = await tx.db
    .insertInto('tickets')
    .values({
      site_id: tx.site.id,
      subject,
      description,
      status,
      priority: ticket.priority ?? 'normal',
      requester_id: ticket.requesterId,
      requester_email: ticket.requesterEmail,
      conversation_id: conversationId,
      chat_seq: ticket.chatSeq ?? null,
      assignee_id: assigneeId,
      external_id: ticket.externalId ?? null,
      follow_up_of_id: ticket.followUpOf ?? null,
      ...(imported ? { imported_at: tx.now() } : {}),
      unread_since: imported || tx.actor.kind === 'agent' ? null : now,
      solved_at: isSolved(status) ? now : null,
      created_at: now,
      updated_at: now,
      last_activity_at: now,
      unanswered_since: isSolved(status) ? null : now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (tags.length > 0) await setTicketTags(tx, { id, created_at: now }, tags);
  await addWords(tx, id, `${subject}\n${description}`);
  if (conversationId !== null) await linkChat(tx, conversationId, id);
  if (assigneeId !== null)
    await notify(tx, { kind: 'ticket_assigned', agentIds: [assigneeId], ticketId: id });
  const row = await getTicketRow(tx, id);
  await tx.emit({
    audit: { subject: 'ticket', subjectId: id, action: 'created' },
    notices: [{ kind: 'ticket', ticketId: id }],
    webhook: {
      event: 'ticket_created',
      body: { ticket_id: id, session_id: row.session_id, subject, requester: requesterOf(row) },
    },
  });
  return row;
}

/** The other end of the link: the chat and its handoffs show the newest ticket that was made from it. */
async function linkChat(tx: SiteContext, conversationId: number, ticketId: number): Promise<void> {
  await tx.db
    .updateTable('conversations')
    .set({ ticket_id: ticketId })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', conversationId)
    .execute();
}

/**
 * Makes a ticket for a requester, who becomes a visitor if there is none yet.
 * @throws AppError 404 for a chat or an agent that the site doesn't have.
 */
export async function createTicket(
  ctx: SiteContext,
  input: ParsedInputOf<'tickets.create'>,
): Promise<Ticket> {
  return ctx.transaction(async (tx) => {
    const { session_id, assignee_id, requester } = input;
    const session = session_id ? await lockSession(tx, session_id) : undefined;
    const assignee = assignee_id ? await assignableAgent(tx, assignee_id) : undefined;
    const { id, ownEmail } = await resolveRequester(tx, requester);
    const row = await insertTicket(tx, {
      subject: input.subject,
      description: input.body,
      requesterId: id,
      requesterEmail: ownEmail,
      conversationId: session?.id ?? null,
      assigneeId: assignee?.id ?? null,
      priority: input.priority ?? 'normal',
      externalId: input.external_id ?? null,
      tags: input.tags ?? [],
    });
    if (session) await tx.emit({ notices: [{ kind: 'session', sessionId: session.session_id }] });
    return presentTicket(row);
  });
}

/** The ticket in which the requester's reply to a closed one goes on; it links back. */
export const followUp = (tx: SiteContext, closed: TicketRow): Promise<TicketRow> =>
  insertTicket(tx, {
    subject: closed.subject,
    description: `This follows ticket ${closed.id}, which is closed.`,
    requesterId: closed.requester_id,
    requesterEmail: closed.own_email,
    followUpOf: closed.id,
    priority: closed.priority,
    tags: closed.tags,
  });
