import type { AgentRef, Mention, Message, Note, Session, SessionDetail } from '@foyer/protocol';
import { type SqlBool, sql } from 'kysely';
import type { NewAttachment } from '../attachments/attachments.ts';
import { AppError, notFound } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { cursorId, type Page, pageOf } from '../db/keyset.ts';
import { mentionsOfNote, storeMentions } from '../mentions/mentions.ts';
import { notify, notifyWaiting, settle, settleChats } from '../notifications/notify.ts';
import { holdAgent } from '../sites/agents/assignable.ts';
import { ensureTags } from '../tags/tags.ts';
import { appendMessage, findSent, onceOnly } from './append/append-message.ts';
import { aboutChat, holderOf, movedEvent } from './chat-events.ts';
import { listChatEmails } from './emails/list-emails.ts';
import { findReach } from './emails/waiting-replies.ts';
import { acceptHandoff, announce, recordHandoff } from './handoffs.ts';
import { inQueue } from './lists/queues.ts';
import { setChatTeam } from './routing/chat-team.ts';
import { listDecisions } from './routing/decisions.ts';
import { getSession, lockSession, presentSession, type SessionRow, visitorOf } from './sessions.ts';
import { refuseSpam } from './spam/mark.ts';

/** A 409 for anything that needs an open chat. */
export const closed = () => new AppError('conflict', 'This chat is closed.', { reason: 'chat_closed' });
/** A 409 that names the agent who has the chat; null if that agent's name is unknown. */
export const heldBy = (name: string | null) =>
  new AppError('conflict', `${name ?? 'Another agent'} has this chat. Take it over first.`, {
    reason: 'chat_held',
    values: { name: name ?? '' },
  });
/**
 * A 409: a colleague has replied since the agent last saw the chat. Two answers to one question are worse than a
 * late one.
 */
export const answeredMeanwhile = (name: string) =>
  new AppError('conflict', `${name} replied in the meantime. Read that first.`, {
    reason: 'answered_meanwhile',
    values: { name },
  });

/**
 * An agent takes a chat: `bot` or `waiting` → `active`. If two try at once, one gets it and the other gets a 409
 * that names the first. With `takeOver`, a chat in any state.
 */
export async function acceptSession(
  ctx: SiteContext,
  sessionId: string,
  takeOver: boolean,
): Promise<SessionRow> {
  const { agentId } = agentActor(ctx);
  return ctx.transaction(async (tx) => {
    const before = await lockSession(tx, sessionId);
    if (before.status === 'closed') throw closed();
    refuseSpam(before);
    if (before.agent_id === agentId && before.status === 'active') return before;
    if (before.status === 'active' && !takeOver) throw heldBy(before.agent_name);
    return giveChat(tx, before, await holdAgent(tx, agentId));
  });
}

/** Assigns a locked chat to a locked agent, which ends a snooze; the caller decides whether that is allowed. */
async function giveChat(tx: SiteContext, session: SessionRow, agent: AgentRef): Promise<SessionRow> {
  const sessionId = session.session_id;
  await tx.db
    .updateTable('conversations')
    .set({ status: 'active', agent_id: agent.id, waiting_since: null, snoozed_until: null })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', session.id)
    .execute();
  if (session.status === 'bot') await recordHandoff(tx, session, { reason: 'agent_takeover' }, agent.id);
  else await acceptHandoff(tx, session.id, agent.id);
  await settleChats(tx, [session.id], agent.id);
  await notify(tx, { kind: 'chat_assigned', agentIds: [agent.id], conversationId: session.id });
  await announce(tx, sessionId, 'agent_joined', `${agent.name} joined the chat.`, agent);
  const webhook = movedEvent(tx, session, holderOf(session), agent);
  await tx.emit({ notices: [{ kind: 'session', sessionId }], ...(webhook && { webhook }) });
  return getSession(tx, sessionId);
}

/**
 * Assigns a chat to a colleague, or returns it to the queue, and to a team if one is given. The note for them is stored
 * in the same transaction; a repeated call stores it once, even though the chat is theirs by then.
 * @throws AppError 404 for an agent who isn't in the team, 409 for a closed chat, and for returning a bot's chat to
 * the queue, which would be a handoff
 */
export function transferSession(
  ctx: SiteContext,
  sessionId: string,
  agentId: number | null,
  note?: NewNote,
  teamId?: number | null,
): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const found = await lockSession(tx, sessionId);
    if (found.status === 'closed') throw closed();
    refuseSpam(found);
    const before = teamId === undefined ? found : await setChatTeam(tx, found, teamId);
    const after = await moveChat(tx, before, agentId);
    if (note) await addNote(tx, sessionId, note);
    return after;
  });
}

async function moveChat(tx: SiteContext, session: SessionRow, agentId: number | null): Promise<SessionRow> {
  if (agentId === null) return returnToQueue(tx, session);
  if (session.status === 'active' && session.agent_id === agentId) return session;
  return giveChat(tx, session, await holdAgent(tx, agentId));
}

async function returnToQueue(tx: SiteContext, session: SessionRow): Promise<SessionRow> {
  if (session.status === 'waiting') return session;
  if (session.status === 'bot')
    throw new AppError('conflict', 'The bot has this chat. Join it first.', { reason: 'chat_with_bot' });
  await tx.db
    .updateTable('conversations')
    .set({
      status: 'waiting',
      agent_id: null,
      waiting_since: tx.now(),
      snoozed_until: null,
      unanswered_since: sql<Date>`coalesce(unanswered_since, ${tx.now()})`,
    })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', session.id)
    .execute();
  await settleChats(tx, [session.id]);
  await notifyWaiting(tx, [session.id]);
  const webhook = movedEvent(tx, session, holderOf(session), null);
  await tx.emit({
    notices: [{ kind: 'session', sessionId: session.session_id }],
    ...(webhook && { webhook }),
  });
  return getSession(tx, session.session_id);
}

/** Runs after the new message is stored, which locks its chat, so no other reply can come in between. */
async function refuseAfterOther(
  tx: SiteContext,
  sessionId: string,
  agentId: number,
  { seen, seq }: { seen: number; seq: number },
): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`
    select m.author_name as name from messages m
    join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
    where m.site_id = ${tx.site.id} and c.session_id = ${sessionId} and m.seq > ${seen} and m.seq < ${seq}
      and m.sender = 'agent' and m.agent_id is distinct from ${agentId}
    order by m.seq desc limit 1`.execute(tx.db);
  if (rows[0]) throw answeredMeanwhile(rows[0].name ?? '');
}

interface Said {
  clientId: string;
  text: string;
  uploadIds?: readonly string[] | undefined;
  files?: readonly NewAttachment[] | undefined;
  /** The `seq` of the last message that the agent had seen. Undefined: send it even if a colleague has replied. */
  seen?: number | undefined;
}

/**
 * An agent's message to the visitor. Replying to an unassigned chat assigns it to the agent.
 * @throws AppError 409 for a chat that is closed or a colleague's, and if a colleague has replied since `seen`
 */
export async function reply(ctx: SiteContext, sessionId: string, { seen, ...said }: Said): Promise<Message> {
  const { agentId, name } = agentActor(ctx);
  const { clientId } = said;
  const draft = { ...said, sender: 'agent' as const, author: { id: agentId, name } };
  const say = () =>
    ctx.transaction(async (tx) => {
      const own = sql<boolean>`c.status = 'active' and c.agent_id = ${agentId} and c.spam_at is null`;
      const made = await appendMessage(tx, sessionId, draft, own);
      const seq = made?.message.seq ?? 0;
      if (seen !== undefined && seq > seen + 1) await refuseAfterOther(tx, sessionId, agentId, { seen, seq });
      return made;
    });
  return onceOnly(
    async () => {
      const first = await say();
      if (first) return first.message;
      const sent = await findSent(ctx, sessionId, clientId);
      if (sent) return sent;
      await acceptSession(ctx, sessionId, false);
      const after = await say();
      if (!after) throw closed();
      return after.message;
    },
    async () => {
      const sent = await findSent(ctx, sessionId, clientId);
      if (!sent) throw notFound('message');
      return sent;
    },
  );
}

interface NoteRow {
  id: number;
  agent_id: number;
  agent_name: string;
  text: string;
  mentions: Mention[];
  created_at: Date;
}

const presentNote = (row: NoteRow): Note => ({
  id: row.id,
  author: { id: row.agent_id, name: row.agent_name },
  text: row.text,
  mentions: row.mentions,
  created_utc: row.created_at.toISOString(),
});

const noteRows = (db: Db, siteId: number) =>
  db
    .selectFrom('notes as n')
    .innerJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'n.site_id').onRef('a.id', '=', 'n.agent_id'),
    )
    .where('n.site_id', '=', siteId)
    .select(['n.id', 'n.agent_id', 'a.name as agent_name', 'n.text', 'n.created_at'])
    .select(mentionsOfNote.as('mentions'));

/** Undefined for another site's note. Checks no actor: notes are for agents only. */
export async function findNote(db: Db, siteId: number, noteId: number): Promise<Note | undefined> {
  const row = await noteRows(db, siteId).where('n.id', '=', noteId).executeTakeFirst();
  return row && presentNote(row);
}

/** The notes of a chat, newest first unless asked otherwise. */
export async function listNotes(
  ctx: SiteContext,
  {
    session_id,
    limit,
    cursor,
    order,
  }: { session_id: string; limit: number; cursor?: string | undefined; order: 'asc' | 'desc' },
): Promise<Page<Note>> {
  const { id } = await getSession(ctx, session_id);
  const from = cursorId(cursor);
  const rows = await noteRows(ctx.db, ctx.site.id)
    .where('n.conversation_id', '=', id)
    .$if(from !== undefined, (query) => query.where('n.id', order === 'asc' ? '>' : '<', from ?? 0))
    .orderBy('n.id', order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.id], presentNote);
}

interface NewNote {
  clientId: string;
  text: string;
  mentions?: readonly Mention[] | undefined;
}

/** Adds a note for the team. No transcript contains it and no visitor sees it. */
export async function addNote(
  ctx: SiteContext,
  sessionId: string,
  { clientId, text, mentions = [] }: NewNote,
): Promise<Note> {
  const { agentId } = agentActor(ctx);
  return ctx.transaction(async (tx) => {
    // The lock makes a chat's notes commit in the order of their ids, which the search index relies on.
    const session = await lockSession(tx, sessionId);
    const made = await tx.db
      .insertInto('notes')
      .values({
        site_id: tx.site.id,
        conversation_id: session.id,
        client_id: clientId,
        agent_id: agentId,
        text,
        created_at: tx.now(),
      })
      .onConflict((conflict) => conflict.constraint('notes_once').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) {
      const isOpen = sql<SqlBool>`exists (
        select from conversations c where c.site_id = ${tx.site.id} and c.id = ${session.id} and ${inQueue(tx, 'open')})`;
      await storeMentions(tx, { noteId: made.id, conversationId: session.id }, text, mentions, isOpen);
    }
    const row = await noteRows(tx.db, tx.site.id)
      .where('n.conversation_id', '=', session.id)
      .where('n.client_id', '=', clientId)
      .executeTakeFirstOrThrow();
    const note = presentNote(row);
    if (made) {
      const { mentions: _, ...said } = note;
      await tx.emit({
        notices: [{ kind: 'note', sessionId, noteId: made.id }],
        webhook: {
          event: 'note_created',
          body: { session_id: sessionId, visitor: visitorOf(session), note: said },
        },
      });
    }
    return note;
  });
}

/** Marks a chat as read up to `seq`, which the visitor sees. 0 only removes the team's "unread" mark. */
export function markReadByAgent(ctx: SiteContext, sessionId: string, seq: number): Promise<void> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update conversations c
      set agent_read_seq = greatest(c.agent_read_seq, least(${seq}, c.last_seq)), marked_unread_at = null
      where c.site_id = ${tx.site.id} and c.session_id = ${sessionId}
        and (c.agent_read_seq < least(${seq}, c.last_seq) or c.marked_unread_at is not null)
      returning c.id`.execute(tx.db);
    if (tx.actor.kind === 'agent' && rows[0])
      await settle(tx, sql`n.agent_id = ${tx.actor.agentId} and n.conversation_id = ${rows[0].id}`);
    if (rows.length > 0) await tx.emit({ notices: [{ kind: 'session', sessionId }], counts: false });
    else await getSession(tx, sessionId);
  });
}

/** Marks a chat as unread for the team; the visitor's read receipts stay. @throws AppError 404 */
export function markUnread(ctx: SiteContext, sessionId: string): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update conversations set marked_unread_at = ${tx.now()}
      where site_id = ${tx.site.id} and session_id = ${sessionId} and marked_unread_at is null
      returning id`.execute(tx.db);
    if (rows.length > 0) await tx.emit({ notices: [{ kind: 'session', sessionId }], counts: false });
    return getSession(tx, sessionId);
  });
}

/** The closed chat that a chat continues, and the newest that continues it. */
async function neighboursOf(
  { db, site }: SiteContext,
  id: number,
): Promise<Pick<SessionDetail, 'previous_session_id' | 'next_session_id'>> {
  const { rows } = await sql<Pick<SessionDetail, 'previous_session_id' | 'next_session_id'>>`
    select p.session_id as previous_session_id, (
      select n.session_id from conversations n where n.site_id = c.site_id and n.previous_id = c.id
      order by n.id desc limit 1) as next_session_id
    from conversations c left join conversations p on p.site_id = c.site_id and p.id = c.previous_id
    where c.site_id = ${site.id} and c.id = ${id}`.execute(db);
  return rows[0] ?? { previous_session_id: null, next_session_id: null };
}

export type ChatWithNotes = Omit<SessionDetail, 'emails' | 'unread_goes_to'>;

/** A chat with its rating and its notes, and the chats before and after it. */
export async function withNotes(ctx: SiteContext, chat: SessionRow): Promise<ChatWithNotes> {
  const { id: siteId } = ctx.site;
  const [rating, notes, routing, neighbours] = await Promise.all([
    ctx.db
      .selectFrom('feedback')
      .select(['rating', 'comment', 'created_at'])
      .where('site_id', '=', siteId)
      .where('conversation_id', '=', chat.id)
      .executeTakeFirst(),
    noteRows(ctx.db, siteId).where('n.conversation_id', '=', chat.id).orderBy('n.id').execute(),
    listDecisions(ctx, chat.id),
    neighboursOf(ctx, chat.id),
  ]);
  return {
    ...presentSession(chat),
    feedback: rating
      ? { rating: rating.rating, comment: rating.comment, created_utc: rating.created_at.toISOString() }
      : null,
    notes: notes.map(presentNote),
    routing,
    ...neighbours,
  };
}

/** The same with its emails. Its visitor is loaded separately (visitors/desk/profile.ts). */
export async function getSessionDetail(ctx: SiteContext, sessionId: string): Promise<SessionDetail> {
  const row = await getSession(ctx, sessionId);
  const [detail, emails, unread_goes_to] = await Promise.all([
    withNotes(ctx, row),
    listChatEmails(ctx, row.id),
    findReach(ctx, row.id),
  ]);
  return { ...detail, emails, unread_goes_to };
}

/** Replaces the chat's tags. Unknown names become new tags. */
export async function setTags(ctx: SiteContext, sessionId: string, names: string[]): Promise<Session> {
  return ctx.transaction(async (tx) => {
    const session = await lockSession(tx, sessionId);
    const tagIds = await ensureTags(tx, names);
    await tx.db
      .deleteFrom('conversation_tags')
      .where('site_id', '=', tx.site.id)
      .where('conversation_id', '=', session.id)
      .execute();
    if (tagIds.length > 0) {
      await tx.db
        .insertInto('conversation_tags')
        .values(tagIds.map((tagId) => ({ site_id: tx.site.id, conversation_id: session.id, tag_id: tagId })))
        .execute();
    }
    const after = await getSession(tx, sessionId);
    const added = after.tags.filter((name) => !session.tags.includes(name));
    const removed = session.tags.filter((name) => !after.tags.includes(name));
    const isChanged = added.length + removed.length > 0;
    await tx.emit({
      notices: [{ kind: 'session', sessionId }],
      ...(isChanged && {
        webhook: {
          event: 'conversation_tagged',
          body: { ...aboutChat(tx, session), tags: after.tags, added, removed },
        },
      }),
    });
    return presentSession(after);
  });
}
