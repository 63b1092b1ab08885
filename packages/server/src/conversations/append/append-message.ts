import type { Message, Sender, SessionStatus, Source } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { AttachmentRow, NewAttachment } from '../../attachments/attachments.ts';
import { addMessageFiles } from '../../attachments/message-files.ts';
import { bindUploads, namesOfUploads } from '../../attachments/uploads.ts';
import { isUniqueViolation } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Change, Notice } from '../../core/domain-event.ts';
import type { StoredEvent } from '../../db/column-types.ts';
import { type RowStatement, rowStatement } from '../../db/given-rows.ts';
import { executeForRow } from '../../db/transactions/group-commit.ts';
import { cleanFileName } from '../../files/file-name.ts';
import { ownId } from '../../notifications/notify.ts';
import { redacted } from '../../sites/redaction.ts';
import { announcement, linksOf, type MessageRow, messageColumns, presentMessage } from '../messages.ts';
import { givenReader, presentSession, readSession } from '../sessions.ts';
import { appendStatement, type Form, type GivenMessage } from './statement.ts';

/** A message before it has its number. */
interface Draft {
  sender: Sender;
  /** Created by the sender: for the same chat and client id, only one message is stored. */
  clientId: string;
  text: string;
  author?: { id: number | null; name: string };
  sources?: Source[];
  event?: StoredEvent;
  /** What the visitor may say next. */
  choices?: readonly string[] | undefined;
  /** The sender's uploads. They require a transaction. */
  uploadIds?: readonly string[] | undefined;
  /** Files that came with an email or a call of the API. They require a transaction. */
  files?: readonly NewAttachment[] | undefined;
  /** Said by a rule: a visitor who waits for an answer still waits. */
  isAutomatic?: true;
  /** The channel that it came through, for webhooks. */
  channel?: 'chat' | 'email' | undefined;
}

/** How much of a message the lists show. */
const EXCERPT_CHARS = 140;

/** The excerpt that a list shows of a message, which may have only files. */
async function excerptOf(
  ctx: SiteContext,
  text: string,
  { uploadIds = [], files = [] }: Pick<Draft, 'uploadIds' | 'files'>,
): Promise<string> {
  if (text !== '' || uploadIds.length + files.length === 0) return text;
  const uploaded = uploadIds.length > 0 ? await namesOfUploads(ctx, uploadIds) : [];
  return `📎 ${[...uploaded, ...files.map(({ name }) => cleanFileName(name))].join(', ')}`;
}

/** A stored message, and the state of its chat afterwards. */
interface Appended {
  message: Message;
  status: SessionStatus;
  isSpam: boolean;
}

interface AppendedRow {
  id: number;
  seq: number;
  author_picture: string | null;
  conversation_id: number;
  status: SessionStatus;
  spam: boolean;
  announced: boolean;
  notified_id: number | null;
  notified_agent_id: number | null;
  /** The chat for the lists of desks, if one is open. */
  session: Parameters<typeof readSession>[0] | null;
}

/** For chats in any state but closed. */
export const ANY_OPEN: RawBuilder<boolean> = sql`true`;
/** For chats that the bot has. */
export const HAS_BOT: RawBuilder<boolean> = sql`c.status = 'bot'`;
const NOTHING_ELSE: RawBuilder<unknown> = sql``;

/** The compiled statements of each guard, by what else their text depends on. */
const compiledOf = new WeakMap<RawBuilder<boolean>, Map<string, RowStatement>>();

/** Compiles the statement once for a guard that is used again. */
function statementFor(form: Form, guard: RawBuilder<boolean>, changes: RawBuilder<unknown>): RowStatement {
  const compile = () => rowStatement(appendStatement(form, guard, changes));
  if (changes !== NOTHING_ELSE) return compile();
  const { sender, isAutomatic, isListed, hasSlas } = form;
  const name = `${sender} ${isAutomatic} ${isListed} ${hasSlas}`;
  const compiled = compiledOf.get(guard) ?? new Map<string, RowStatement>();
  compiledOf.set(guard, compiled);
  const statement = compiled.get(name) ?? compile();
  compiled.set(name, statement);
  return statement;
}

/** A message as it is stored, before it has its numbers. */
type Unnumbered = Omit<MessageRow, 'id' | 'seq'>;

async function storedDraft(ctx: SiteContext, draft: Draft): Promise<Unnumbered> {
  const { sender, clientId, author, sources, event, choices } = draft;
  const text = sender === 'visitor' ? await redacted(ctx, draft.text) : draft.text;
  return {
    client_id: clientId,
    sender,
    agent_id: author?.id ?? null,
    author_name: author?.name ?? null,
    author_picture: null,
    text: text.toWellFormed(),
    sources: sources ?? null,
    event: event ?? null,
    choices: choices?.length ? [...choices] : null,
    created_at: ctx.now(),
  };
}

/** What the statement is given of a message. */
async function givenOf(
  ctx: SiteContext,
  sessionId: string,
  stored: Unnumbered,
  draft: Draft,
  change: Change,
): Promise<GivenMessage> {
  const { client_id, author_name, text, sources, event, choices } = stored;
  return {
    site: ctx.site.id,
    session: sessionId,
    client_id,
    author_id: stored.agent_id,
    author_name,
    body: text,
    excerpt: (await excerptOf(ctx, text, draft)).slice(0, EXCERPT_CHARS).toWellFormed(),
    sources,
    event,
    choices,
    now: stored.created_at,
    node: change.node,
    change: change.n,
    chain: ctx.cause?.chain ?? [],
    cause_id: ctx.cause?.eventId,
    by_agent_id: ownId(ctx),
    ...givenReader(ctx),
  };
}

/** The notices of a stored message. */
function noticesOf(sessionId: string, message: Message, row: AppendedRow): Notice[] {
  const { notified_id: id, notified_agent_id: agentId, session } = row;
  const said: Notice = {
    kind: 'message',
    sessionId,
    seq: message.seq,
    record: message,
    ...(session ? { session: presentSession(readSession(session)) } : {}),
  };
  return id === null || agentId === null
    ? [said]
    : [said, { kind: 'notified', ids: [id], agentIds: [agentId] }];
}

/**
 * Stores a message as the next one of its chat. Taking `seq` by updating the chat's row makes commits and numbers
 * agree: a reader who has seen 7 never finds a later 6.
 * @param guard a condition on the chat (`c`); if it fails, nothing is stored and undefined is returned. One that is used
 *   again is a constant: its statement is compiled once, and shared by the messages that arrive together
 * @param changes further assignments to the chat's row
 * @throws a unique violation of `messages_once` if the message exists already: see `onceOnly`
 */
export async function appendMessage(
  ctx: SiteContext,
  sessionId: string,
  draft: Draft,
  guard: RawBuilder<boolean>,
  changes: RawBuilder<unknown> = NOTHING_ELSE,
): Promise<Appended | undefined> {
  const { sender, isAutomatic = false, uploadIds = [], files = [] } = draft;
  const stored = await storedDraft(ctx, draft);
  const change = ctx.newChange();
  const given = await givenOf(ctx, sessionId, stored, draft, change);
  const isListed = await ctx.services.desks.areOpen(ctx.site.id);
  const hasSlas = await ctx.services.hasChatSlas(ctx.site.id);
  const statement = statementFor({ sender, isAutomatic, isListed, hasSlas }, guard, changes);
  const row = await executeForRow<AppendedRow>(statement, given, sessionId, ctx.db);
  if (!row) return undefined;
  const keptFiles = uploadIds.length + files.length > 0 ? await keepFiles(ctx, row, draft) : null;
  const { id, seq, author_picture } = row;
  const message = presentMessage(ctx.site.id, linksOf(ctx), {
    ...stored,
    id,
    seq,
    author_picture,
    files: keptFiles,
  });
  await ctx.emit({
    notices: noticesOf(sessionId, message, row),
    recorded: change,
    // Most sites have no receiver for every message; the statement above has checked in the same snapshot.
    ...(row.announced && !row.spam
      ? { webhook: { event: 'message_created', body: announcement(sessionId, message, draft.channel) } }
      : {}),
  });
  return { message, status: row.status, isSpam: row.spam };
}

/** The files of a message: those that its sender uploaded before, and those that came with it. */
async function keepFiles(
  tx: SiteContext,
  { conversation_id: conversationId, seq }: AppendedRow,
  { uploadIds = [], files = [] }: Draft,
): Promise<AttachmentRow[]> {
  const of = { conversationId, seq };
  const uploaded = uploadIds.length > 0 ? await bindUploads(tx, of, uploadIds) : [];
  return files.length > 0 ? [...uploaded, ...(await addMessageFiles(tx, of, files))] : uploaded;
}

/**
 * Finds a message that was sent before by its client id and announces it again: the database may have stored it after
 * this process had stopped waiting, and then nobody has received it. Clients drop duplicates by `seq`.
 */
export async function findSent(
  ctx: SiteContext,
  sessionId: string,
  clientId: string,
): Promise<Message | undefined> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages m
    join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
    where m.site_id = ${ctx.site.id} and c.session_id = ${sessionId} and m.client_id = ${clientId}`.execute(
    ctx.db,
  );
  const row = rows[0];
  if (!row) return undefined;
  const message = presentMessage(ctx.site.id, linksOf(ctx), row);
  await ctx.emit({ notices: [{ kind: 'message', sessionId, seq: message.seq, record: message }] });
  return message;
}

/**
 * Runs a send. If its message exists already, returns the stored one: the unique index has rolled back the send's
 * transaction, so nothing of it remains, not even a `seq`.
 */
export async function onceOnly<T>(send: () => Promise<T>, again: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (isUniqueViolation(error, 'messages_once')) return again();
    throw error;
  }
}
