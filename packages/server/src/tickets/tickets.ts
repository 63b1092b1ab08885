import type {
  AgentRef,
  FieldValues,
  MailPerson,
  TeamRef,
  Ticket,
  TicketDetail,
  TicketPriority,
  TicketStatus,
  TicketSummary,
  VisitorRef,
} from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { attachmentsOfDescription, presentAttachment } from '../attachments/attachments.ts';
import { notFound } from '../base/errors.ts';
import { nameOfMarker, presentSpam, type SpamColumns } from '../conversations/spam/mark.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { constant, prepared } from '../db/prepared.ts';
import { fieldsOf } from '../sites/fields/stored-values.ts';
import { picturePath } from '../sites/pictures.ts';
import { teamOf } from '../sites/teams/assignable.ts';
import { presentSla } from '../sla/present.ts';
import type { SlaColumns } from '../sla/state.ts';
import { listReplies } from './replies/reply-rows.ts';

/** A ticket with the requester, assignee, chat and tags that its record shows. */
export interface TicketRow extends SpamColumns, SlaColumns {
  id: number;
  subject: string;
  description: string;
  status: TicketStatus;
  priority: TicketPriority;
  requester_id: number;
  requester_key: string | null;
  requester_name: string | null;
  /** The ticket's own address, or else the visitor's. */
  requester_email: string | null;
  /** The address given for this ticket; null for none. */
  own_email: string | null;
  assignee_id: number | null;
  assignee_name: string | null;
  assignee_picture: string | null;
  team_id: number | null;
  team: TeamRef | null;
  conversation_id: number | null;
  session_id: string | null;
  external_id: string | null;
  follow_up_of_id: number | null;
  merged_into_id: number | null;
  snoozed_until: Date | null;
  solved_at: Date | null;
  reply_count: number;
  /** The mailbox that its replies are sent from. */
  mailbox_id: number | null;
  /** The recipients of copies of the next reply. */
  cc_list: MailPerson[];
  /** The requester's newest subject; null: the ticket's. */
  mail_subject: string | null;
  /** Since when the ticket has been unread by the team; null: read. */
  unread_since: Date | null;
  /** When the ticket was created, or the team or requester last wrote. Other changes don't count. */
  last_activity_at: Date;
  /** The requester's oldest unanswered message. */
  unanswered_since: Date | null;
  /** The team's last public reply. */
  replied_at: Date | null;
  created_at: Date;
  updated_at: Date;
  tags: string[];
  /** By key, without those of archived fields. */
  fields: FieldValues;
  /** Imported from another system: no report and no SLA counts it. */
  is_imported: boolean;
  /** `sites.sla_version`: which policies count. */
  sla_version: number;
}

export interface Choice {
  /** Tickets as `t`, joined with everything that `where` and `walk` use. */
  from?: RawBuilder<unknown>;
  /** Must include the site. */
  where: RawBuilder<SqlBool>;
  /** The order of the index that finds them; by default `order`. */
  walk?: RawBuilder<unknown>;
  /** The order of the result, by columns of `t`. */
  order: RawBuilder<unknown>;
  limit?: number;
  /** Whether connections keep the plan, for a choice that is made often and in few forms. */
  keepPlan?: boolean;
}

export interface PageChoice extends Choice {
  limit: number;
}

/** The site whose tickets are read, and the connection. */
interface TicketScope {
  db: Db;
  site: Pick<Site, 'id'>;
}

/** The columns read of a ticket `t` with its joins, but `sla_version`. */
const TICKET_COLUMNS = constant(sql`
    t.id, t.subject, t.description, t.status, t.priority, t.requester_id,
      case when v.erased_at is null then v.key end as requester_key, v.name as requester_name,
      coalesce(t.requester_email, v.email) as requester_email, t.requester_email as own_email,
      t.assignee_id, a.name as assignee_name, a.picture as assignee_picture, t.team_id, ${teamOf(sql`t`)} as team,
      t.conversation_id, c.session_id, t.external_id, t.follow_up_of_id, t.merged_into_id,
      t.snoozed_until, t.solved_at, t.reply_count, t.unread_since, t.last_activity_at, t.unanswered_since,
      t.replied_at, t.created_at, t.updated_at, t.mailbox_id, t.cc_list, t.mail_subject,
      t.spam_at, t.spam_by, t.spam_reason, ${nameOfMarker(sql`t`)},
      t.imported_at is not null as is_imported, t.sla, t.sla_due_at, t.sla_event_at,
      array(
        select g.name from ticket_tags tt join tags g on g.site_id = tt.site_id and g.id = tt.tag_id
        where tt.site_id = t.site_id and tt.ticket_id = t.id order by lower(g.name)
      ) as tags,
      ${fieldsOf('tickets', sql`t`)} as fields`);

/** The only loader of tickets: it selects ids by an index and in its order, then loads what the records show. */
export async function loadTickets(
  { db, site }: TicketScope,
  { from = sql`tickets t`, where, order, walk = order, limit, keepPlan = false }: Choice,
): Promise<TicketRow[]> {
  const most = limit === undefined ? sql`` : sql`limit ${keepPlan ? sql.lit(limit) : limit}`;
  const { rows } = await sql<TicketRow>`${keepPlan ? prepared : sql``}
    select ${TICKET_COLUMNS}, (select sla_version from sites where id = ${site.id}) as sla_version
    from (select t.* from ${from} where ${where} order by ${walk} ${most}) t
    join visitors v on v.site_id = t.site_id and v.id = t.requester_id
    left join agents a on a.site_id = t.site_id and a.id = t.assignee_id
    left join conversations c on c.site_id = t.site_id and c.id = t.conversation_id
    order by ${order}`.execute(db);
  return rows;
}

/** The site's tickets with these ids, by id; unknown ids are skipped. */
export const ticketsOfIds = (ctx: TicketScope, ids: readonly number[]): Promise<TicketRow[]> =>
  loadTickets(ctx, {
    where: sql`t.site_id = ${ctx.site.id} and t.id = any (${ids}::bigint[])`,
    order: sql`t.id`,
    keepPlan: true,
  });

/** @throws AppError 404, also for another site's. */
export async function getTicketRow(ctx: SiteContext, id: number): Promise<TicketRow> {
  // By equality: for a list of ids the planner expects ten, and keeps no plan for one.
  const [row] = await loadTickets(ctx, {
    where: sql`t.site_id = ${ctx.site.id} and t.id = ${id}`,
    order: sql`t.id`,
    keepPlan: true,
  });
  if (!row) throw notFound('ticket');
  return row;
}

/**
 * Locks a ticket for the rest of the transaction, so that decisions based on it stay valid. Lock several in the order
 * of their ids, a chat before its tickets, and a ticket before tags and replies.
 * @throws AppError 404, also for another site's.
 */
export async function lockTicket(tx: SiteContext, id: number): Promise<TicketRow> {
  await tx.db
    .selectFrom('tickets')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  // A second statement sees tags and names as they are once the lock is held.
  return getTicketRow(tx, id);
}

/** The email address is the ticket's own, if it has one. */
export const requesterOf = (row: TicketRow): VisitorRef => ({
  key: row.requester_key,
  name: row.requester_name,
  email: row.requester_email,
});

/** Null for an unassigned ticket. */
export const assigneeOf = (row: TicketRow): AgentRef | null =>
  row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' };

/** The fields that the desk and the API have in common. */
function commonOf(row: TicketRow): Omit<Ticket, 'description'> {
  return {
    id: row.id,
    subject: row.subject,
    status: row.status,
    priority: row.priority,
    requester: requesterOf(row),
    assignee: assigneeOf(row),
    team: row.team,
    tags: row.tags,
    fields: row.fields,
    session_id: row.session_id,
    external_id: row.external_id,
    follow_up_of: row.follow_up_of_id,
    snoozed_until_utc: row.snoozed_until?.toISOString() ?? null,
    spam: presentSpam(row),
    sla: presentSla(row.sla, row.sla_due_at),
    created_utc: row.created_at.toISOString(),
    updated_utc: row.updated_at.toISOString(),
    solved_utc: row.solved_at?.toISOString() ?? null,
    reply_count: row.reply_count,
  };
}

/** For the desk's lists: with `unread`, without the description and fields. */
export function presentTicketSummary(row: TicketRow): TicketSummary {
  const { fields: _, ...common } = commonOf(row);
  return {
    ...common,
    unread: row.unread_since !== null,
    assignee_picture_url: picturePath(row.assignee_picture),
    last_activity_utc: row.last_activity_at.toISOString(),
    unanswered_since_utc: row.unanswered_since?.toISOString() ?? null,
    replied_utc: row.replied_at?.toISOString() ?? null,
  };
}

/** For the API: with the description, without `unread`, which only agents have. */
export function presentTicket(row: TicketRow): Ticket {
  const { id, subject, ...others } = commonOf(row);
  return { id, subject, description: row.description, ...others };
}

/** One ticket with its newest replies, notes included. @throws AppError 404, also for another site's. */
export async function getTicket(ctx: SiteContext, id: number): Promise<TicketDetail> {
  const row = await getTicketRow(ctx, id);
  const files = await attachmentsOfDescription(ctx, id);
  return {
    ...presentTicket(row),
    attachments: files.map((file) => presentAttachment(ctx, file)),
    replies: await listReplies(ctx, id),
  };
}

/**
 * Deletes a locked ticket with its replies. If another ticket was created from its chat, the chat stays linked to
 * that one.
 */
export async function deleteTicket(tx: SiteContext, row: TicketRow): Promise<void> {
  if (row.conversation_id !== null) {
    await sql`
      update conversations set ticket_id = (
        select max(id) from tickets
        where site_id = ${tx.site.id} and conversation_id = ${row.conversation_id} and id <> ${row.id}
      ) where site_id = ${tx.site.id} and ticket_id = ${row.id}`.execute(tx.db);
  }
  await tx.db.deleteFrom('tickets').where('site_id', '=', tx.site.id).where('id', '=', row.id).execute();
  await tx.emit({
    audit: { subject: 'ticket', subjectId: row.id, action: 'deleted' },
    notices: [{ kind: 'ticket', ticketId: row.id }],
  });
}
