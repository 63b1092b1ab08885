import type { Queue } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

const ownAgent = ({ actor }: SiteContext): number => (actor.kind === 'agent' ? actor.agentId : 0);

/** The queue's condition on the site's chats `c`. */
export function inQueue(ctx: SiteContext, queue: Queue): RawBuilder<SqlBool> {
  switch (queue) {
    case 'waiting':
      return sql`c.status = 'waiting'`;
    case 'mine':
      return sql`c.status = 'active' and c.agent_id = ${ownAgent(ctx)}`;
    case 'open':
      return sql`c.status <> 'closed'`;
    case 'closed':
      return sql`c.status = 'closed'`;
    case 'all':
      return sql`true`;
  }
}

/** Counts of open chats: `mine` are the calling agent's active ones, `open` includes the other two. */
export async function countSessions(
  ctx: SiteContext,
): Promise<{ waiting: number; mine: number; open: number }> {
  const { rows } = await sql<{ waiting: number; mine: number; open: number }>`
    select count(*) filter (where status = 'waiting') as waiting,
      count(*) filter (where status = 'active' and agent_id = ${ownAgent(ctx)}) as mine, count(*) as open
    from conversations where site_id = ${ctx.site.id} and status <> 'closed'`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, mine: 0, open: 0 };
}
