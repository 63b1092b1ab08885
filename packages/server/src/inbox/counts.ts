import { type InboxCounts, QUEUE_COUNT_MAX, type StateQueue } from '@foyer/protocol';
import { sql } from 'kysely';
import { countSessions } from '../conversations/lists/queues.ts';
import type { SiteContext } from '../core/context.ts';
import { prepared } from '../db/prepared.ts';
import { countOfQueue } from '../tickets/views/queues.ts';
import { countOfMentions } from './mentions.ts';

/** The number of tickets per queue; the queue of mentions includes chats. */
async function countTickets(ctx: SiteContext): Promise<InboxCounts> {
  const count = (queue: StateQueue) => sql`${countOfQueue(ctx, queue, QUEUE_COUNT_MAX)} as ${sql.ref(queue)}`;
  const { rows } = await sql<InboxCounts>`${prepared}
    select ${count('waiting')}, ${count('mine')}, ${count('unassigned')}, ${count('open')}, ${count('snoozed')}, ${count('spam')},
      ${countOfMentions(ctx, QUEUE_COUNT_MAX)} as mentions`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, mine: 0, mentions: 0, unassigned: 0, open: 0, snoozed: 0, spam: 0 };
}

/** Chats and tickets of each queue. Tickets are counted up to QUEUE_COUNT_MAX. */
export async function countQueues(ctx: SiteContext): Promise<InboxCounts> {
  const [chats, tickets] = await Promise.all([countSessions(ctx), countTickets(ctx)]);
  return {
    waiting: chats.waiting + tickets.waiting,
    mine: chats.mine + tickets.mine,
    mentions: tickets.mentions,
    unassigned: chats.waiting + tickets.unassigned,
    open: chats.open + tickets.open,
    snoozed: chats.snoozed + tickets.snoozed,
    spam: chats.spam + tickets.spam,
  };
}
