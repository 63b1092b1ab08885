import { sql } from 'kysely';
import { agentRefOf } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { aboutChat } from '../chat-events.ts';
import { closed, heldBy } from '../desk.ts';
import { acceptHandoff, announce } from '../handoffs.ts';
import { getSession, lockSession, type SessionRow } from '../sessions.ts';
import { refuseSpam } from '../spam/mark.ts';

/**
 * An agent or a token returns a chat to the bot: `waiting` or `active` → `bot`, an agent only their own. The bot
 * doesn't react to earlier messages; it answers the visitor's next one. A chat of the bot stays unchanged.
 * @throws AppError 409 for a closed chat, or another agent's
 */
export async function giveBack(ctx: SiteContext, sessionId: string): Promise<SessionRow> {
  const by = agentRefOf(ctx);
  return ctx.transaction(async (tx) => {
    const before = await lockSession(tx, sessionId);
    if (before.status === 'closed') throw closed();
    refuseSpam(before);
    if (before.status === 'bot') return before;
    if (by && before.status === 'active' && before.agent_id !== by.id) throw heldBy(before.agent_name);
    // The handoff is settled: nobody else must be called.
    await acceptHandoff(tx, before.id, by?.id ?? null);
    await tx.db
      .updateTable('conversations')
      .set({
        status: 'bot',
        agent_id: null,
        waiting_since: null,
        snoozed_until: null,
        unanswered_since: null,
        bot_seq: sql<number>`last_seq`,
        bot_misses: 0,
      })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', before.id)
      .execute();
    const said = `${by?.name ?? 'The team'} returned the chat to the bot.`;
    await announce(tx, sessionId, 'given_back', said, by ?? undefined);
    await tx.emit({
      notices: [{ kind: 'session', sessionId }],
      webhook: { event: 'conversation_returned', body: aboutChat(tx, before) },
    });
    return getSession(tx, sessionId);
  });
}
