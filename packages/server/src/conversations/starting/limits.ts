import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/** How many chats one agent may start per minute. */
const AGENT_PER_MINUTE = 10;
/** How many unanswered chats the team may start with one visitor per day. */
const UNANSWERED_PER_DAY = 3;
/** An arbitrary number that separates these locks from others. */
const AGENT_LOCK = 7_311;

/** Serialises an agent's new chats, so that concurrent calls can't exceed the limit. */
async function refuseSpamBy(tx: SiteContext, agentId: number): Promise<void> {
  const { db, site } = tx;
  await sql`select pg_advisory_xact_lock(${AGENT_LOCK}, hashtext(${`${site.id}:${agentId}`}))`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversations c
    join messages m on m.site_id = c.site_id and m.conversation_id = c.id and m.seq = 1
    where c.site_id = ${site.id} and c.started_at > ${tx.now()}::timestamptz - interval '1 minute'
      and m.sender = 'agent' and m.agent_id = ${agentId}`.execute(db);
  if ((rows[0]?.count ?? 0) >= AGENT_PER_MINUTE)
    throw new AppError(
      'rate_limited',
      `You can start ${AGENT_PER_MINUTE} chats a minute. Nothing was sent.`,
      {
        reason: 'chats_too_fast',
        values: { count: AGENT_PER_MINUTE },
        headers: { 'retry-after': '60' },
      },
    );
}

/** The bot starts chats too, for other programs. Runs under the lock of the visitor's row. */
async function refuseSpamTo(tx: SiteContext, visitorId: number): Promise<void> {
  const { db, site } = tx;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversations c
    join messages m on m.site_id = c.site_id and m.conversation_id = c.id and m.seq = 1
    where c.site_id = ${site.id} and c.visitor_id = ${visitorId} and m.sender in ('agent', 'bot')
      and c.started_at > ${tx.now()}::timestamptz - interval '1 day'
      and not exists (
        select from messages v where v.site_id = c.site_id and v.conversation_id = c.id and v.sender = 'visitor'
      )`.execute(db);
  if ((rows[0]?.count ?? 0) >= UNANSWERED_PER_DAY)
    throw new AppError(
      'conflict',
      `This visitor left ${UNANSWERED_PER_DAY} messages of today unanswered. Nothing was sent.`,
      { reason: 'visitor_silent', values: { count: UNANSWERED_PER_DAY } },
    );
}

/**
 * Protects visitors from too many messages.
 * @param agentId null for the bot
 * @throws AppError 429 for the agent's limit, 409 for the visitor's
 */
export async function refuseSpam(tx: SiteContext, agentId: number | null, visitorId: number): Promise<void> {
  if (agentId !== null) await refuseSpamBy(tx, agentId);
  await refuseSpamTo(tx, visitorId);
}
