import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { settleChats } from '../notifications/notify.ts';
import { appendMessage } from './messages.ts';
import { getSession, readableBy, type SessionRow, visitorOf } from './sessions.ts';

/** Ends a chat from any state, for its visitor or an agent. A chat that has ended stays as it is. */
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
      sql`, status = 'closed', ended_at = ${tx.now()}, waiting_since = null`,
    );
    const session = await getSession(tx, sessionId);
    if (!said) return session;
    await settleChats(tx, [session.id]);
    await tx.emit({
      notices: [{ kind: 'session', sessionId }],
      webhook: {
        event: 'conversation_closed',
        body: { session_id: sessionId, visitor: visitorOf(session), closed_by: by },
      },
    });
    return session;
  });
}
