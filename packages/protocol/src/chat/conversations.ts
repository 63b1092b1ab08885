import { z } from 'zod';
import { fieldChanges, fieldValues } from '../fields/fields.ts';
import { sla } from '../tickets/sla.ts';
import {
  CLOSE_IN_MAX_S,
  FEEDBACK_COMMENT_MAX,
  MESSAGE_MAX,
  PAGE_LIMIT_MAX,
  TAG_NAME_MAX,
  URL_MAX,
} from '../values/bounds.ts';
import { LANGUAGES } from '../values/languages.ts';
import { MAIL_ATTEMPTS, ROUTING_DECISIONS, SENT_MAIL_STATES } from '../values/wire-names.ts';
import {
  agentFace,
  agentRef,
  clientId,
  color,
  deleted,
  done,
  email,
  id,
  page,
  paging,
  pictureUrl,
  seenUpTo,
  sessionId,
  TIME_FORM,
  teamRef,
  text,
  time,
  utc,
  visitorKey,
  visitorName,
} from '../values.ts';
import { visitorRef } from '../visitors/visitors.ts';
import { inboxFilterFields, inboxSort } from './inbox-filter.ts';
import { mention, mentions } from './mentions.ts';
import { spamMark } from './spam-mark.ts';
import { messageAttachment, SAYS_NOTHING, saysSomething, uploadIds } from './uploads.ts';

export const SESSION_STATUSES = ['bot', 'waiting', 'active', 'closed'] as const;
export const sessionStatus = z.enum(SESSION_STATUSES);
export type SessionStatus = z.infer<typeof sessionStatus>;

export const SENDERS = ['visitor', 'bot', 'agent', 'system'] as const;
export const sender = z.enum(SENDERS);
export type Sender = z.infer<typeof sender>;

/** What a `system` message reports. The widget says it in the visitor's language. */
export const SYSTEM_EVENTS = [
  'handed_off',
  'agent_joined',
  'email_left',
  'given_back',
  'closed_by_visitor',
  'closed_by_agent',
] as const;
export const systemEvent = z.enum(SYSTEM_EVENTS);
export type SystemEvent = z.infer<typeof systemEvent>;

/**
 * What a message means besides its text. With `asked_back`, the bot's sources are choices; `proactive` was shown on a
 * page before the chat began.
 */
export const messageEvent = z.enum([...SYSTEM_EVENTS, 'asked_back', 'proactive']);
export type MessageEvent = z.infer<typeof messageEvent>;

export const HANDOFF_REASONS = [
  'visitor_request',
  'low_confidence',
  'no_answer',
  'agent_takeover',
  'rule',
] as const;
export const handoffReason = z.enum(HANDOFF_REASONS);
export type HandoffReason = z.infer<typeof handoffReason>;

export const articleSource = z.object({ article_id: id, title: z.string(), slug: z.string() });
export type ArticleSource = z.infer<typeof articleSource>;
export const documentSource = z.object({
  document_id: id,
  title: z.string(),
  url: z.string().nullable().describe('The page; null for a file'),
});
export type DocumentSource = z.infer<typeof documentSource>;

/** What an answer is based on. REST lists articles and documents separately. */
export const source = z.union([articleSource, documentSource]);
export type Source = z.infer<typeof source>;

/** `text` is plain from visitors, markdown from bot and agents. */
const messageFields = {
  id,
  seq: z.int().min(1).describe('Position in the chat: 1, 2, 3 …'),
  sender,
  author: z.object({ id: id.nullable(), name: z.string() }).nullable(),
  text: z.string().describe('Plain text from visitors and the system, markdown from bot and agents'),
  attachments: z.array(messageAttachment).describe('Files, with links that expire after 24 hours'),
  sources: z.array(articleSource).describe('The articles a bot’s answer is based on'),
  created_utc: utc,
};
export const transcriptMessage = z.object({
  ...messageFields,
  documents: z.array(documentSource).describe('The pages and files a bot’s answer is based on'),
});

/** A message on the socket. `client_id` lets its sender match it with the one in the outbox. */
export const message = z.object({
  ...messageFields,
  author: z.object({ id: id.nullable(), name: z.string(), picture_url: pictureUrl }).nullable(),
  sources: z.array(source),
  client_id: z.string(),
  event: messageEvent.nullable(),
  /** What the visitor may say next, as buttons while it is the last message. */
  choices: z.array(z.string()).optional(),
});
export type Message = z.infer<typeof message>;

export const note = z.object({
  id,
  author: agentRef,
  text: z.string(),
  mentions: z.array(mention),
  created_utc: utc,
});
export type Note = z.infer<typeof note>;

/** A chat as its visitor sees it. `last_message.text` is cut at 140 characters. */
export const visitorSession = z.object({
  session_id: sessionId,
  status: sessionStatus,
  agent: agentFace.nullable(),
  last_seq: z.int(),
  /** The last message that the other side has read. */
  visitor_read_seq: z.int(),
  agent_read_seq: z.int(),
  waiting_since_utc: utc.nullable(),
  contact_email: z.string().nullable(),
  rating: z.int().nullable(),
  rating_requested: z.boolean().describe('Whether a rule asks for a rating once it is closed'),
  last_message: z.object({ sender, text: z.string(), created_utc: utc }).nullable(),
  started_utc: utc,
  ended_utc: utc.nullable(),
});
export type VisitorSession = z.infer<typeof visitorSession>;

/** A chat as agents see it in a list. Its `last_message` is never a system message. */
export const session = visitorSession.extend({
  /** What the chat is about, in the visitor's words. */
  about: z.string().nullable(),
  /** The visitor's oldest message that neither the team nor the bot has answered; null: none. */
  unanswered_since_utc: utc.nullable(),
  visitor: visitorRef.extend({ id, verified: z.boolean() }),
  tags: z.array(z.string()),
  team: teamRef.nullable().describe('The team that it belongs to'),
  fields: fieldValues.describe('Custom fields that have a value, by key'),
  page_url: z.string().nullable(),
  ticket_id: id.nullable(),
  /** Set while an agent can still undo closing the chat. Its visitor doesn't know yet. */
  closes_utc: utc.nullable(),
  /** Until then it is only in the queue `snoozed`. Its visitor doesn't know. */
  snoozed_until_utc: utc.nullable(),
  /** Null: it isn't spam. Its visitor doesn't know. */
  spam: spamMark.nullable(),
  /** Marked by hand; `agent_read_seq` shows what is unread otherwise. */
  marked_unread: z.boolean(),
  sla: sla.nullable().describe('What the team promised by its SLA policies; null: nothing'),
  handoff: z.object({ reason: handoffReason, summary: z.string(), created_utc: utc }).nullable(),
});
export type Session = z.infer<typeof session>;

/** An email of a chat: unread replies that were sent, or a message that its visitor sent. */
export const chatEmail = z.object({
  id,
  direction: z.enum(['out', 'in']),
  /** The messages that it holds, or became. */
  from_seq: z.int(),
  to_seq: z.int(),
  /** The visitor's. */
  address: z.string(),
  subject: z.string().nullable(),
  /** What a received email repeated, and its signature. */
  quoted: z.string().nullable(),
  /** Of a sent one. */
  state: z.enum(SENT_MAIL_STATES).nullable(),
  error: z.string().nullable(),
  /** Every attempt to send it, oldest first. */
  attempts: z.array(
    z.object({ attempted_utc: utc, outcome: z.enum(MAIL_ATTEMPTS), answer: z.string().nullable() }),
  ),
  created_utc: utc,
});
export type ChatEmail = z.infer<typeof chatEmail>;

/** One step of a chat's routing, with its reasons. */
export const routingDecision = z.object({
  id,
  kind: z.enum(ROUTING_DECISIONS),
  /** Null: nobody. */
  agent: agentRef.nullable(),
  /** Of an assignment: `last_agent` had the visitor's last chat. */
  by: z.enum(['round_robin', 'least_busy', 'last_agent']).nullable(),
  /** How many active chats the agent had before. */
  open_chats: z.int().nullable(),
  /** The language and tags that the agent needed, or that nobody had. */
  language: z.enum(LANGUAGES).nullable(),
  tags: z.array(z.string()),
  /** The team whose chat it was. */
  team: z.string().nullable(),
  /** It had waited so long that it was offered to everybody. */
  fell_back: z.boolean(),
  created_utc: utc,
});
export type RoutingDecision = z.infer<typeof routingDecision>;

/** A chat as an agent who opens it sees it. Its messages come with a subscription. */
export const sessionDetail = session.extend({
  feedback: z.object({ rating: z.int(), comment: z.string().nullable(), created_utc: utc }).nullable(),
  notes: z.array(note),
  emails: z.array(chatEmail),
  /** How routing treated it, oldest first; the newest ones. */
  routing: z.array(routingDecision),
  /** Where the next replies are emailed if the visitor doesn't read them in the chat; null: nowhere. */
  unread_goes_to: z.string().nullable(),
  /** The closed chat that this one continues, and the newest that continues this one. */
  previous_session_id: sessionId.nullable(),
  next_session_id: sessionId.nullable(),
});
export type SessionDetail = z.infer<typeof sessionDetail>;

export const transcript = z.object({
  session_id: sessionId,
  status: sessionStatus,
  visitor: visitorRef,
  tags: z.array(z.string()),
  page_url: z.string().nullable().describe('The page where the chat started'),
  started_utc: utc,
  ended_utc: utc.nullable(),
  messages: z.array(transcriptMessage),
});
export type Transcript = z.infer<typeof transcript>;

export const handoff = z.object({
  id,
  session_id: sessionId,
  visitor: visitorRef,
  handoff_reason: handoffReason,
  summary: z
    .string()
    .describe(
      'The visitor’s questions, the bot’s answers, and what it didn’t know; at most 1,000 characters',
    ),
  ticket_id: id.nullable().describe('The ticket created from the chat'),
  agent: agentRef.nullable().describe('The agent who took the chat'),
  created_utc: utc,
  accepted_utc: utc.nullable().describe('When an agent took the chat'),
});
export type Handoff = z.infer<typeof handoff>;

export const feedback = z.object({
  id,
  session_id: sessionId,
  visitor: visitorRef,
  rating: z.int().min(1).max(5),
  comment: z.string().nullable(),
  agent: agentRef.nullable().describe('The agent who had the chat; null if it was only the bot'),
  created_utc: utc,
});
export type Feedback = z.infer<typeof feedback>;

export const tag = z.object({ id, name: z.string(), color: z.string() });
export type Tag = z.infer<typeof tag>;

export const QUEUES = ['waiting', 'mine', 'open', 'snoozed', 'closed', 'spam', 'all'] as const;
/**
 * `open`: every chat that isn't closed. `mine`: active and the agent's own. Snoozed chats are only in `snoozed`,
 * not even in `all`, and marked ones only in `spam`.
 */
export const queue = z.enum(QUEUES);
export type Queue = z.infer<typeof queue>;

const ofSession = z.strictObject({ session_id: sessionId });
const messageText = text(1, MESSAGE_MAX);
/** A message with text, files or both. */
const saidWith = { text: text(0, MESSAGE_MAX), attachments: uploadIds.optional() };
const newNote = { client_id: clientId, text: messageText, mentions: mentions.optional() };

/** What a token or an agent may do with chats. */
export const conversationContract = {
  'tags.list': { input: z.strictObject({ ...paging }), output: page(tag) },
  'tags.create': {
    input: z.strictObject({
      name: text(1, TAG_NAME_MAX),
      color: color.nullable().optional().describe('`#rrggbb`; defaults to the next of eight colours'),
    }),
    output: tag,
  },
  'tags.update': {
    input: z.strictObject({ id, name: text(1, TAG_NAME_MAX).optional(), color: color.nullable().optional() }),
    output: tag,
  },
  'tags.delete': { input: z.strictObject({ id }), output: deleted },
  /** How many records have each tag, counted up to `most`. */
  'tags.uses': {
    input: z.strictObject({}),
    output: z.object({
      most: z.int(),
      tags: z.array(z.object({ id, chats: z.int(), tickets: z.int(), macros: z.int(), views: z.int() })),
    }),
  },
  /**
   * Replaces one tag by another on a number of chats and tickets per call; the call that finds none left deletes
   * the tag. Call it until it is `done`.
   */
  'tags.merge': {
    input: z.strictObject({ id, into_id: id }),
    output: z.object({ moved: z.int(), done: z.boolean() }),
  },
  'handoffs.list': {
    input: z.strictObject({
      ...paging,
      since: time.optional().describe(`At or after this time. ${TIME_FORM}`),
    }),
    output: page(handoff),
  },
  /** The whole chat; `after_seq` and `limit` read it in parts. */
  'transcripts.get': {
    input: z.strictObject({
      sessionId,
      after_seq: z
        .int('must be an integer')
        .min(0, 'must be at least 0')
        .optional()
        .describe('Only messages after this `seq`'),
      limit: z
        .int('must be an integer')
        .min(1, 'must be at least 1')
        .max(PAGE_LIMIT_MAX, `must be at most ${PAGE_LIMIT_MAX}`)
        .optional()
        .describe('Maximum number of messages; all by default'),
    }),
    output: transcript,
  },
  'feedback.list': {
    input: z.strictObject({
      ...paging,
      since: time.optional().describe(`At or after this time. ${TIME_FORM}`),
    }),
    output: page(feedback),
  },
  /**
   * Ordered by the last message; `closed` and `all` by the start. With a filter, a page may have fewer than
   * `limit`.
   */
  'sessions.list': {
    input: z.strictObject({
      limit: paging.limit,
      cursor: paging.cursor,
      sort: inboxSort.default('newest'),
      queue,
      ...inboxFilterFields,
    }),
    output: page(session),
  },
  'sessions.get': { input: ofSession, output: sessionDetail },
  /** Another agent's chat is a 409 that names them, unless `take_over`. */
  'sessions.accept': {
    input: z.strictObject({ session_id: sessionId, take_over: z.boolean().default(false) }),
    output: session,
  },
  'sessions.reply': {
    input: z
      .strictObject({ session_id: sessionId, client_id: clientId, ...saidWith, seen: seenUpTo })
      .refine(saysSomething, SAYS_NOTHING),
    output: message,
  },
  /** Starts a chat with a visitor who is on the site now. The same client id returns the same chat. */
  'sessions.start': {
    input: z.strictObject({ key: visitorKey, client_id: clientId, text: messageText }),
    output: session,
  },
  'sessions.note': {
    input: z.strictObject({ session_id: sessionId, ...newNote }),
    output: note,
  },
  /** Null: back to the queue. The visitor sees who joins. The note is stored with the transfer or not at all. */
  'sessions.transfer': {
    input: z.strictObject({
      session_id: sessionId,
      agent_id: id.nullable(),
      /** Without it, the team stays. Null: no team. */
      team_id: id.nullable().optional(),
      note: z.strictObject(newNote).optional(),
    }),
    output: session,
  },
  /** With `in_s` the chat closes after that time, unless somebody writes or undoes it before. */
  'sessions.close': {
    input: z.strictObject({ session_id: sessionId, in_s: z.int().min(0).max(CLOSE_IN_MAX_S).default(0) }),
    output: session,
  },
  'sessions.keep_open': { input: ofSession, output: session },
  /**
   * Null wakes it. `seen`: the last message that the agent had seen; if the visitor has written after it, 409
   * `visitor_wrote`.
   */
  'sessions.snooze': {
    input: z.strictObject({ session_id: sessionId, until_utc: time.nullable(), seen: seenUpTo }),
    output: session,
  },
  'sessions.set_tags': {
    input: z.strictObject({ session_id: sessionId, tags: z.array(text(1, TAG_NAME_MAX)).max(20) }),
    output: session,
  },
  /** Null clears a field; others stay. */
  'sessions.set_fields': {
    input: z.strictObject({ session_id: sessionId, fields: fieldChanges }),
    output: session,
  },
  /** Also removes the mark of `sessions.mark_unread`; 0 does only that. */
  'sessions.mark_read': {
    input: z.strictObject({ session_id: sessionId, seq: z.int().min(0) }),
    output: done,
  },
  'sessions.mark_unread': { input: ofSession, output: session },
} as const;

/** What a visitor may do over the widget's socket. `session_id: null` starts a new chat. */
export const chatContract = {
  'chat.send': {
    input: z
      .strictObject({
        session_id: sessionId.nullable(),
        client_id: clientId,
        ...saidWith,
        page_url: text(0, URL_MAX).optional(),
        /** The proactive message that it answers, in a new chat. */
        proactive_id: id.optional(),
      })
      .refine(saysSomething, SAYS_NOTHING),
    /** `session` if the message started a chat (or one that follows a closed one); null if the chat continued. */
    output: z.object({ session: visitorSession.nullable(), message }),
  },
  'chat.request_person': {
    input: z.strictObject({
      session_id: sessionId.nullable(),
      client_id: clientId,
      page_url: text(0, URL_MAX).optional(),
    }),
    output: visitorSession,
  },
  'chat.leave_email': {
    input: z.strictObject({ session_id: sessionId, email, name: visitorName.optional() }),
    output: visitorSession,
  },
  'chat.end': { input: ofSession, output: visitorSession },
  'chat.rate': {
    input: z.strictObject({
      session_id: sessionId,
      rating: z.int().min(1).max(5),
      comment: text(0, FEEDBACK_COMMENT_MAX).optional(),
    }),
    output: visitorSession,
  },
  'chat.mark_read': { input: z.strictObject({ session_id: sessionId, seq: z.int().min(0) }), output: done },
} as const;
