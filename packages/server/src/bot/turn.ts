import { createHash } from 'node:crypto';
import type { Source } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { handOff } from '../conversations/handoffs.ts';
import { appendMessage } from '../conversations/messages.ts';
import { findSession, type SessionRow } from '../conversations/sessions.ts';
import { toAppError } from '../errors.ts';
import { countBotReply } from '../sites/usage.ts';
import { type Decision, decide } from './answer.ts';
import { BOT_NAME, notKnown } from './phrases.ts';

/** After this many questions in a row without an answer a person is called (decisions 8). */
export const MISSES_BEFORE_HANDOFF = 2;
/** What of several messages at once is read as one question. */
const PENDING_MAX = 10;

interface Said {
  seq: number;
  text: string;
}

/** What the visitor has said that the bot hasn't dealt with, and the question before. */
async function pendingOf(
  ctx: SiteContext,
  session: SessionRow,
): Promise<{ pending: Said[]; previous: string | undefined }> {
  const { rows } = await sql<Said>`
    select seq, text from messages
    where site_id = ${ctx.site.id} and conversation_id = ${session.id} and sender = 'visitor'
    order by seq desc limit ${PENDING_MAX + 1}`.execute(ctx.db);
  const pending = rows.filter(({ seq }) => seq > session.bot_seq).reverse();
  return { pending, previous: rows.find(({ seq }) => seq <= session.bot_seq)?.text };
}

/** The same turn has the same id: a job that runs twice says it once. */
function turnId(sessionId: string, seq: number): string {
  const hex = createHash('sha256').update(`bot:${sessionId}:${seq}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function replyTo(decision: Decision, misses: number): { text: string; sources: Source[] } | undefined {
  switch (decision.kind) {
    case 'answer':
      return {
        text: decision.text,
        sources: decision.sources.map((source) => ({ ...source, slug: source.slug ?? '' })),
      };
    case 'small_talk':
      return { text: decision.text, sources: [] };
    case 'unknown':
      return { text: notKnown(misses >= MISSES_BEFORE_HANDOFF), sources: [] };
    case 'handoff':
      return undefined;
  }
}

/**
 * The bot's turns in a chat, until nothing is left that it has not dealt with: a message that came while this job
 * waited to run has no job of its own.
 */
export async function takeTurns(ctx: SiteContext, sessionId: string): Promise<void> {
  while (await takeTurn(ctx, sessionId));
}

/**
 * Answers what was said since the last turn, or calls a person. Whether the bot still holds the chat is asked by the
 * same statement that would store its words, so it never talks once a person has joined.
 * @returns whether there may be more to answer.
 */
async function takeTurn(ctx: SiteContext, sessionId: string): Promise<boolean> {
  await untilWritten(ctx, sessionId);
  const session = await findSession(ctx.db, ctx.site.id, sessionId);
  if (session?.status !== 'bot') return false;
  const { pending, previous } = await pendingOf(ctx, session);
  const last = pending.at(-1);
  if (!last) return false;
  const decision = await think(ctx, pending.map(({ text }) => text).join('\n'), previous);
  await ctx.transaction((tx) => carryOut(tx, session, last.seq, decision));
  return true;
}

/** A message that is being stored may count on this job: waits for its commit, by the lock that it has on the chat. */
async function untilWritten(ctx: SiteContext, sessionId: string): Promise<void> {
  await sql`
    select from conversations where site_id = ${ctx.site.id} and session_id = ${sessionId} for share`.execute(
    ctx.db,
  );
}

/** A fault of the bot's own must not leave the visitor waiting: then it doesn't know, and soon a person is called. */
async function think(
  ctx: SiteContext,
  question: string,
  previousQuestion: string | undefined,
): Promise<Decision> {
  try {
    const [index, slugs] = await Promise.all([ctx.services.indexes.indexOf(ctx.site.id), slugsOf(ctx)]);
    return decide(index, question, { previousQuestion, slugOf: (id) => slugs.get(id) });
  } catch (error) {
    // The database will be back, and the job is tried again.
    if (toAppError(error).code === 'unavailable') throw error;
    ctx.log.error({ err: error }, 'the bot failed to decide');
    return { kind: 'unknown', confidence: 0 };
  }
}

async function slugsOf(ctx: SiteContext): Promise<Map<number, string>> {
  const rows = await ctx.db
    .selectFrom('articles')
    .select(['id', 'slug'])
    .where('site_id', '=', ctx.site.id)
    .where('status', '=', 'Published')
    .execute();
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

async function carryOut(
  tx: SiteContext,
  session: SessionRow,
  seq: number,
  decision: Decision,
): Promise<void> {
  const misses =
    decision.kind === 'unknown'
      ? session.bot_misses + 1
      : decision.kind === 'small_talk'
        ? session.bot_misses
        : 0;
  const ours = await tx.db
    .updateTable('conversations')
    .set({ bot_seq: seq, bot_misses: misses })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', session.id)
    .where('status', '=', 'bot')
    // Another worker's turn, or this one before it died: its words are there already.
    .where('bot_seq', '=', session.bot_seq)
    .returning('id')
    .executeTakeFirst();
  if (!ours) return;
  const reply = replyTo(decision, misses);
  if (reply) {
    const draft = {
      sender: 'bot' as const,
      clientId: turnId(session.session_id, seq),
      author: { id: null, name: BOT_NAME },
      ...reply,
    };
    await appendMessage(tx, session.session_id, draft, sql`c.status = 'bot'`);
  }
  if (decision.kind === 'handoff') await handOff(tx, session.session_id, 'visitor_request');
  else if (misses >= MISSES_BEFORE_HANDOFF) await handOff(tx, session.session_id, 'no_answer');
  if (reply) await countBotReply(tx, { inputTokens: 0, outputTokens: 0 });
}
