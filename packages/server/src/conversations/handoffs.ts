import { randomUUID } from 'node:crypto';
import type { Handoff, HandoffReason, SystemEvent } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { cursorId, pageOf } from '../db/keyset.ts';
import { notifyWaiting } from '../notifications/notify.ts';
import { ANY_OPEN, appendMessage } from './append/append-message.ts';
import { type SummaryParts, summaryParts, wholeSummary } from './handoff-summary.ts';
import { messageRowsAfter } from './messages.ts';
import { getSession, type SessionRow, visitorOf } from './sessions.ts';

/** A summary uses this many of a chat's last messages. */
const SUMMARY_MESSAGES = 200;

/** Adds the system message that the chat was handed over or an agent has joined. */
export async function announce(
  ctx: SiteContext,
  sessionId: string,
  event: SystemEvent,
  text: string,
  author?: { id: number; name: string },
): Promise<void> {
  await appendMessage(
    ctx,
    sessionId,
    { sender: 'system', clientId: randomUUID(), text, event, ...(author ? { author } : {}) },
    ANY_OPEN,
  );
}

/** Why a chat is handed off; `why` explains it to the team if the reason's name says too little. */
export interface HandoffCause {
  readonly reason: HandoffReason;
  readonly why?: string | undefined;
}

/**
 * Hands a chat to people: `bot` → `waiting`, with a summary, a log row and the `handoff` event, in one transaction.
 * A chat that was already handed off stays unchanged.
 */
export async function handOff(ctx: SiteContext, sessionId: string, cause: HandoffCause): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const changed = await tx.db
      .updateTable('conversations')
      .set({
        status: 'waiting',
        waiting_since: tx.now(),
        // What the bot said before doesn't count as an answer.
        unanswered_since: sql<Date>`coalesce(unanswered_since, ${tx.now()})`,
      })
      .where('site_id', '=', tx.site.id)
      .where('session_id', '=', sessionId)
      .where('status', '=', 'bot')
      .returning('id')
      .executeTakeFirst();
    const session = await getSession(tx, sessionId);
    if (!changed) return session;
    await recordHandoff(tx, session, cause, null);
    await announce(tx, sessionId, 'handed_off', 'The chat was handed over to the team.');
    await notifyWaiting(tx, [session.id]);
    await tx.emit({ notices: [{ kind: 'session', sessionId }] });
    return getSession(tx, sessionId);
  });
}

/** The last messages of a chat, for its summary. */
export async function summaryMessages(ctx: SiteContext, session: SessionRow) {
  const after = Math.max(0, session.last_seq - SUMMARY_MESSAGES);
  const rows = await messageRowsAfter(ctx.db, ctx.site.id, session.session_id, after, SUMMARY_MESSAGES);
  return rows.map((row) => ({
    ...row,
    unknown: row.event === 'not_known',
    askedBack: row.event === 'asked_back',
  }));
}

async function partsOf(
  ctx: SiteContext,
  session: SessionRow,
  cause: Partial<HandoffCause>,
): Promise<SummaryParts> {
  const messages = await summaryMessages(ctx, session);
  return summaryParts(messages, { ...cause, visitor: visitorOf(session), pageUrl: session.page_url });
}

/** A summary of a chat, quoted from its messages, for the agent who takes it over. */
export async function summaryOf(ctx: SiteContext, session: SessionRow): Promise<string> {
  return wholeSummary(await partsOf(ctx, session, {}));
}

/** Writes the log row and the event of a handoff; `agentId` if an agent takes the chat at the same time. */
export async function recordHandoff(
  ctx: SiteContext,
  session: SessionRow,
  { reason, why }: HandoffCause,
  agentId: number | null,
): Promise<void> {
  const parts = await partsOf(ctx, session, { reason, why });
  const summary = wholeSummary(parts);
  const at = ctx.now();
  const { id } = await ctx.db
    .insertInto('handoffs')
    .values({
      site_id: ctx.site.id,
      conversation_id: session.id,
      reason,
      ...parts,
      agent_id: agentId,
      accepted_at: agentId === null ? null : at,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const isWorthMore = agentId === null && session.last_seq > 0 && session.spam_at === null;
  if (isWorthMore && (await ctx.services.languageModels.of(ctx)) !== undefined)
    await ctx.enqueue('bot.summarise_handoff', { handoff_id: id }, { key: `${ctx.site.id}:${id}` });
  await ctx.emit({
    at,
    webhook: {
      event: 'handoff',
      body: { session_id: session.session_id, visitor: visitorOf(session), handoff_reason: reason, summary },
    },
  });
}

/** Records on the chat's open handoff which agent has accepted it; null if nobody needs to any longer. */
export async function acceptHandoff(
  ctx: SiteContext,
  conversationId: number,
  agentId: number | null,
): Promise<void> {
  await ctx.db
    .updateTable('handoffs')
    .set({ agent_id: agentId, accepted_at: ctx.now() })
    .where('site_id', '=', ctx.site.id)
    .where('conversation_id', '=', conversationId)
    .where('accepted_at', 'is', null)
    .execute();
}

interface HandoffRow extends SummaryParts {
  id: number;
  session_id: string;
  visitor_key: string | null;
  visitor_name: string | null;
  visitor_email: string | null;
  reason: HandoffReason;
  ticket_id: number | null;
  agent_id: number | null;
  agent_name: string | null;
  created_at: Date;
  accepted_at: Date | null;
}

const presentHandoff = (row: HandoffRow): Handoff => ({
  id: row.id,
  session_id: row.session_id,
  visitor: visitorOf(row),
  handoff_reason: row.reason,
  summary: wholeSummary(row),
  ticket_id: row.ticket_id,
  agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent_name ?? '' },
  created_utc: row.created_at.toISOString(),
  accepted_utc: row.accepted_at?.toISOString() ?? null,
});

interface LogInput {
  limit: number;
  order: 'asc' | 'desc';
  cursor?: string | undefined;
  since?: string | undefined;
}

/** Longer than any write takes, and longer than the clocks of two nodes can differ. */
const SAME_MOMENT_MS = 3_600_000;

/** Condition and order for a log (as `l`) that is listed by id: handoffs, feedback. */
export function logTail(
  { site }: SiteContext,
  log: 'handoffs' | 'feedback',
  { limit, order, cursor, since }: LogInput,
) {
  const after = cursorId(cursor);
  const beyond =
    after === undefined ? sql`true` : order === 'asc' ? sql`l.id > ${after}` : sql`l.id < ${after}`;
  // Ids increase with time, except for concurrent writes. The index of times finds the starting point, from which
  // the list follows the ids, instead of reading everything older or newer.
  const from =
    since === undefined
      ? sql`true`
      : sql`l.created_at >= ${new Date(since)} and l.id >= (
          select id from ${sql.table(log)} where site_id = ${site.id} and created_at >= ${new Date(Date.parse(since) - SAME_MOMENT_MS)}
          order by created_at, id limit 1)`;
  return sql`${beyond} and ${from} order by l.id ${order === 'asc' ? sql`asc` : sql`desc`} limit ${limit + 1}`;
}

/** By id, in `input.order`, without spam; `since` is inclusive. An erased visitor's key is null. */
export async function listHandoffs(ctx: SiteContext, input: LogInput) {
  const { rows } = await sql<HandoffRow>`
    select l.id, c.session_id, case when v.erased_at is null then v.key end as visitor_key, v.name as visitor_name,
      v.email as visitor_email, l.reason, l.summary, l.visitor_line, c.ticket_id, l.agent_id, a.name as agent_name, l.created_at, l.accepted_at
    from handoffs l
    join conversations c on c.site_id = l.site_id and c.id = l.conversation_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join agents a on a.site_id = l.site_id and a.id = l.agent_id
    where l.site_id = ${ctx.site.id} and c.spam_at is null and ${logTail(ctx, 'handoffs', input)}`.execute(
    ctx.db,
  );
  return pageOf(rows, input.limit, (row) => [row.id], presentHandoff);
}
