import type { SiteContext } from '../../core/context.ts';
import { notifyWaiting, settleChats } from '../../notifications/notify.ts';
import { holdTeam } from '../../sites/teams/assignable.ts';
import { aboutChat } from '../chat-events.ts';
import { getSession, type SessionRow } from '../sessions.ts';

/**
 * Assigns a locked chat to a team, or to none; who has it stays.
 * @throws AppError 404 for an unknown or archived team
 */
export async function setChatTeam(
  tx: SiteContext,
  session: SessionRow,
  teamId: number | null,
): Promise<SessionRow> {
  if (teamId === (session.team?.id ?? null)) return session;
  if (teamId !== null) await holdTeam(tx, teamId);
  await tx.db
    .updateTable('conversations')
    .set({ team_id: teamId })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', session.id)
    .execute();
  if (session.status === 'waiting') {
    // The chat now waits for other agents.
    await settleChats(tx, [session.id]);
    await notifyWaiting(tx, [session.id]);
  }
  const after = await getSession(tx, session.session_id);
  const body = { ...aboutChat(tx, after), from: session.team, to: after.team };
  await tx.emit({
    notices: [{ kind: 'session', sessionId: session.session_id }],
    webhook: { event: 'conversation_team_changed', body },
  });
  return after;
}
