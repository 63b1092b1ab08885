import type {
  DeliveredReply,
  EventChannel,
  MailPerson,
  Reply,
  ReplyAuthor,
  ReplyType,
  TicketStatus,
} from '@foyer/protocol';
import { addAttachments, type NewAttachment } from '../../attachments/attachments.ts';
import { bindUploads } from '../../attachments/uploads.ts';
import { refuseSpam } from '../../conversations/spam/mark.ts';
import type { SiteContext } from '../../core/context.ts';
import { notify } from '../../notifications/notify.ts';
import { redacted } from '../../sites/redaction.ts';
import { checkSolvable, reportChange, writeTicket } from '../changes.ts';
import { followUp } from '../create.ts';
import { addWords } from '../search/search.ts';
import { answered, changeByHand, checkPublicReply, isSolved, touched } from '../states.ts';
import { lockTicket, requesterOf, type TicketRow } from '../tickets.ts';
import { channelOf, isFromOutside } from './authors.ts';
import { deliverReply } from './mail.ts';
import type { Copies } from './outgoing.ts';
import { presentReply } from './reply-rows.ts';
import { signReply } from './sign-reply.ts';
import { keepUndo } from './undo.ts';

export interface NewReply {
  type: ReplyType;
  body: string;
  /** For a requester only the type matters: the name is the ticket's. */
  author: ReplyAuthor;
  /** Who a participant is. */
  participant?: MailPerson | undefined;
  /** The status that the team sets together with the reply. */
  status?: TicketStatus | undefined;
  attachments?: readonly NewAttachment[] | undefined;
  /** Files that the agent has uploaded before. */
  uploadIds?: readonly string[] | undefined;
  /** Set by the desk: sending it twice stores it once. */
  clientId?: string | undefined;
  /** False: its mail has no signature. */
  signed?: boolean | undefined;
  /** An automatic reply, such as an out-of-office message: it is kept, and changes nothing. */
  isAutomatic?: boolean | undefined;
  /** The recipients of copies of its mail. */
  copies?: Copies | undefined;
  /** Its channel; by default that of its author. */
  channel?: EventChannel | undefined;
  /** Its mail is sent after this many seconds, and can be undone until then. */
  undoS?: number | undefined;
}

async function insertReply(
  tx: SiteContext,
  row: TicketRow,
  { type, body: written, author, participant, attachments = [], uploadIds = [], clientId }: NewReply,
): Promise<Reply> {
  const body = isFromOutside(author) ? await redacted(tx, written) : written;
  const created_at = tx.now();
  const { id } = await tx.db
    .insertInto('ticket_replies')
    .values({
      site_id: tx.site.id,
      ticket_id: row.id,
      type,
      body,
      author_type: author.type,
      agent_id: author.type === 'agent' ? author.id : null,
      token_id: author.type === 'token' ? author.id : null,
      client_id: clientId ?? null,
      participant_name: participant?.name ?? null,
      participant_address: participant?.address ?? null,
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const files = [
    ...(await addAttachments(tx, { replyId: id }, attachments)),
    ...(uploadIds.length > 0 ? await bindUploads(tx, { replyId: id }, uploadIds) : []),
  ];
  await addWords(tx, row.id, body);
  const name = author.type === 'requester' ? row.requester_name : author.name;
  const stored = {
    id,
    ticket_id: row.id,
    type,
    body,
    author_type: author.type,
    author_id: author.type === 'requester' ? null : author.id,
    author_name: name,
    created_at,
  };
  return presentReply(tx, stored, files);
}

/** A note is internal, so it emits no webhook event. */
async function reportReply(
  tx: SiteContext,
  row: TicketRow,
  reply: Reply,
  channel: EventChannel,
): Promise<void> {
  const audit = { subject: 'ticket', subjectId: row.id } as const;
  const notices = [{ kind: 'ticket' as const, ticketId: row.id }];
  if (reply.type === 'note') return tx.emit({ audit: { ...audit, action: 'noted' }, notices });
  await tx.emit({
    audit: { ...audit, action: 'replied' },
    notices,
    webhook: {
      event: 'ticket_replied',
      body: {
        ticket_id: row.id,
        session_id: row.session_id,
        subject: row.subject,
        requester: requesterOf(row),
        channel,
        reply,
      },
    },
  });
}

type Next = Pick<TicketRow, 'status' | 'snoozed_until'>;

/** The ticket's status after a team reply. @throws AppError 409 */
function afterTeam(row: TicketRow, { type, status }: NewReply): Next {
  const chosen = status === undefined ? row.status : changeByHand(row.status, status);
  if (type === 'note') return { ...row, status: chosen };
  checkPublicReply(row.status);
  refuseSpam(row);
  return { ...row, status: touched(chosen) };
}

type Turn = Pick<TicketRow, 'last_activity_at' | 'unanswered_since' | 'replied_at'>;

/** Whose turn it is after a reply. A note is internal and no activity. */
function turnAfter(row: TicketRow, { type, author, isAutomatic }: NewReply, now: Date): Partial<Turn> {
  if (type === 'note' || isAutomatic) return {};
  if (!isFromOutside(author)) return { last_activity_at: now, unanswered_since: null, replied_at: now };
  // A message left unanswered when the ticket was solved no longer counts as waiting.
  const since = isSolved(row.status) ? null : row.unanswered_since;
  return { last_activity_at: now, unanswered_since: since ?? now };
}

async function write(tx: SiteContext, row: TicketRow, next: Next, reply: NewReply) {
  const isHeard = isFromOutside(reply.author) && !reply.isAutomatic;
  const stored = await insertReply(tx, row, reply);
  const after = await writeTicket(tx, row, {
    status: next.status,
    snoozed_until: next.snoozed_until,
    reply_count: row.reply_count + (reply.type === 'public' ? 1 : 0),
    ...turnAfter(row, reply, tx.now()),
    unread_since: isHeard ? (row.unread_since ?? tx.now()) : row.unread_since,
  });
  await reportReply(tx, after, stored, reply.channel ?? channelOf(tx.actor));
  if (isHeard && after.assignee_id !== null)
    await notify(tx, { kind: 'ticket_reply', agentIds: [after.assignee_id], ticketId: row.id });
  if (reply.signed !== false) await signReply(tx, stored);
  const { undoS = 0 } = reply;
  const delivery = await deliverReply(tx, after, stored, { copies: reply.copies, afterS: undoS });
  if (delivery === 'queued' && undoS > 0) {
    const until = new Date(tx.now().getTime() + undoS * 1000);
    await keepUndo(tx, stored.id, { before: row, after, until });
  }
  await reportChange(tx, row, after);
  return { reply: { ...stored, delivery }, row: after };
}

/**
 * Like `replyToTicket`, with the resulting ticket: another one if the reply created a follow-up or this one was
 * merged.
 */
export async function addReply(
  tx: SiteContext,
  row: TicketRow,
  reply: NewReply,
): Promise<{ reply: DeliveredReply; row: TicketRow }> {
  if (!isFromOutside(reply.author)) {
    const next = afterTeam(row, reply);
    await checkSolvable(tx, row, next.status);
    return write(tx, row, next, reply);
  }
  if (reply.isAutomatic) return write(tx, row, row, reply);
  const status = answered(row.status, row.snoozed_until !== null);
  if (status !== 'follow_up') return write(tx, row, { status, snoozed_until: null }, reply);
  const goesOnIn = row.merged_into_id === null ? undefined : await lockTicket(tx, row.merged_into_id);
  // A ticket of another requester must not receive this one's replies.
  if (goesOnIn?.requester_id === row.requester_id) return addReply(tx, goesOnIn, reply);
  const next = await followUp(tx, row, reply.channel);
  return write(tx, next, next, reply);
}

/**
 * Adds a reply to a locked ticket and changes its status (`docs/contract/decisions.md#ticket-states`): a team reply
 * opens a new ticket, a reply of the requester or a participant reopens it and ends a snooze. Their reply to a closed
 * ticket creates a follow-up, whose id the reply then has; if the ticket was merged into another one of the requester,
 * the reply goes there.
 * @throws AppError 409 for a forbidden status change, and for the team's public reply to a closed ticket or to spam
 */
export const replyToTicket = async (
  tx: SiteContext,
  row: TicketRow,
  reply: NewReply,
): Promise<DeliveredReply> => (await addReply(tx, row, reply)).reply;
