import type { EventChannel, TicketPriority, TicketStatus } from '@foyer/protocol';
import type { Insertable } from 'kysely';
import { type Mark, markIn } from '../conversations/spam/mark.ts';
import type { SiteContext } from '../core/context.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/tables.generated.ts';
import { onlyMailboxId } from '../mail/mailboxes/mailboxes.ts';
import { notify, notifyTeam } from '../notifications/notify.ts';
import type { ChangedFields } from '../sites/fields/field-values.ts';
import { changedTexts } from '../sites/fields/field-words.ts';
import { writeFields } from '../sites/fields/stored-values.ts';
import { redacted } from '../sites/redaction.ts';
import { channelOf } from './replies/authors.ts';
import { wordsIn } from './search/search.ts';
import { renewTicketSla } from './sla/ticket-sla.ts';
import { isSolved, touched } from './states.ts';
import { setTicketTags } from './tags/ticket-tags.ts';
import { getTicketRow, requesterOf, type TicketRow } from './tickets.ts';

interface NewTicket {
  subject: string;
  description: string;
  requesterId: number;
  /** The address for replies, if it isn't the requester's own. */
  requesterEmail: string | null;
  conversationId?: number | null;
  /** The description is the chat up to this message. */
  chatSeq?: number;
  followUpOf?: number;
  /** The chat or ticket that it comes from, whose mark it gets too. */
  spamLike?: Mark | undefined;
  assigneeId?: number | null;
  teamId?: number | null;
  priority?: TicketPriority;
  externalId?: string | null;
  tags?: readonly string[];
  fields?: ChangedFields;
  /** How its replies are mailed; by default from the site's only mailbox. */
  mail?: Pick<TicketRow, 'mailbox_id' | 'cc_list' | 'mail_subject'>;
  /** How it came; by default as its creator did. */
  channel?: EventChannel | undefined;
  /** Set if the ticket was created elsewhere: its status and time there. */
  imported?: { status: TicketStatus; createdAt: Date };
}

/** Inserts a ticket and the words that find it. @returns its id */
async function insertWithWords(
  tx: SiteContext,
  ticket: Insertable<Tables['tickets']>,
  text: string,
): Promise<number> {
  const { id } = await tx.db
    .with('created', (db) =>
      db.insertInto('tickets').values(ticket).returning(['site_id', 'id', 'created_at']),
    )
    .insertInto('ticket_words')
    .columns(['site_id', 'ticket_id', 'created_at', 'words'])
    .expression((db) =>
      db.selectFrom('created').select(['site_id', 'id', 'created_at', wordsIn(tx.site.id, text).as('words')]),
    )
    .returning('ticket_id as id')
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  return id;
}

/** The only way to create a ticket. The caller has locked the chat it is created from. */
export async function insertTicket(tx: SiteContext, ticket: NewTicket): Promise<TicketRow> {
  const isByAgent = tx.actor.kind === 'agent';
  const subject = isByAgent ? ticket.subject : await redacted(tx, ticket.subject);
  const description = isByAgent ? ticket.description : await redacted(tx, ticket.description);
  const {
    tags = [],
    conversationId = null,
    assigneeId = null,
    teamId = null,
    imported,
    mail,
    channel = conversationId === null ? channelOf(tx.actor) : 'chat',
  } = ticket;
  const now = imported?.createdAt ?? tx.now();
  const status = imported?.status ?? (assigneeId === null ? 'new' : touched('new'));
  const texts = (ticket.fields && changedTexts(ticket.fields)) ?? [];
  const row = {
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
    team_id: teamId,
    external_id: ticket.externalId ?? null,
    follow_up_of_id: ticket.followUpOf ?? null,
    ...(ticket.spamLike ? markIn(ticket.spamLike) : {}),
    mailbox_id: mail ? mail.mailbox_id : await onlyMailboxId(tx),
    cc_list: JSON.stringify(mail?.cc_list ?? []),
    mail_subject: mail?.mail_subject ?? null,
    ...(imported ? { imported_at: tx.now() } : {}),
    unread_since: imported || tx.actor.kind === 'agent' ? null : now,
    solved_at: isSolved(status) ? now : null,
    created_at: now,
    updated_at: now,
    last_activity_at: now,
    unanswered_since: isSolved(status) ? null : now,
  };
  const id = await insertWithWords(tx, row, [subject, description, ...texts].join('\n'));
  if (tags.length > 0) await setTicketTags(tx, { id, created_at: now }, tags);
  if (ticket.fields) await writeFields(tx, 'tickets', id, ticket.fields);
  if (conversationId !== null) await linkChat(tx, conversationId, id);
  if (assigneeId !== null)
    await notify(tx, { kind: 'ticket_assigned', agentIds: [assigneeId], ticketId: id });
  else if (teamId !== null && !imported) await notifyTeam(tx, id, teamId);
  const created = await getTicketRow(tx, id);
  await reportCreated(tx, created, channel);
  return renewTicketSla(tx, created);
}

function reportCreated(tx: SiteContext, row: TicketRow, channel: EventChannel): Promise<void> {
  const { id, session_id, subject, fields } = row;
  return tx.emit({
    audit: { subject: 'ticket', subjectId: id, action: 'created' },
    notices: [{ kind: 'ticket', ticketId: id }],
    webhook: {
      event: 'ticket_created',
      body: { ticket_id: id, session_id, subject, requester: requesterOf(row), channel, fields },
    },
  });
}

/** The other direction of the link: the chat and its handoffs show the newest ticket created from it. */
async function linkChat(tx: SiteContext, conversationId: number, ticketId: number): Promise<void> {
  await tx.db
    .updateTable('conversations')
    .set({ ticket_id: ticketId })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', conversationId)
    .execute();
}

/** Creates the follow-up for a requester's reply to a closed ticket. It links back. */
export const followUp = (
  tx: SiteContext,
  closed: TicketRow,
  channel: EventChannel | undefined,
): Promise<TicketRow> =>
  insertTicket(tx, {
    channel,
    subject: closed.subject,
    description: `This follows ticket ${closed.id}, which is closed.`,
    requesterId: closed.requester_id,
    requesterEmail: closed.own_email,
    followUpOf: closed.id,
    spamLike: closed,
    priority: closed.priority,
    teamId: closed.team_id,
    tags: closed.tags,
    mail: closed,
  });
