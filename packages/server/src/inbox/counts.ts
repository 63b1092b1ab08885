import { type InboxCounts, QUEUE_COUNT_MAX, type StateQueue } from '@foyer/protocol';
import { sql } from 'kysely';
import { countSessions } from '../conversations/lists/queues.ts';
import type { SiteContext } from '../core/context.ts';
import { prepared } from '../db/prepared.ts';
import { countOfQueue } from '../tickets/views/queues.ts';
import { countOfMentions } from './mentions.ts';

type QueueCounts = Omit<InboxCounts, 'teams'>;

/** Open chats and tickets of the calling agent's teams, each kind counted up to QUEUE_COUNT_MAX. */
async function countOwnTeams({ db, site, actor }: SiteContext): Promise<InboxCounts['teams']> {
  if (actor.kind !== 'agent') return [];
  const { rows } = await sql<InboxCounts['teams'][number]>`${prepared}
    select m.id, m.name, m.emoji, (
        select count(*)::int from (
          select from conversations c
          where c.site_id = m.site_id and c.team_id = m.id and c.status <> 'closed' and c.spam_at is null
            and c.snoozed_until is null
          limit ${sql.lit(QUEUE_COUNT_MAX)}) chats
      ) + (
        select count(*)::int from (
          select from tickets t
          where t.site_id = m.site_id and t.team_id = m.id and t.status in ('new', 'open', 'pending', 'hold')
            and not t.snoozed and t.spam_at is null
          limit ${sql.lit(QUEUE_COUNT_MAX)}) tickets
      ) as open
    from team_members own
    join teams m on m.site_id = own.site_id and m.id = own.team_id and m.archived_at is null
    where own.site_id = ${site.id} and own.agent_id = ${actor.agentId}
    order by lower(m.name)`.execute(db);
  return rows;
}

/** The number of tickets per queue; the queue of mentions includes chats. */
async function countTickets(ctx: SiteContext): Promise<QueueCounts> {
  const count = (queue: StateQueue) => sql`${countOfQueue(ctx, queue, QUEUE_COUNT_MAX)} as ${sql.ref(queue)}`;
  const { rows } = await sql<QueueCounts>`${prepared}
    select ${count('waiting')}, ${count('mine')}, ${count('unassigned')}, ${count('open')}, ${count('snoozed')}, ${count('spam')},
      ${countOfMentions(ctx, QUEUE_COUNT_MAX)} as mentions`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, mine: 0, mentions: 0, unassigned: 0, open: 0, snoozed: 0, spam: 0 };
}

/** Chats and tickets of each queue. Tickets are counted up to QUEUE_COUNT_MAX. */
export async function countQueues(ctx: SiteContext): Promise<InboxCounts> {
  const [chats, tickets, teams] = await Promise.all([
    countSessions(ctx),
    countTickets(ctx),
    countOwnTeams(ctx),
  ]);
  return {
    waiting: chats.waiting + tickets.waiting,
    mine: chats.mine + tickets.mine,
    mentions: tickets.mentions,
    unassigned: chats.waiting + tickets.unassigned,
    open: chats.open + tickets.open,
    snoozed: chats.snoozed + tickets.snoozed,
    spam: chats.spam + tickets.spam,
    teams,
  };
}
