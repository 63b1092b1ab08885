import { QUEUE_COUNT_MAX, type Queue } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';

const ownAgent = ({ actor }: SiteContext): number => (actor.kind === 'agent' ? actor.agentId : 0);

/** The queue's condition on the site's chats `c`. */
export function inQueue(ctx: SiteContext, queue: Queue): RawBuilder<SqlBool> {
  if (queue === 'spam') return sql`c.spam_at is not null`;
  return sql`c.spam_at is null and ${inState(ctx, queue)}`;
}

/** Of chats that aren't spam. */
function inState(ctx: SiteContext, queue: Exclude<Queue, 'spam'>): RawBuilder<SqlBool> {
  switch (queue) {
    case 'waiting':
      return sql`c.status = 'waiting' and c.snoozed_until is null`;
    case 'mine':
      return sql`c.status = 'active' and c.snoozed_until is null and c.agent_id = ${ownAgent(ctx)}`;
    case 'open':
      return sql`c.status <> 'closed' and c.snoozed_until is null`;
    case 'snoozed':
      return sql`c.snoozed_until is not null`;
    case 'closed':
      return sql`c.status = 'closed'`;
    case 'all':
      return sql`c.snoozed_until is null`;
  }
}

interface ChatCounts {
  waiting: number;
  mine: number;
  open: number;
  snoozed: number;
  spam: number;
}

/**
 * Counts of chats that aren't closed, and of spam, closed or not, up to QUEUE_COUNT_MAX. `mine` are the calling
 * agent's active ones; `open` includes the first two.
 */
export async function countSessions(ctx: SiteContext): Promise<ChatCounts> {
  const { rows } = await sql<ChatCounts>`${prepared}
    select count(*) filter (where status = 'waiting' and snoozed_until is null) as waiting,
      count(*) filter (where status = 'active' and snoozed_until is null and agent_id = ${ownAgent(ctx)}) as mine,
      count(*) filter (where snoozed_until is null) as open, count(snoozed_until) as snoozed,
      (select count(*)::int from (
        select from conversations where site_id = ${ctx.site.id} and spam_at is not null
        limit ${sql.lit(QUEUE_COUNT_MAX)}) s) as spam
    from conversations where site_id = ${ctx.site.id} and status <> 'closed' and spam_at is null`.execute(
    ctx.db,
  );
  return rows[0] ?? { waiting: 0, mine: 0, open: 0, snoozed: 0, spam: 0 };
}
