import type { EventChannel, TicketPriority, TicketStatus } from '@foyer/protocol';
import { type Insertable, sql } from 'kysely';
import { type Mark, markIn } from '../conversations/spam/mark.ts';
import type { SiteContext } from '../core/context.ts';
import type { PlainEvent } from '../core/event-batch.ts';
import { jsonRows, prepared } from '../db/prepared.ts';
import type { Tables } from '../db/tables.generated.ts';
import { onlyMailboxId } from '../mail/mailboxes/mailboxes.ts';
import { notify, notifyTeam } from '../notifications/notify.ts';
import type { ChangedFields } from '../sites/fields/field-values.ts';
import { changedTexts } from '../sites/fields/field-words.ts';
import { writeFields } from '../sites/fields/stored-values.ts';
import { redacted } from '../sites/redaction.ts';
import { channelOf } from './replies/authors.ts';
import { storedWords } from './search/search.ts';
import { renewTicketSla } from './sla/ticket-sla.ts';
import { isSolved, touched } from './states.ts';
import { setTicketTags } from './tags/ticket-tags.ts';
import { getTicketRow, requesterOf, type TicketRow, ticketsOfIds } from './tickets.ts';

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
  /** Its channel; by default its creator's. */
  channel?: EventChannel | undefined;
  /** Set if the ticket was created elsewhere: its status and time there. */
  imported?: { status: TicketStatus; createdAt: Date };
}

const NO_MARK: Mark = { spam_at: null, spam_by: null, spam_reason: null };

/** A ticket, and the context of its creator. */
export interface Creation {
  tx: SiteContext;
  ticket: NewTicket;
}

/** The columns of a new ticket, as the statement reads them from JSON. */
const COLUMNS = {
  subject: 'text',
  description: 'text',
  status: 'text',
  priority: 'text',
  requester_id: 'bigint',
  requester_email: 'text',
  conversation_id: 'bigint',
  chat_seq: 'integer',
  assignee_id: 'bigint',
  team_id: 'bigint',
  external_id: 'text',
  follow_up_of_id: 'bigint',
  spam_at: 'timestamptz',
  spam_by: 'bigint',
  spam_reason: 'text',
  mailbox_id: 'bigint',
  cc_list: 'jsonb',
  mail_subject: 'text',
  imported_at: 'timestamptz',
  unread_since: 'timestamptz',
  solved_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  last_activity_at: 'timestamptz',
  unanswered_since: 'timestamptz',
} as const satisfies Partial<Record<keyof Insertable<Tables['tickets']>, string>>;

type Row = Record<keyof typeof COLUMNS, unknown> & { created_at: Date; text: string };

const NAMES = sql.raw(Object.keys(COLUMNS).join(', '));
const TYPED = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
);

/** Inserts tickets and the words that find them. @returns their ids, in the same order */
async function insertWithWords({ db, site }: SiteContext, rows: readonly Row[]): Promise<number[]> {
  const given = rows.map(({ text, ...row }, n) => ({ ...row, n, words: storedWords(site.id, text) }));
  const { rows: created } = await sql<{ id: number }>`${prepared}
    with given as materialized (
      select nextval('tickets_id_seq') as id, g.* from (
        select * from ${jsonRows(given)} as g (n integer, words text[], ${TYPED}) order by n
      ) g
    ), created as (
      insert into tickets (site_id, id, ${NAMES}) select ${site.id}::bigint, id, ${NAMES} from given
      returning site_id, id
    ), findable as (
      insert into ticket_words (site_id, ticket_id, created_at, words)
      select c.site_id, c.id, g.created_at, array_to_tsvector(g.words) from created c join given g on g.id = c.id
    )
    select id from given order by n`.execute(db);
  return created.map(({ id }) => id);
}

async function rowOf(tx: SiteContext, ticket: NewTicket): Promise<Row> {
  const isByAgent = tx.actor.kind === 'agent';
  const subject = isByAgent ? ticket.subject : await redacted(tx, ticket.subject);
  const description = isByAgent ? ticket.description : await redacted(tx, ticket.description);
  const { assigneeId = null, imported, mail, spamLike = NO_MARK } = ticket;
  const now = imported?.createdAt ?? tx.now();
  const status = imported?.status ?? (assigneeId === null ? 'new' : touched('new'));
  const texts = (ticket.fields && changedTexts(ticket.fields)) ?? [];
  return {
    subject,
    description,
    text: [subject, description, ...texts].join('\n'),
    status,
    priority: ticket.priority ?? 'normal',
    requester_id: ticket.requesterId,
    requester_email: ticket.requesterEmail,
    conversation_id: ticket.conversationId ?? null,
    chat_seq: ticket.chatSeq ?? null,
    assignee_id: assigneeId,
    team_id: ticket.teamId ?? null,
    external_id: ticket.externalId ?? null,
    follow_up_of_id: ticket.followUpOf ?? null,
    ...markIn(spamLike),
    mailbox_id: mail ? mail.mailbox_id : await onlyMailboxId(tx),
    cc_list: mail?.cc_list ?? [],
    mail_subject: mail?.mail_subject ?? null,
    imported_at: imported ? tx.now() : null,
    unread_since: imported || isByAgent ? null : now,
    solved_at: isSolved(status) ? now : null,
    created_at: now,
    updated_at: now,
    last_activity_at: now,
    unanswered_since: isSolved(status) ? null : now,
  };
}

/** The rows that belong to a new ticket. */
async function addParts({ tx, ticket }: Creation, id: number, createdAt: Date): Promise<void> {
  const { tags = [], conversationId = null, assigneeId = null, teamId = null } = ticket;
  if (tags.length > 0) await setTicketTags(tx, { id, created_at: createdAt }, tags);
  if (ticket.fields) await writeFields(tx, 'tickets', id, ticket.fields);
  if (conversationId !== null) await linkChat(tx, conversationId, id);
  if (assigneeId !== null)
    await notify(tx, { kind: 'ticket_assigned', agentIds: [assigneeId], ticketId: id });
  else if (teamId !== null && !ticket.imported) await notifyTeam(tx, id, teamId);
}

/**
 * The only way to create tickets, all in the transaction of `ctx`. The caller has locked the chats they are created
 * from.
 * @returns them in the same order
 */
export async function insertTickets(ctx: SiteContext, creations: readonly Creation[]): Promise<TicketRow[]> {
  const rows: Row[] = [];
  for (const { tx, ticket } of creations) rows.push(await rowOf(tx, ticket));
  const ids = await insertWithWords(ctx, rows);
  for (const [at, { created_at }] of rows.entries()) {
    const creation = creations[at];
    if (creation) await addParts(creation, ids[at] ?? 0, created_at);
  }
  const created = ids.length === 1 ? [await getTicketRow(ctx, ids[0] ?? 0)] : await ticketsOfIds(ctx, ids);
  const pairs = creations.flatMap(({ tx, ticket }, at) => {
    const row = created[at];
    return row ? [{ tx, row, channel: ticket.channel }] : [];
  });
  await ctx.emitAll(pairs.map(creationOf));
  const renewed: TicketRow[] = [];
  for (const { tx, row } of pairs) renewed.push(await renewTicketSla(tx, row));
  return renewed;
}

/** The same for one. */
export async function insertTicket(tx: SiteContext, ticket: NewTicket): Promise<TicketRow> {
  const [row] = await insertTickets(tx, [{ tx, ticket }]);
  if (!row) throw new Error('the ticket was not created');
  return row;
}

interface Created {
  tx: SiteContext;
  row: TicketRow;
  channel: EventChannel | undefined;
}

function creationOf({ tx: { actor }, row, channel }: Created): PlainEvent {
  const { id, session_id, subject, fields } = row;
  const came = channel ?? (row.conversation_id === null ? channelOf(actor) : 'chat');
  return {
    audit: { subject: 'ticket', subjectId: id, action: 'created', actor },
    notices: [{ kind: 'ticket', ticketId: id }],
    webhook: {
      event: 'ticket_created',
      body: { ticket_id: id, session_id, subject, requester: requesterOf(row), channel: came, fields },
    },
  };
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
