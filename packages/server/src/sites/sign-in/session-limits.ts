import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { userOfAgent } from '../agents/agents.ts';

/** The condition of `isOver` for the session `x` at the site `s`. */
const over = (now: Date) => sql<boolean>`(
  x.last_used_at <= ${now}::timestamptz - make_interval(hours => s.session_idle_hours)
  or x.created_at <= ${now}::timestamptz - make_interval(days => s.session_max_days))`;

/** A session that a provider of another site has opened is none of this site's business. */
const ofSite = sql<boolean>`(x.site_id is null or x.site_id = s.id)`;

/** Ends an agent's expired sessions, with their sockets. The limits are read again with the sessions. */
function endOver(ctx: SiteContext, agentId: number): Promise<void> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ user_id: string }>`
      delete from auth_sessions x using agents a, sites s
      where s.id = ${tx.site.id} and a.site_id = s.id and a.id = ${agentId} and x.user_id = a.user_id
        and ${ofSite} and ${over(tx.now())}
      returning x.user_id`.execute(tx.db);
    const [ended] = rows;
    if (ended) await tx.emit({ notices: [{ kind: 'signed_out', userId: ended.user_id }] });
  });
}

/** Closes desks that stay open; each call checks for itself. */
export const sessionClock: RecurringJob = {
  name: 'sites.session_limits',
  everyMs: 60_000,
  // Most installations have no such site, and then agents and sessions are not read.
  due: ({ now, limit }) => sql`
    select s.id as "siteId", a.id
    from (
      select id, session_idle_hours, session_max_days from sites
      where session_idle_hours is not null or session_max_days is not null offset 0
    ) s cross join lateral (
      select distinct a.id from agents a join auth_sessions x on x.user_id = a.user_id
      where a.site_id = s.id and a.removed_at is null and ${ofSite} and ${over(now)}
    ) a limit ${limit}`,
  run: endOver,
};

/**
 * Signs an agent out on all devices, at this site and at their others, except where another site's identity provider
 * has signed them in.
 * @throws AppError 404
 */
export function signOutAgent(ctx: SiteContext, agentId: number): Promise<void> {
  return ctx.transaction(async (tx) => {
    const userId = await userOfAgent(tx, agentId);
    await tx.db
      .deleteFrom('auth_sessions')
      .where('user_id', '=', userId)
      .where((where) => where.or([where('site_id', 'is', null), where('site_id', '=', tx.site.id)]))
      .execute();
    await tx.emit({ notices: [{ kind: 'signed_out', userId }] });
  });
}
