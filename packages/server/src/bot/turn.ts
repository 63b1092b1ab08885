import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { finishCall } from '../actions/calls.ts';
import { storeRun } from '../actions/runs.ts';
import { createCounter } from '../base/counters.ts';
import { appendMessage, HAS_BOT } from '../conversations/append/append-message.ts';
import { handOff } from '../conversations/handoffs.ts';
import { findSession, type SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { countUses } from '../knowledge/sources/documents.ts';
import { getSite } from '../sites/sites.ts';
import { countBotReply, countTokens } from '../sites/usage.ts';
import { botTurn } from './chat-turn.ts';
import { forgetUnknown, noteUnknown } from './gaps/grouping.ts';
import { oneModelAtATime, untilModelIsDone } from './model-turn/one-at-a-time.ts';
import { requestTurn } from './own-bot.ts';
import { replyTo } from './reply.ts';
import { consequenceOf } from './rules/turn-rules.ts';
import { type Decided, decideInChat } from './turn-decision.ts';

const turns = createCounter('foyer_bot_turns_total', 'Turns of the bot, by what it decided', ['decision']);

/** How many messages in a row are read as one question. */
const PENDING_MAX = 10;

interface Said {
  seq: number;
  text: string;
}

/** The visitor's messages that the bot hasn't handled, and the question before. */
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

/** The same turn has the same id: if a job runs twice, its message is stored once. */
function turnId(sessionId: string, seq: number): string {
  const hex = createHash('sha256').update(`bot:${sessionId}:${seq}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The bot's turns in a chat, until every message is handled: one that came while this job waited to run has no job of
 * its own.
 */
export async function takeTurns(ctx: SiteContext, sessionId: string): Promise<void> {
  while (await takeTurn(ctx, sessionId));
}

/**
 * Answers the messages since the last turn, or hands the chat over. The statement that stores the bot's words also
 * checks that the bot still has the chat, so it never talks once a person has joined.
 * @returns whether there may be more to answer.
 */
async function takeTurn(ctx: SiteContext, sessionId: string): Promise<boolean> {
  await untilModelIsDone(sessionId);
  await untilWritten(ctx, sessionId);
  const session = await findSession(ctx.db, ctx.site.id, sessionId);
  if (session?.status !== 'bot' || session.spam_at !== null) return false;
  const [{ pending, previous }, site] = await Promise.all([
    pendingOf(ctx, session),
    getSite(ctx.db, ctx.site.id),
  ]);
  const last = pending.at(-1);
  if (!last) return false;
  if (site.own_bot_since !== null && site.bot_off_at === null) {
    await requestTurn(ctx, session, last.seq, site.own_bot_timeout_s);
    return false;
  }
  const question = pending.map(({ text }) => text).join('\n');
  const show = (text: string): void =>
    ctx.services.passing.show(ctx.site.id, { type: 'answering', session_id: sessionId, text });
  const firstSeq = pending[0]?.seq;
  const asked = { question, previousQuestion: previous, firstSeq, show };
  return oneModelAtATime(sessionId, botTurn(ctx, session, asked), async (turn) => {
    const decided = await decideInChat(turn, session);
    if (decided === undefined) return false;
    turns.add(1, decided.decision.kind);
    await ctx.transaction((tx) => carryOut(tx, session, { seq: last.seq, question }, decided));
    return true;
  });
}

/** Waits for a message that is being stored and relies on this job: its transaction locks the chat until it commits. */
async function untilWritten(ctx: SiteContext, sessionId: string): Promise<void> {
  await sql`
    select from conversations where site_id = ${ctx.site.id} and session_id = ${sessionId} for share`.execute(
    ctx.db,
  );
}

async function carryOut(
  tx: SiteContext,
  session: SessionRow,
  { seq, question }: { seq: number; question: string },
  { decision, called, offers, lookup, tokens }: Decided,
): Promise<void> {
  // Even if the bot no longer has the chat: the call was made.
  if (called) await finishCall(tx, called.id, called.exchange);
  const { misses, handoff } = consequenceOf(decision, session.bot_misses);
  const ours = await tx.db
    .updateTable('conversations')
    .set({
      bot_seq: seq,
      bot_misses: misses,
      ...(tokens ? { model_answers: sql<number>`model_answers + 1` } : {}),
    })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', session.id)
    .where('status', '=', 'bot')
    .where('spam_at', 'is', null)
    // Another worker's turn, or this one before a crash: its message is already stored.
    .where('bot_seq', '=', session.bot_seq)
    .returning('id')
    .executeTakeFirst();
  if (!ours) {
    // The model's tokens count, even if somebody else has the chat now.
    if (tokens) await countTokens(tx, tokens);
    return;
  }
  const { bot_name: name, language: spoken } = await getSite(tx.db, tx.site.id);
  const language = session.language ?? spoken;
  await storeRun(tx, session.id, decision.kind === 'action' ? decision.run : null);
  const reply = await replyTo(tx, decision, { language, callsPerson: handoff !== undefined, offers });
  if (reply) {
    const draft = {
      sender: 'bot' as const,
      clientId: turnId(session.session_id, seq),
      author: { id: null, name },
      ...reply,
    };
    await appendMessage(tx, session.session_id, draft, HAS_BOT);
  }
  // A question back from a model doesn't indicate a missing article.
  if (decision.kind === 'unknown' || (decision.kind === 'ask' && decision.text === undefined))
    await noteUnknown(tx, { conversationId: session.id, seq, question });
  if (decision.kind === 'answer' && lookup?.isChoice)
    await forgetUnknown(tx, { conversationId: session.id, seq: session.bot_seq });
  if (handoff) await handOff(tx, session.session_id, handoff);
  if (reply && decision.kind === 'answer') await countUses(tx, reply.sources);
  if (reply) await countBotReply(tx, tokens ?? { inputTokens: 0, outputTokens: 0 });
  else if (tokens) await countTokens(tx, tokens);
}
