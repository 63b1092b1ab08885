import type { Sender, WebhookEvent } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { recordChange } from '../../core/changes.ts';
import { recordForRules } from '../../core/rules/rule-events.ts';
import { markChatSlas } from '../../core/sla/chat-marks.ts';
import { type Given, givenRows } from '../../db/given-rows.ts';
import { constant, prepared } from '../../db/prepared.ts';
import { insertNotifications } from '../../notifications/notify.ts';
import { noteUnread } from '../emails/note-unread.ts';
import { pictureOfAuthor } from '../messages.ts';
import { changedSession, chatColumns, GIVEN_READER, isReadersOwn } from '../sessions.ts';

/** What the statement is given of each message. Its names differ from the columns of a chat. */
const GIVEN = {
  site: 'bigint',
  session: 'text',
  client_id: 'uuid',
  author_id: 'bigint',
  author_name: 'text',
  body: 'text',
  excerpt: 'text',
  sources: 'jsonb',
  event: 'text',
  choices: 'text[]',
  now: 'timestamptz',
  /** The change that its notices are recorded as. */
  node: 'text',
  change: 'bigint',
  /** The rules that it was caused by. */
  chain: 'bigint[]',
  cause_id: 'bigint',
  /** The agent who causes it and isn't notified. */
  by_agent_id: 'bigint',
  ...GIVEN_READER,
} as const;

/** A message for the statement. Columns that are left out are null. */
export type GivenMessage = { [C in keyof typeof GIVEN]?: unknown };

/** What the text of the statement depends on. */
export interface Form {
  sender: Sender;
  /** Said by a rule: a visitor who waits for an answer still waits. */
  isAutomatic: boolean;
  /** A desk of the site is open: its lists show the chat. */
  isListed: boolean;
  /** The site has targets for its chats. */
  hasSlas: boolean;
}

/** A shorter first message, such as a greeting, doesn't say what a chat is about if a longer one follows. */
const ABOUT_CHARS = 16;

/**
 * The assignments with which a message changes what lists show of its chat. A system message changes nothing there:
 * it is no activity and must not hide people's words. A visitor's message ends a snooze.
 */
function asSaid({ sender, isAutomatic }: Form): RawBuilder<unknown> {
  if (sender === 'system') return sql``;
  const said = sql`, said_sender = ${sql.lit(sender)}, said_text = given.excerpt, said_at = given.now`;
  if (isAutomatic) return said;
  if (sender !== 'visitor') return sql`${said}, unanswered_since = null`;
  return sql`${said}, unanswered_since = coalesce(c.unanswered_since, given.now), snoozed_until = null,
    about = case when coalesce(length(c.about), 0) < least(length(given.excerpt), ${sql.lit(ABOUT_CHARS)})
      then given.excerpt else c.about end`;
}

/** A message in a chat that is about to close keeps it open, except an answer of the bot. */
const keptOpen = (sender: Sender): RawBuilder<unknown> =>
  sender === 'bot' ? sql`` : sql`, closes_at = null, closing_agent_id = null`;

/** A condition: a subscription or stream of this site receives every event of this name. */
export const hasReceiver = (
  siteId: Given<number>,
  now: Given<Date>,
  event: WebhookEvent = 'message_created',
): RawBuilder<boolean> => sql`(exists (
      select from webhook_subscriptions w
      where w.site_id = ${siteId} and w.disabled_at is null and ${sql.lit(event)} = any (w.events)
    ) or exists (
      select from stream_recordings r where r.site_id = ${siteId} and r.kept_until > ${now}))`;

/** The condition for chats in which the visitor may write: those they may read, unless they are blocked. */
export const isWritersOwn = constant(
  sql<boolean>`(${isReadersOwn} and not exists (
      select from visitors v where v.site_id = c.site_id and v.id = c.visitor_id and v.blocked_at is not null))`,
);

/** The same for chats of which only readers need the message: the statement is then the whole transaction. */
export const isWritersOwnAlone = constant(
  sql<boolean>`(${isWritersOwn} and c.status <> 'bot' and not ${hasReceiver(sql`given.site`, sql`given.now`)})`,
);

/** Notifies the chats' agents of visitors' messages. */
const toldOfMessage: RawBuilder<unknown> = sql`, notified as (${insertNotifications(sql`
      select chat.site_id, chat.agent_id, 'chat_message' as kind, chat.id as conversation_id, null::bigint as ticket_id,
        chat.by_agent_id, chat.now as happened_at
      from chat where chat.status = 'active' and chat.agent_id is not null and chat.spam_at is null`)})`;

/** The notification of each chat's agent, if there is one. */
const withNotified = constant(
  sql`left join notified on notified.site_id = chat.site_id and notified.conversation_id = chat.id`,
);

/** What people say in a chat that the team has moves its due times. */
function forDues({ sender, hasSlas }: Form): RawBuilder<unknown> {
  if (!hasSlas || (sender !== 'visitor' && sender !== 'agent')) return sql``;
  const chats = sql`from chat c where c.status in ('waiting', 'active') and c.spam_at is null`;
  return sql`, for_dues as (${markChatSlas(sql`c.site_id`, sql`c.now`, chats)})`;
}

/** Rules look at what people and the bot say, not at system messages. */
function forRules(sender: Sender): RawBuilder<unknown> {
  if (sender === 'system') return sql``;
  const scope = {
    siteId: sql<number>`chat.site_id`,
    now: sql<Date>`chat.now`,
    cause: { chain: sql<number[]>`chat.chain`, eventId: sql<number>`chat.cause_id` },
  };
  const said = {
    event: 'message_created',
    ticketId: null,
    sessionId: sql<string>`chat.session_id`,
    details: sql`jsonb_build_object('from', ${sql.lit(sender)})`,
  } as const;
  const where = { from: sql`from chat`, unless: sql<boolean>`chat.spam_at is not null` };
  return sql`, for_rules as (${recordForRules(scope, said, where)})`;
}

/** The notices in the outbox. */
function recorded(sender: Sender): RawBuilder<unknown> {
  const message = sql`jsonb_build_object('kind', 'message', 'sessionId', chat.session_id, 'seq', chat.last_seq)`;
  const notified = sql`jsonb_build_object('kind', 'notified', 'ids', jsonb_build_array(notified.id),
      'agentIds', jsonb_build_array(notified.agent_id))`;
  const [notices, from] =
    sender === 'visitor'
      ? [
          sql`case when notified.id is null then jsonb_build_array(${message})
        else jsonb_build_array(${message}, ${notified}) end`,
          sql`from chat ${withNotified}`,
        ]
      : [sql`jsonb_build_array(${message})`, sql`from chat`];
  const change = { node: sql<string>`chat.node`, n: sql<number>`chat.change` };
  return sql`, recorded as (${recordChange(sql`chat.site_id`, change, notices, { from })})`;
}

/** The marks for reports, which count what the bot and the team say. */
const marked = (sender: Sender): RawBuilder<unknown> =>
  sender === 'bot' || sender === 'agent'
    ? sql`, marked as (insert into report_dirty_records (site_id, record) select site_id, session_id from chat)`
    : sql``;

/**
 * Stores messages with everything that belongs to them, each as the next one of its chat, for rows of GivenMessage. Each
 * must be of another chat.
 * @param guard a condition on the chat (`c`) and the message (`given`)
 * @param changes further assignments to the chat's row
 */
export function appendStatement(
  form: Form,
  guard: RawBuilder<boolean>,
  changes: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { sender, isListed } = form;
  const isVisitor = sender === 'visitor';
  const read = isVisitor ? 'visitor_read_seq' : sender === 'agent' ? 'agent_read_seq' : undefined;
  return sql`${prepared}
    with ${givenRows(GIVEN)}, chat as (
      update conversations c set last_seq = c.last_seq + 1, last_sender = ${sql.lit(sender)}, last_message_at = given.now,
        last_text = given.excerpt ${read ? sql`, ${sql.ref(read)} = c.last_seq + 1` : sql``}
        ${asSaid(form)} ${keptOpen(sender)} ${changes}
      from given
      where c.site_id = given.site and c.session_id = given.session and c.status <> 'closed' and ${guard}
      returning ${isListed ? chatColumns : sql`c.site_id, c.session_id, c.id, c.last_seq, c.status, c.agent_id, c.spam_at`},
        given.*
    ), said as (
      insert into messages
        (site_id, conversation_id, seq, client_id, sender, agent_id, author_name, text, sources, event, choices, created_at)
      select site_id, id, last_seq, client_id, ${sql.lit(sender)}, author_id, author_name, body, sources, event, choices, now
      from chat
      returning site_id, conversation_id, id, agent_id
    )${isVisitor ? toldOfMessage : sql``}${marked(sender)}${noteUnread(sender)}${forDues(form)}${recorded(sender)}${forRules(sender)}
    select chat.n, said.id, chat.last_seq as seq, ${pictureOfAuthor(sql`said`)}, chat.id as conversation_id, chat.status,
      chat.spam_at is not null as spam, ${hasReceiver(sql`chat.site_id`, sql`chat.now`)} as announced,
      ${isVisitor ? sql`notified.id as notified_id, notified.agent_id as notified_agent_id` : sql`null as notified_id`},
      ${isListed ? changedSession : sql`null::jsonb`} as session
    from chat join said on said.site_id = chat.site_id and said.conversation_id = chat.id
      ${isVisitor ? withNotified : sql``}`;
}
