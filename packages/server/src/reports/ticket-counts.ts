import type { TicketStatus } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { SlaState } from '../db/column-types.ts';
import { type Calendar, secondsBetween } from './calendar.ts';
import { stepOf } from './durations.ts';
import { type Count, subjectOf } from './measures.ts';
import { slaCounts } from './sla/sla-counts.ts';

/** Everything that reports need about a ticket. */
interface TicketFacts {
  readonly id: number;
  readonly status: TicketStatus;
  readonly channel: 'chat' | 'email' | 'follow_up' | 'direct';
  readonly assigneeId: number | null;
  readonly teamId: number | null;
  readonly sla: SlaState | null;
  readonly createdAt: Date;
  readonly solvedAt: Date | null;
  readonly tagIds: readonly number[];
  /** The team's first public reply. */
  readonly answeredAt: Date | null;
  /** Null if a token has replied. */
  readonly answeredBy: number | null;
}

/** The facts of these tickets. Deleted and imported ones and spam are left out. */
export async function readTickets({ db, site }: SiteContext, ids: readonly number[]): Promise<TicketFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<TicketFacts>`
    select t.id, t.status, t.assignee_id as "assigneeId", t.team_id as "teamId", t.sla, t.created_at as "createdAt", t.solved_at as "solvedAt",
      case when t.conversation_id is not null then 'chat' when t.follow_up_of_id is not null then 'follow_up'
        when exists (
          select from ticket_mails m
          where m.site_id = t.site_id and m.ticket_id = t.id and m.reply_id is null and not m.is_outgoing
        ) then 'email' else 'direct' end as channel,
      array(
        select g.tag_id from ticket_tags g where g.site_id = t.site_id and g.ticket_id = t.id order by g.tag_id
      ) as "tagIds",
      answered.created_at as "answeredAt", answered.agent_id as "answeredBy"
    from tickets t
    left join lateral (
      select r.created_at, r.agent_id from ticket_replies r
      where r.site_id = t.site_id and r.ticket_id = t.id and r.type = 'public' and r.author_type in ('agent', 'token')
      order by r.id limit 1
    ) answered on true
    where t.site_id = ${site.id} and t.id = any (${ids}::bigint[]) and t.imported_at is null
      and t.spam_at is null`.execute(db);
  return rows;
}

function answerCounts(
  { createdAt, answeredAt, answeredBy }: TicketFacts,
  day: string,
  calendar: Calendar,
): Count[] {
  if (!answeredAt) return [];
  const seconds = Math.round(secondsBetween(createdAt, answeredAt));
  const open = calendar.openSecondsBetween(createdAt, answeredAt);
  return [
    ['ticket_answers', day, '', stepOf(seconds), 1, seconds],
    ['agent_ticket_answers', day, subjectOf(answeredBy), 0, 1, 0],
    ...(open === null ? [] : [['ticket_answers_open', day, '', stepOf(open), 1, Math.round(open)] as const]),
  ];
}

function endCounts({ createdAt, solvedAt, assigneeId }: TicketFacts, calendar: Calendar): Count[] {
  if (!solvedAt) return [];
  const day = calendar.dayOf(solvedAt);
  const seconds = Math.round(secondsBetween(createdAt, solvedAt));
  return [
    ['ticket_ends', day, '', stepOf(seconds), 1, seconds],
    ['agent_ticket_ends', day, subjectOf(assigneeId), 0, 1, 0],
  ];
}

/** What a ticket adds to the sums. */
export function countsOfTicket(ticket: TicketFacts, calendar: Calendar): Count[] {
  const { createdAt } = ticket;
  const day = calendar.dayOf(createdAt);
  return [
    ['tickets', day, ticket.status, calendar.hourOf(createdAt), 1, 0],
    ['ticket_channels', day, ticket.channel, 0, 1, 0],
    ...answerCounts(ticket, day, calendar),
    ...endCounts(ticket, calendar),
    ...slaCounts(ticket.sla, day, ticket),
    ...ticket.tagIds.map((id): Count => ['ticket_tags', day, String(id), 0, 1, 0]),
  ];
}
