import type { SpamMark } from '@foyer/protocol';
import { sql } from 'kysely';
import { agentRefOf } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { notifyWaiting, settle } from '../../notifications/notify.ts';
import { getSession, lockSession, type SessionRow } from '../sessions.ts';
import { presentSpam } from './mark.ts';

/** The agent who acts, if one does. */
export const markerOf = ({ actor }: SiteContext): number | null =>
  actor.kind === 'agent' ? actor.agentId : null;

/** Reports that a mark was set or removed: the only event of a chat or ticket while it is spam. */
export async function reportSpam(
  tx: SiteContext,
  of: { session_id: string | null; ticket_id: number | null },
  mark: SpamMark | null,
): Promise<void> {
  const by = agentRefOf(tx);
  await tx.emit({
    webhook: {
      event: 'spam_changed',
      body: { ...of, spam: mark !== null, reason: mark?.reason ?? null, by },
    },
  });
}

/**
 * Marks a locked chat as spam, which ends a pending close, or as not spam. Marked, it is only in the queue Spam: nobody
 * is notified of it, the bot is silent, and reports don't count it. Its visitor doesn't notice.
 */
export async function setChatSpam(
  tx: SiteContext,
  chat: SessionRow,
  reason: SpamMark['reason'] | null,
): Promise<SessionRow> {
  if ((chat.spam_at === null) === (reason === null)) return chat;
  const { id, session_id: sessionId } = chat;
  await tx.db
    .updateTable('conversations')
    .set(
      reason === null
        ? { spam_at: null, spam_by: null, spam_reason: null }
        : {
            spam_at: tx.now(),
            spam_by: markerOf(tx),
            spam_reason: reason,
            closes_at: null,
            closing_agent_id: null,
          },
    )
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  if (reason === null) await resume(tx, chat);
  else await settle(tx, sql`n.conversation_id = ${id}`);
  await tx.emit({ notices: [{ kind: 'session', sessionId }] });
  const after = await getSession(tx, sessionId);
  await reportSpam(tx, { session_id: sessionId, ticket_id: null }, presentSpam(after));
  return after;
}

/** What would have happened while the chat was spam: a waiting one notifies, and the bot answers. */
async function resume(tx: SiteContext, { id, session_id, status, snoozed_until }: SessionRow): Promise<void> {
  if (status === 'waiting' && snoozed_until === null) await notifyWaiting(tx, [id]);
  if (status === 'bot') await tx.enqueue('bot.answer', { session_id }, { key: session_id });
}

/** @throws AppError 404 */
export const markChat = (ctx: SiteContext, sessionId: string, isSpam: boolean): Promise<SessionRow> =>
  ctx.transaction(async (tx) => setChatSpam(tx, await lockSession(tx, sessionId), isSpam ? 'team' : null));
