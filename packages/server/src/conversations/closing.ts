import { randomUUID } from 'node:crypto';
import type { Role } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { notifyWaiting, settleChats } from '../notifications/notify.ts';
import { appendMessage } from './append/append-message.ts';
import { aboutChat, ofChat } from './chat-events.ts';
import { closed } from './desk.ts';
import { getSession, lockSession, readableBy, type SessionRow } from './sessions.ts';
import { refuseSpam } from './spam/mark.ts';

/** Closes a chat in any state, for its visitor or an agent. A closed chat stays unchanged. */
export async function closeSession(ctx: SiteContext, sessionId: string): Promise<SessionRow> {
  const by = ctx.actor.kind === 'visitor' ? 'visitor' : 'agent';
  return ctx.transaction(async (tx) => {
    const author = tx.actor.kind === 'agent' ? { author: { id: tx.actor.agentId, name: tx.actor.name } } : {};
    const said = await appendMessage(
      tx,
      sessionId,
      {
        sender: 'system',
        clientId: randomUUID(),
        text: 'The chat has ended.',
        event: `closed_by_${by}`,
        ...author,
      },
      readableBy(tx),
      sql`, status = 'closed', ended_at = ${tx.now()}, waiting_since = null, unanswered_since = null,
        snoozed_until = null`,
    );
    const session = await getSession(tx, sessionId);
    if (!said) return session;
    await settleChats(tx, [session.id]);
    await tx.emit({
      notices: [{ kind: 'session', sessionId }],
      webhook: {
        event: 'conversation_closed',
        body: { ...ofChat(session), closed_by: by },
      },
    });
    return session;
  });
}

/**
 * Reopens a closed chat: it waits for a person again. A chat in any other state stays unchanged.
 * @throws AppError 404, 409 for spam, and if the visitor has continued in another chat
 */
export function reopenSession(ctx: SiteContext, sessionId: string): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const before = await lockSession(tx, sessionId);
    if (before.status !== 'closed') return before;
    refuseSpam(before);
    const next = await tx.db
      .selectFrom('conversations')
      .select('id')
      .where('site_id', '=', tx.site.id)
      .where('previous_id', '=', before.id)
      .executeTakeFirst();
    if (next)
      throw new AppError('conflict', 'This chat continues in a newer one. Reply there.', {
        reason: 'chat_continued',
      });
    await tx.db
      .updateTable('conversations')
      .set({
        status: 'waiting',
        ended_at: null,
        agent_id: null,
        waiting_since: tx.now(),
        unanswered_since: tx.now(),
        closes_at: null,
        closing_agent_id: null,
      })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', before.id)
      .execute();
    await notifyWaiting(tx, [before.id]);
    await tx.emit({
      notices: [{ kind: 'session', sessionId }],
      webhook: { event: 'conversation_reopened', body: aboutChat(tx, before) },
    });
    return getSession(tx, sessionId);
  });
}

async function putOff(
  ctx: SiteContext,
  sessionId: string,
  { closesAt, agentId }: { closesAt: Date | null; agentId: number | null },
): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const before = await lockSession(tx, sessionId);
    if (before.status === 'closed') throw closed();
    await tx.db
      .updateTable('conversations')
      .set({ closes_at: closesAt, closing_agent_id: agentId })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', before.id)
      .execute();
    await tx.emit({ notices: [{ kind: 'session', sessionId }] });
    return getSession(tx, sessionId);
  });
}

/**
 * Closes a chat after a delay, so that the agent can undo it before the visitor is notified. A message cancels it.
 * @throws AppError 404, 409 for a closed chat
 */
export const closeLater = (ctx: SiteContext, sessionId: string, inSeconds: number): Promise<SessionRow> =>
  putOff(ctx, sessionId, {
    closesAt: new Date(ctx.now().getTime() + inSeconds * 1_000),
    agentId: agentActor(ctx).agentId,
  });

/** Undoes `closeLater`. @throws AppError 404, 409 if the chat was closed meanwhile */
export const keepOpen = (ctx: SiteContext, sessionId: string): Promise<SessionRow> =>
  putOff(ctx, sessionId, { closesAt: null, agentId: null });

interface Due {
  session_id: string;
  agent_id: number | null;
  name: string | null;
  role: Role | null;
}

/** Closes a chat that is due, in the name of the agent who closed it. Skips one that was kept open meanwhile. */
export async function closeDue(ctx: SiteContext, conversationId: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<Due>`
      select c.session_id, a.id as agent_id, a.name, a.role from conversations c
      left join agents a on a.site_id = c.site_id and a.id = c.closing_agent_id
      where c.site_id = ${tx.site.id} and c.id = ${conversationId} and c.closes_at <= ${tx.now()}
      for update of c`.execute(tx.db);
    const [due] = rows;
    if (!due) return;
    const { session_id, agent_id: agentId, name, role } = due;
    const by = agentId && name && role ? tx.as({ kind: 'agent', agentId, name, role }) : tx;
    await closeSession(by, session_id);
  });
}
