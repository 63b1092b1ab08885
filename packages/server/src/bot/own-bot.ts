import type { WebhookBody } from '@foyer/protocol';
import { SUMMARY_LINES } from '@foyer/protocol/values/summary-lines';
import { sql } from 'kysely';
import { handOff } from '../conversations/handoffs.ts';
import { linksOf, messageRowsAfter, namedAuthor, presentMessage } from '../conversations/messages.ts';
import { findSession, type SessionRow, visitorOf } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import type { RecurringJob } from '../jobs/schedule.ts';

/** How many of the last messages the program gets with each turn. */
const HISTORY_MAX = 20;
/** How late a handoff may be. */
const LOOK_EVERY_MS = 1_000;

async function historyOf(
  ctx: SiteContext,
  session: SessionRow,
  upTo: number,
): Promise<WebhookBody<'bot_turn_requested'>['messages']> {
  const after = Math.max(0, upTo - HISTORY_MAX);
  const rows = await messageRowsAfter(ctx.db, ctx.site.id, session.session_id, after, upTo - after);
  return rows.map((row) => {
    const message = presentMessage(ctx.site.id, linksOf(ctx), row);
    const { id, seq, sender, text, attachments, created_utc } = message;
    return { id, seq, sender, author: namedAuthor(message), text, attachments, created_utc };
  });
}

/**
 * Asks the site's own bot for its turn, once for each newest message. It has until `bot_due_at`, which later messages
 * of the visitor don't move.
 */
export async function requestTurn(
  ctx: SiteContext,
  session: SessionRow,
  seq: number,
  timeoutS: number,
): Promise<void> {
  const dueAt = new Date(ctx.now().getTime() + timeoutS * 1_000);
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ due: Date }>`
      update conversations set bot_asked_seq = ${seq}, bot_due_at = coalesce(bot_due_at, ${dueAt}::timestamptz)
      where site_id = ${tx.site.id} and id = ${session.id} and status = 'bot' and spam_at is null
        and bot_asked_seq < ${seq} and bot_seq < ${seq}
      returning bot_due_at as due`.execute(tx.db);
    const [asked] = rows;
    if (!asked) return;
    await tx.emit({
      webhook: {
        event: 'bot_turn_requested',
        body: {
          session_id: session.session_id,
          visitor: visitorOf(session),
          verified: session.verified,
          language: session.language,
          page_url: session.page_url,
          seq,
          messages: await historyOf(tx, session, seq),
          answer_by_utc: asked.due.toISOString(),
        },
      },
    });
  });
}

/** Hands a chat over if the site's own bot has missed its deadline. */
async function handOffOverdue(ctx: SiteContext, conversationId: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ session_id: string }>`
      update conversations set bot_due_at = null
      where site_id = ${tx.site.id} and id = ${conversationId} and bot_due_at <= ${tx.now()}
      returning session_id`.execute(tx.db);
    const sessionId = rows[0]?.session_id;
    const chat = sessionId === undefined ? undefined : await findSession(tx.db, tx.site.id, sessionId);
    if (chat?.status !== 'bot' || chat.spam_at !== null) return;
    await handOff(tx, chat.session_id, { reason: 'no_answer', why: SUMMARY_LINES.own_bot_silent });
  });
}

export const ownBotClock: RecurringJob = {
  name: 'bot.own_overdue',
  everyMs: LOOK_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", id from conversations
    where bot_due_at <= ${now} order by bot_due_at limit ${limit}`,
  run: handOffOverdue,
};
