import type { Message, Sender, SessionStatus, Source, WebhookBody, WebhookEvent } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { AttachmentRow, FileLinks, NewAttachment } from '../attachments/attachments.ts';
import { addMessageFiles } from '../attachments/message-files.ts';
import { bindUploads, filesOfMessage, namesOfUploads, presentMessageFile } from '../attachments/uploads.ts';
import { isUniqueViolation } from '../base/errors.ts';
import { recordChange } from '../core/changes.ts';
import type { SiteContext } from '../core/context.ts';
import type { Change, Notice } from '../core/domain-event.ts';
import { recordForRules } from '../core/rules/rule-events.ts';
import { markChatSlas } from '../core/sla/chat-marks.ts';
import type { StoredEvent } from '../db/column-types.ts';
import type { Db } from '../db/database.ts';
import { constant, prepared } from '../db/prepared.ts';
import { executeGrouped } from '../db/transactions/group-commit.ts';
import { cleanFileName } from '../files/file-name.ts';
import { insertNotifications } from '../notifications/notify.ts';
import { picturePath } from '../sites/pictures.ts';
import { redacted } from '../sites/redaction.ts';
import { noteUnread } from './emails/note-unread.ts';
import { changedSession, chatColumns, presentSession, readSession } from './sessions.ts';

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

export interface MessageRow {
  seq: number;
  id: number;
  client_id: string;
  sender: Sender;
  agent_id: number | null;
  author_name: string | null;
  author_picture: string | null;
  text: string;
  sources: Source[] | null;
  event: StoredEvent | null;
  choices: string[] | null;
  created_at: Date;
  /** Null means no files. */
  files?: AttachmentRow[] | null;
}

/** The current picture of the message's author, if an agent wrote it. */
const pictureOfAuthor = (
  message: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`case when ${message}.agent_id is not null then (
    select a.picture from agents a where a.site_id = ${message}.site_id and a.id = ${message}.agent_id) end as author_picture`;

/** The columns of a message `m`, with its files. */
export const messageColumns = constant(
  sql`m.seq, m.id, m.client_id, m.sender, m.agent_id, m.author_name, ${pictureOfAuthor(sql`m`)}, m.text, m.sources, m.event,
      m.choices, m.created_at, ${filesOfMessage} as files`,
);

/** How much of a message the lists show. */
const EXCERPT_CHARS = 140;
/** A shorter first message, such as a greeting, doesn't say what a chat is about if a longer one follows. */
const ABOUT_CHARS = 16;

/** Signs expiring links with `links`. Omits `not_known`, an internal mark of the bot. */
export function presentMessage(siteId: number, links: FileLinks, row: MessageRow): Message {
  return {
    id: row.id,
    seq: row.seq,
    client_id: row.client_id,
    sender: row.sender,
    author:
      row.author_name === null
        ? null
        : { id: row.agent_id, name: row.author_name, picture_url: picturePath(row.author_picture) },
    text: row.text,
    attachments: (row.files ?? []).map((file) => presentMessageFile(siteId, links, file)),
    sources: row.sources ?? [],
    event: row.event === 'not_known' ? null : row.event,
    ...(row.choices ? { choices: row.choices } : {}),
    created_utc: row.created_at.toISOString(),
  };
}

/** Creates links that are signed now. */
export const linksOf = (ctx: SiteContext): FileLinks => ({
  attachmentUrl: ctx.services.attachmentUrl,
  now: () => ctx.now(),
});

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

/** The author as REST and webhooks show them: without a picture. */
export const namedAuthor = ({ author }: Pick<Message, 'author'>) =>
  author && { id: author.id, name: author.name };

/** What a message cites as REST shows it: articles and documents in separate lists. */
export const citedIn = ({ sources }: Pick<Message, 'sources'>) => ({
  sources: sources.filter((source) => 'article_id' in source),
  documents: sources.filter((source) => 'document_id' in source),
});

/** The body of the `message_created` event. */
export const announcement = (
  sessionId: string,
  { id, seq, sender, text, attachments, created_utc, ...said }: Message,
  channel: Draft['channel'] = 'chat',
): WebhookBody<'message_created'> => ({
  session_id: sessionId,
  channel,
  message: { id, seq, sender, author: namedAuthor(said), text, attachments, created_utc },
});

/** A stored message, and the state of its chat afterwards. */
interface Appended {
  message: Message;
  status: SessionStatus;
  isSpam: boolean;
}

interface AppendedRow extends MessageRow {
  /** The chat for the lists of desks, if one is open. */
  session: Parameters<typeof readSession>[0] | null;
  conversation_id: number;
  status: SessionStatus;
  spam: boolean;
  announced: boolean;
  notified: number[];
  notified_agents: number[];
}

/**
 * The assignments with which a message changes what lists show of its chat. A system message changes nothing there:
 * it is no activity and must not hide people's words. A visitor's message ends a snooze.
 */
function asSaid({ sender, isAutomatic }: Draft, excerpt: string, now: Date): RawBuilder<unknown> {
  if (sender === 'system') return sql``;
  const said = sql`, said_sender = ${sender}, said_text = ${excerpt}, said_at = ${now}`;
  if (isAutomatic) return said;
  if (sender !== 'visitor') return sql`${said}, unanswered_since = null`;
  const length = Math.min([...excerpt].length, ABOUT_CHARS);
  return sql`${said}, unanswered_since = coalesce(c.unanswered_since, ${now}),
    snoozed_until = null, about = case when coalesce(length(c.about), 0) < ${length} then ${excerpt} else c.about end`;
}

/** Of the notifications that the statement has stored. */
const listOfNotified = (sender: Sender, column: RawBuilder<unknown>): RawBuilder<number[]> =>
  sender === 'visitor' ? sql`array(select ${column} from notified)` : sql`'{}'::bigint[]`;

/** A condition: a subscription or stream of this site receives every event of this name. */
export const hasReceiver = (
  ctx: SiteContext,
  event: WebhookEvent = 'message_created',
): RawBuilder<boolean> => sql`(exists (
      select from webhook_subscriptions w
      where w.site_id = ${ctx.site.id} and w.disabled_at is null and ${event}::text = any (w.events)
    ) or exists (
      select from stream_recordings r where r.site_id = ${ctx.site.id} and r.kept_until > ${ctx.now()}))`;

/** Notifies the chat's agent of a visitor's message, in the statement that stores it. */
const toldOfMessage = (ctx: SiteContext): RawBuilder<unknown> =>
  insertNotifications(
    ctx,
    sql`select chat.agent_id, 'chat_message' as kind, chat.id as conversation_id, null::bigint as ticket_id
      from chat where chat.status = 'active' and chat.agent_id is not null and chat.spam_at is null`,
  );

/**
 * What belongs to a stored message (`chat`, `said`, `notified`) and runs in its statement: the notices in the outbox, and
 * the mark for reports, which count what the bot and the team say.
 */
function recordSaid(
  ctx: SiteContext,
  change: Change,
  sender: Sender,
  { sessionId, hasSlas }: { sessionId: string; hasSlas: boolean },
): RawBuilder<unknown> {
  const message = sql`jsonb_build_object('kind', 'message', 'sessionId', ${sessionId}::text, 'seq', last_seq)`;
  const notified = sql`jsonb_build_object('kind', 'notified', 'ids', (select jsonb_agg(id) from notified),
    'agentIds', (select jsonb_agg(distinct agent_id) from notified))`;
  const isVisitor = sender === 'visitor';
  const notices = isVisitor
    ? sql`case when exists (select from notified) then jsonb_build_array(${message}, ${notified})
        else jsonb_build_array(${message}) end`
    : sql`jsonb_build_array(${message})`;
  return sql`${isVisitor ? sql`, notified as (${toldOfMessage(ctx)})` : sql``}
    ${
      sender === 'bot' || sender === 'agent'
        ? sql`, marked as (insert into report_dirty_records (site_id, record)
      select ${ctx.site.id}::bigint, ${sessionId}::text from chat)`
        : sql``
    }${noteUnread(ctx, sender)}${forDues(ctx, sender, hasSlas)}, recorded as (${recordChange(ctx.site.id, change, notices, { from: sql`from chat` })})${forRules(ctx, sender, sessionId)}`;
}

/** What people say in a chat that the team has moves its due times. */
function forDues(ctx: SiteContext, sender: Sender, hasSlas: boolean): RawBuilder<unknown> {
  if (!hasSlas || (sender !== 'visitor' && sender !== 'agent')) return sql``;
  const chats = sql`from chat c where c.status in ('waiting', 'active') and c.spam_at is null`;
  return sql`, for_dues as (${markChatSlas(ctx.site.id, ctx.now(), chats)})`;
}

/** Rules look at what people and the bot say, not at system messages. */
function forRules(ctx: SiteContext, sender: Sender, sessionId: string): RawBuilder<unknown> {
  if (sender === 'system') return sql``;
  const scope = { siteId: ctx.site.id, now: ctx.now(), cause: ctx.cause };
  const said = { event: 'message_created', ticketId: null, sessionId, details: { from: sender } } as const;
  const where = { from: sql`from chat`, unless: sql<boolean>`chat.spam_at is not null` };
  return sql`, for_rules as (${recordForRules(scope, said, where)})`;
}

/**
 * A guard for `appendMessage`: true if only readers of the chat need the message. Then the statement is the whole
 * transaction, one round trip instead of three.
 */
export const standsAlone = (ctx: SiteContext): RawBuilder<boolean> =>
  sql`(c.status <> 'bot' and not ${hasReceiver(ctx)})`;

/** A message or change in a chat that is about to close keeps it open, except an answer of the bot. */
const keptOpen = (sender: Sender): RawBuilder<unknown> =>
  sender === 'bot' ? sql`` : sql`, closes_at = null, closing_agent_id = null`;

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
 * Stores a message as the next one of its chat. Taking `seq` by updating the chat's row makes commits and numbers
 * agree: a reader who has seen 7 never finds a later 6.
 * @param guard a condition on the chat (`c`); if it fails, nothing is stored and undefined is returned
 * @param changes further assignments to the chat's row
 * @throws a unique violation of `messages_once` if the message exists already: see `onceOnly`
 */
export async function appendMessage(
  ctx: SiteContext,
  sessionId: string,
  draft: Draft,
  guard: RawBuilder<boolean>,
  changes: RawBuilder<unknown> = sql``,
): Promise<Appended | undefined> {
  const now = ctx.now();
  const { clientId, sender, author, sources, event, choices, uploadIds = [], files = [] } = draft;
  const text = sender === 'visitor' ? await redacted(ctx, draft.text) : draft.text;
  const shown = await excerptOf(ctx, text, draft);
  const excerpt = shown.slice(0, EXCERPT_CHARS).toWellFormed();
  const change = ctx.newChange();
  const isListed = await ctx.services.desks.areOpen(ctx.site.id);
  const hasSlas = await ctx.services.hasChatSlas(ctx.site.id);
  const statement = sql<AppendedRow>`${prepared}
    with chat as (
      update conversations c set last_seq = c.last_seq + 1, last_sender = ${sender}, last_message_at = ${now},
        last_text = ${excerpt},
        visitor_read_seq = case when ${sender} = 'visitor' then c.last_seq + 1 else c.visitor_read_seq end,
        agent_read_seq = case when ${sender} = 'agent' then c.last_seq + 1 else c.agent_read_seq end
        ${asSaid(draft, excerpt, now)} ${keptOpen(sender)} ${changes}
      where c.site_id = ${ctx.site.id} and c.session_id = ${sessionId} and c.status <> 'closed' and ${guard}
      returning ${isListed ? chatColumns : sql`c.id, c.last_seq, c.status, c.agent_id, c.spam_at`}
    ), said as (
      insert into messages (site_id, conversation_id, seq, client_id, sender, agent_id, author_name, text, sources, event, choices, created_at)
      select ${ctx.site.id}, id, last_seq, ${clientId}::uuid, ${sender}, ${author?.id ?? null}::bigint, ${author?.name ?? null},
        ${text}, ${sources ? JSON.stringify(sources) : null}::jsonb, ${event ?? null},
        ${choices?.length ? [...choices] : null}::text[], ${now} from chat
      returning site_id, seq, id, client_id, sender, agent_id, author_name, text, sources, event, choices, created_at
    )${recordSaid(ctx, change, sender, { sessionId, hasSlas })}
    select said.*, ${pictureOfAuthor(sql`said`)}, chat.id as conversation_id, chat.status,
      chat.spam_at is not null as spam, ${hasReceiver(ctx)} as announced,
      ${listOfNotified(sender, sql`id`)} as notified,
      ${listOfNotified(sender, sql`distinct agent_id`)} as notified_agents, ${isListed ? changedSession : sql`null::jsonb`} as session
    from said, chat`;
  const { rows } = await executeGrouped(statement, ctx.db);
  const row = rows[0];
  if (!row) return undefined;
  if (uploadIds.length + files.length > 0) row.files = await keepFiles(ctx, row, draft);
  const message = presentMessage(ctx.site.id, linksOf(ctx), row);
  const { notified: ids, notified_agents: agentIds, session } = row;
  const said: Notice = {
    kind: 'message',
    sessionId,
    seq: message.seq,
    record: message,
    ...(session ? { session: presentSession(readSession(session)) } : {}),
  };
  await ctx.emit({
    notices: ids.length > 0 ? [said, { kind: 'notified', ids, agentIds }] : [said],
    recorded: change,
    // Most sites have no receiver for every message; the statement above has checked in the same snapshot.
    ...(row.announced && !row.spam
      ? { webhook: { event: 'message_created', body: announcement(sessionId, message, draft.channel) } }
      : {}),
  });
  return { message, status: row.status, isSpam: row.spam };
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

/** Stored messages of a chat after `afterSeq`, in order, at most `limit`. */
export async function messageRowsAfter(
  db: Db,
  siteId: number,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`${prepared}
    select ${messageColumns}
    from messages m
    where m.site_id = ${siteId} and m.seq > ${afterSeq} and m.conversation_id = (
      select id from conversations where site_id = ${siteId} and session_id = ${sessionId}
    )
    order by m.seq limit ${limit}`.execute(db);
  return rows;
}

/** Messages of a chat after `afterSeq`, in order, at most `limit`. */
export async function messagesAfter(
  db: Db,
  links: FileLinks,
  siteId: number,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<Message[]> {
  const rows = await messageRowsAfter(db, siteId, sessionId, afterSeq, limit);
  return rows.map((row) => presentMessage(siteId, links, row));
}

/** The redacted messages of a chat up to `upTo`, in order. Most chats have none. */
export async function redactedMessages(
  db: Db,
  links: FileLinks,
  siteId: number,
  sessionId: string,
  upTo: number,
): Promise<Message[]> {
  const { rows } = await sql<MessageRow>`${prepared}
    select ${messageColumns}
    from conversations c cross join lateral unnest(c.redacted_seqs) as redacted (seq)
    join messages m on m.site_id = c.site_id and m.conversation_id = c.id and m.seq = redacted.seq
    where c.site_id = ${siteId} and c.session_id = ${sessionId} and redacted.seq <= ${upTo}
    order by m.seq`.execute(db);
  return rows.map((row) => presentMessage(siteId, links, row));
}
