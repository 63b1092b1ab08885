import { sql } from 'kysely';
import { agentRefOf } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { lockKnown } from '../visitors/desk/edit.ts';
import { closeSession } from './closing.ts';

/** A visitor normally has one open chat. If there are hundreds, they are closed in batches. */
const CLOSED_AT_ONCE = 50;

async function openSessions({ db, site }: SiteContext, visitorId: number): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select session_id from conversations
    where site_id = ${site.id} and visitor_id = ${visitorId} and status <> 'closed'
    order by id limit ${CLOSED_AT_ONCE}`.execute(db);
  return rows.map((row) => row.session_id);
}

/**
 * From now on the visitor can't start a chat or write in one. Open chats are closed, and the widget explains it when
 * they write. Repeating it changes nothing. If a rule calls it, no agent is recorded.
 * @throws AppError 404
 */
export async function blockVisitor(ctx: SiteContext, key: string): Promise<{ done: true }> {
  const by = agentRefOf(ctx)?.id ?? null;
  const visitorId = await ctx.transaction(async (tx) => {
    const { id } = await lockKnown(tx, key);
    await sql`
      update visitors set blocked_at = coalesce(blocked_at, ${tx.now()}), blocked_by = coalesce(blocked_by, ${by}::bigint)
      where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    await tx.emit({ notices: [{ kind: 'visitor', visitorId: id }] });
    return id;
  });
  // A chat locks its rows in its own order, so each is closed separately, once nothing new can be written.
  for (
    let open = await openSessions(ctx, visitorId);
    open.length > 0;
    open = await openSessions(ctx, visitorId)
  )
    for (const sessionId of open) await closeSession(ctx, sessionId);
  return { done: true };
}

/** @throws AppError 404 */
export async function unblockVisitor(ctx: SiteContext, key: string): Promise<{ done: true }> {
  await ctx.transaction(async (tx) => {
    const { id } = await lockKnown(tx, key);
    await tx.db
      .updateTable('visitors')
      .set({ blocked_at: null, blocked_by: null })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    await tx.emit({ notices: [{ kind: 'visitor', visitorId: id }] });
  });
  return { done: true };
}
