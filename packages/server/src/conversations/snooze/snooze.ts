import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { WebhookPart } from '../../core/domain-event.ts';
import { ofChats, triggerRules } from '../../core/rules/rule-events.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { sitesWithDue } from '../../jobs/sites-with-due.ts';
import { aboutChat } from '../chat-events.ts';
import { closed } from '../desk.ts';
import { getSession, loadSessions, lockSession, type SessionRow } from '../sessions.ts';
import { checkSnoozeTime } from './snooze-times.ts';

const WAKE_EVERY_MS = 1_000;
/**
 * Chats per transaction: a thousand snoozes that end at nine o'clock take ten commits, and each notice fits the
 * bus.
 */
const BATCH = 100;

/** Runs under the chat's lock: a later visitor message ends the snooze. */
async function refuseUnseen(tx: SiteContext, chat: SessionRow, seen: number): Promise<void> {
  if (chat.last_seq <= seen) return;
  const { rows } = await sql`
    select from messages
    where site_id = ${tx.site.id} and conversation_id = ${chat.id} and seq > ${seen} and sender = 'visitor'
    limit 1`.execute(tx.db);
  if (rows.length > 0)
    throw new AppError('conflict', 'The visitor wrote in the meantime. Read that first.', {
      reason: 'visitor_wrote',
    });
}

const snoozedEvent = (tx: SiteContext, chat: SessionRow, until: Date | null): WebhookPart => ({
  event: 'conversation_snoozed',
  body: { ...aboutChat(tx, chat), snoozed_until_utc: until?.toISOString() ?? null },
});

/**
 * Also cancels a pending close. Null wakes the chat without marking it unread, because the agent is looking at it.
 */
async function putAside(tx: SiteContext, chat: SessionRow, until: Date | null): Promise<SessionRow> {
  await tx.db
    .updateTable('conversations')
    .set({ snoozed_until: until, ...(until ? { closes_at: null, closing_agent_id: null } : {}) })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', chat.id)
    .execute();
  await tx.emit({
    notices: [{ kind: 'session', sessionId: chat.session_id }],
    counts: false,
    webhook: snoozedEvent(tx, chat, until),
  });
  return getSession(tx, chat.session_id);
}

/**
 * Snoozes a chat; null wakes it. The visitor doesn't notice, and their next message wakes it.
 * @param seen the `seq` of the last message that the agent had seen; a later visitor message refuses the snooze
 * @throws AppError 400 for a time in the past or too far ahead, 409 for a chat that is closed or the bot's
 */
export function snoozeChat(
  ctx: SiteContext,
  sessionId: string,
  until: Date | null,
  seen?: number,
): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const chat = await lockSession(tx, sessionId);
    if (until === null) return chat.snoozed_until === null ? chat : putAside(tx, chat, null);
    checkSnoozeTime(tx.now(), until);
    if (chat.status === 'closed') throw closed();
    if (chat.status === 'bot')
      throw new AppError('conflict', 'The bot has this chat. Join it first.', { reason: 'chat_with_bot' });
    if (seen !== undefined) await refuseUnseen(tx, chat, seen);
    return chat.snoozed_until?.getTime() === until.getTime() ? chat : putAside(tx, chat, until);
  });
}

/** @returns how many were due. Concurrent processes handle different chats. */
function wakeBatch(ctx: SiteContext): Promise<number> {
  return ctx.transaction(async (tx) => {
    const now = tx.now();
    const { rows } = await sql<{ sessionId: string }>`
      update conversations set snoozed_until = null, marked_unread_at = coalesce(marked_unread_at, ${now})
      where site_id = ${tx.site.id} and id = any (array(
        select id from conversations where site_id = ${tx.site.id} and snoozed_until <= ${now}
        order by snoozed_until limit ${BATCH} for update skip locked))
      returning session_id as "sessionId"`.execute(tx.db);
    await tx.emit({
      notices: rows.map(({ sessionId }) => ({ kind: 'session', sessionId })),
      counts: false,
    });
    const ids = rows.map(({ sessionId }) => sessionId);
    for (const chat of await loadSessions(tx.db, tx.site.id, sql`c.session_id = any (${ids}::text[])`))
      await tx.emit({ webhook: snoozedEvent(tx, chat, null) });
    await triggerRules(tx, ofChats('snooze_over', ids));
    return rows.length;
  });
}

/** Wakes due chats and marks them unread, so that the agent who snoozed them sees them. */
export const snoozeClock: RecurringJob = {
  name: 'chats.wake',
  everyMs: WAKE_EVERY_MS,
  due: (look) =>
    sitesWithDue(
      { table: 'conversations', since: sql`snoozed_until`, isDue: sql`snoozed_until <= ${look.now}` },
      look,
    ),
  async run(ctx) {
    while ((await wakeBatch(ctx)) === BATCH);
  },
};
