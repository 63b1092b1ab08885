import { randomUUID } from 'node:crypto';
import type { Message, VisitorSession } from '@foyer/protocol';
import { sql } from 'kysely';
import type { NewAttachment } from '../attachments/attachments.ts';
import { AppError, notFound } from '../base/errors.ts';
import type { Actor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { givenRows, rowStatement } from '../db/given-rows.ts';
import { prepared } from '../db/prepared.ts';
import { executeForRow } from '../db/transactions/group-commit.ts';
import { answerProactive } from '../proactive/answer.ts';
import { redacted } from '../sites/redaction.ts';
import { deviceOf, noteOwnWords, speakingVisitor, trustInVisitor } from '../visitors/identity/own-visitor.ts';
import { tellVisitor } from '../visitors/identity/upsert.ts';
import { currentVisitor, scopeOf } from '../visitors/rows.ts';
import { ANY_OPEN, appendMessage, findSent, onceOnly } from './append/append-message.ts';
import { isWritersOwn, isWritersOwnAlone } from './append/statement.ts';
import { ofChat } from './chat-events.ts';
import { chatAnswers, takeChatAnswers } from './fields/pre-chat-fields.ts';
import { handOff } from './handoffs.ts';
import {
  GIVEN_READER,
  getSession,
  givenReader,
  isReadersOwn,
  lockSession,
  newSessionId,
  presentVisitorSession,
  type SessionRow,
  visitorOf,
} from './sessions.ts';
import { blockOfNewChat, markIfBlocked, newMark } from './spam/blocked.ts';
import { markOf, presentSpam } from './spam/mark.ts';
import { reportSpam } from './spam/mark-chat.ts';

type Visitor = Extract<Actor, { kind: 'visitor' }>;

/** The visitor of a chat operation. Entry points let nobody else run one. */
export function visitorActor({ actor }: SiteContext): Visitor {
  if (actor.kind !== 'visitor') throw new AppError('insufficient_scope', 'Only a visitor can do this.');
  return actor;
}

interface Start {
  clientId: string;
  pageUrl?: string | undefined;
  previousId?: number;
  /** What the visitor writes, if anything. */
  text?: string;
}

/** Starts a chat, or finds the one started with the same client id. */
async function startSession(ctx: SiteContext, start: Start): Promise<string> {
  const { clientId, pageUrl, previousId, text } = start;
  const actor = visitorActor(ctx);
  const { verified, language } = actor;
  const { id: visitorId, email } = await speakingVisitor(ctx, actor);
  const sessionId = newSessionId();
  const before = previousId === undefined ? undefined : await markOf(ctx, previousId);
  const block = before?.spam_at ? undefined : await blockOfNewChat(ctx, actor, { email, text });
  const mark = block ? newMark(ctx, block) : (before ?? {});
  const made = await ctx.db
    .insertInto('conversations')
    .values({
      site_id: ctx.site.id,
      session_id: sessionId,
      visitor_id: visitorId,
      device_id: deviceOf(ctx.site.id, actor),
      verified,
      start_client_id: clientId,
      previous_id: previousId ?? null,
      ...mark,
      page_url: pageUrl ?? null,
      language: language ?? null,
      started_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'visitor_id', 'start_client_id']).doNothing())
    .returning(['id', 'device_id', chatAnswers.as('answers')])
    .executeTakeFirst();
  if (!made) {
    const found = await ctx.db
      .selectFrom('conversations')
      .select('session_id')
      .where('site_id', '=', ctx.site.id)
      .where('visitor_id', '=', visitorId)
      .where('start_client_id', '=', clientId)
      .executeTakeFirstOrThrow();
    return found.session_id;
  }
  await ctx.services.admit(ctx, 'chat');
  if (made.answers) await takeChatAnswers(ctx, made, made.answers);
  const session = await getSession(ctx, sessionId);
  if (block) await reportSpam(ctx, { session_id: sessionId, ticket_id: null }, presentSpam(session));
  await ctx.emit({
    notices: [{ kind: 'session', sessionId }],
    webhook: {
      event: 'conversation_started',
      body: {
        ...ofChat(session),
        page_url: pageUrl ?? null,
        channel: 'chat',
      },
    },
  });
  return sessionId;
}

interface Send {
  sessionId: string | null;
  clientId: string;
  text: string;
  uploadIds?: readonly string[] | undefined;
  files?: readonly NewAttachment[] | undefined;
  pageUrl?: string | undefined;
  /** The proactive message that it answers, which becomes the first of a new chat. */
  proactiveId?: number | undefined;
}

/** @returns undefined if the chat can't take a message: it is closed or another visitor's */
async function say(
  ctx: SiteContext,
  sessionId: string,
  { clientId, text, uploadIds, files }: Send,
): Promise<Message | undefined> {
  const draft = { sender: 'visitor', clientId, text, uploadIds, files } as const;
  const said = await appendMessage(ctx, sessionId, draft, isWritersOwn);
  if (said?.status === 'bot' && !said.isSpam)
    await ctx.enqueue('bot.answer', { session_id: sessionId }, { key: sessionId });
  return said?.message;
}

/** Stores the proactive message that the visitor answers before their answer, under the name of the bot or an agent. */
async function sayProactive(tx: SiteContext, sessionId: string, id: number): Promise<void> {
  const { visitor_id: visitorId } = await getSession(tx, sessionId);
  const answered = await answerProactive(tx, visitorId, id);
  if (!answered) return;
  const draft = { clientId: randomUUID(), sender: 'bot', event: 'proactive', isAutomatic: true } as const;
  await appendMessage(tx, sessionId, { ...draft, ...answered }, ANY_OPEN);
}

/** Like `say`, outside a transaction. Once an agent has joined, usually nothing else is stored with a message. */
async function sayAlone(ctx: SiteContext, sessionId: string, { clientId, text, uploadIds, files }: Send) {
  if (uploadIds?.length || files?.length) return undefined;
  const said = await appendMessage(ctx, sessionId, { sender: 'visitor', clientId, text }, isWritersOwnAlone);
  return said?.message;
}

/** @throws AppError 429 */
function admitMessage(ctx: SiteContext): Promise<void> {
  const { visitorId, guest } = visitorActor(ctx);
  const visitor = guest ? guest.tokenHash.toString('base64url') : String(visitorId);
  return ctx.services.admit(ctx, 'message', visitor);
}

/**
 * Stores a visitor's message: in their chat, in a new one if they have none, or in a new one that follows a closed
 * one. Committed when it returns. The same client id returns the same message.
 */
export async function sendMessage(
  ctx: SiteContext,
  send: Send,
): Promise<{ sessionId: string; message: Message }> {
  const { sessionId, clientId } = send;
  await admitMessage(ctx);
  if (sessionId === null) return startWith(ctx, send);
  await markIfBlocked(ctx, sessionId, { text: send.text });
  return onceOnly(
    async () => {
      const message =
        (await sayAlone(ctx, sessionId, send)) ?? (await ctx.transaction((tx) => say(tx, sessionId, send)));
      if (message) return { sessionId, message };
      const before = await getSession(ctx, sessionId);
      // A repeated send whose first response was lost, to a chat that was closed since.
      const sent = await findSent(ctx, sessionId, clientId);
      return sent ? { sessionId, message: sent } : startWith(ctx, { ...send, sessionId: null }, before.id);
    },
    async () => ({ sessionId, message: await sentBefore(ctx, sessionId, clientId) }),
  );
}

async function startWith(
  ctx: SiteContext,
  send: Send,
  previousId?: number,
): Promise<{ sessionId: string; message: Message }> {
  const start: Start = {
    clientId: send.clientId,
    pageUrl: send.pageUrl,
    text: send.text,
    ...(previousId ? { previousId } : {}),
  };
  const attempt = () =>
    ctx.transaction(async (tx) => {
      const sessionId = await startSession(tx, start);
      if (send.proactiveId !== undefined) await sayProactive(tx, sessionId, send.proactiveId);
      const message = await say(tx, sessionId, send);
      return { sessionId, message: message ?? (await sentBefore(tx, sessionId, send.clientId)) };
    });
  return onceOnly(attempt, async () => {
    const sessionId = await ctx.transaction((tx) => startSession(tx, start));
    return { sessionId, message: await sentBefore(ctx, sessionId, send.clientId) };
  });
}

async function sentBefore(ctx: SiteContext, sessionId: string, clientId: string): Promise<Message> {
  await getSession(ctx, sessionId);
  const message = await findSent(ctx, sessionId, clientId);
  if (!message) throw notFound('message');
  return message;
}

/** The visitor asks for a person, with or without having said anything yet. */
export async function requestPerson(
  ctx: SiteContext,
  { sessionId, clientId, pageUrl }: Omit<Send, 'text' | 'uploadIds'>,
): Promise<VisitorSession> {
  return ctx.transaction(async (tx) => {
    await speakingVisitor(tx, visitorActor(tx));
    if (sessionId !== null) await markIfBlocked(tx, sessionId, {});
    const target = sessionId ?? (await startSession(tx, { clientId, pageUrl }));
    const session = await getSession(tx, target);
    if (session.status === 'closed')
      throw new AppError('conflict', 'This chat is closed. A new message starts a new chat.');
    return presentVisitorSession(await handOff(tx, target, { reason: 'visitor_request' }));
  });
}

/**
 * What a visitor says about themselves fills empty fields and never overwrites known ones. Without the proof that
 * the site requires, it stays with their browser and chat.
 */
export async function noteContact(
  ctx: SiteContext,
  visitorId: number,
  email: string,
  name: string | undefined,
): Promise<void> {
  const actor = visitorActor(ctx);
  await noteOwnWords(ctx, actor, { email, ...(name && { name }) });
  const visitor = await currentVisitor(ctx.db, ctx.site.id, visitorId);
  if (!visitor?.key || (await trustInVisitor(ctx, actor, visitor.key)) === 'unproven') return;
  const missing = {
    ...(visitor.email === null ? { email } : {}),
    ...(visitor.name === null && name ? { name } : {}),
  };
  if (Object.keys(missing).length > 0) await tellVisitor(scopeOf(ctx), { key: visitor.key, ...missing });
}

/** Stores the rating of a chat, once. Sending the same rating again changes nothing. */
export async function rate(
  ctx: SiteContext,
  sessionId: string,
  rating: number,
  comment: string,
): Promise<VisitorSession> {
  return ctx.transaction(async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (session.status !== 'closed')
      throw new AppError('conflict', 'A chat can be rated only after it has ended.');
    if (session.rating !== null) {
      if (session.rating === rating) return presentVisitorSession(session);
      throw new AppError('conflict', 'This chat is already rated.');
    }
    // A comment is a message too.
    if (comment) await speakingVisitor(tx, visitorActor(tx));
    const at = tx.now();
    const said = await redacted(tx, comment);
    await tx.db
      .insertInto('feedback')
      .values({
        site_id: tx.site.id,
        conversation_id: session.id,
        rating,
        comment: said || null,
        agent_id: session.agent_id,
        created_at: at,
      })
      .execute();
    await tx.emit({
      at,
      notices: [{ kind: 'session', sessionId }],
      webhook: {
        event: 'feedback',
        body: {
          session_id: sessionId,
          visitor: visitorOf(session),
          rating,
          ...(said ? { comment: said } : {}),
        },
      },
    });
    return presentVisitorSession({ ...session, rating });
  });
}

const markRead = rowStatement(sql`${prepared}
    with ${givenRows({ site: 'bigint', session: 'text', seq: 'integer', ...GIVEN_READER })}
    update conversations c set visitor_read_seq = least(given.seq, c.last_seq) from given
    where c.site_id = given.site and c.session_id = given.session and c.visitor_read_seq < least(given.seq, c.last_seq)
      and ${isReadersOwn} returning given.n`);

/** Records that this visitor has read up to `seq`. Never goes back. */
export async function markReadByVisitor(ctx: SiteContext, sessionId: string, seq: number): Promise<void> {
  const given = { site: ctx.site.id, session: sessionId, seq, ...givenReader(ctx) };
  const marked = await executeForRow(markRead, given, sessionId, ctx.db);
  if (marked) await ctx.emit({ notices: [{ kind: 'session', sessionId }], counts: false });
  else await getSession(ctx, sessionId);
}

/**
 * Lets the widget ask a visitor for a rating once their chat is closed, whatever the site's setting says. Does nothing
 * for a chat that was rated or asked about before.
 * @param chat locked
 */
export async function requestRating(tx: SiteContext, chat: SessionRow): Promise<void> {
  if (chat.rating !== null || chat.rating_requested_at !== null) return;
  await tx.db
    .updateTable('conversations')
    .set({ rating_requested_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', chat.id)
    .execute();
  await tx.emit({ notices: [{ kind: 'session', sessionId: chat.session_id }] });
}
