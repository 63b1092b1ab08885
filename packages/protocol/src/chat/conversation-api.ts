import { z } from 'zod';
import { fieldFilter } from '../fields/field-filter.ts';
import { fieldChanges } from '../fields/fields.ts';
import { newAttachments } from '../tickets/portal.ts';
import { snoozeMinutes } from '../tickets/tickets.ts';
import {
  INBOX_PAGE_MAX,
  MESSAGE_MAX,
  SEARCH_MAX,
  SUBJECT_MAX,
  TAG_NAME_MAX,
  URL_MAX,
} from '../values/bounds.ts';
import { INBOX_SPANS } from '../values/inbox-lists.ts';
import { LANGUAGES } from '../values/languages.ts';
import {
  agentRef,
  assigneeFilter,
  clientId,
  done,
  dueState,
  id,
  page,
  paging,
  seenUpTo,
  sessionId,
  TIME_FORM,
  teamFilter,
  text,
  time,
  visitorKey,
} from '../values.ts';
import {
  handoffReason,
  messageEvent,
  note,
  queue,
  session,
  sessionDetail,
  sessionStatus,
  transcriptMessage,
} from './conversations.ts';
import { inboxSort } from './inbox-filter.ts';
import { mentions } from './mentions.ts';

const SESSION = 'ses_9oXOgXH06lN9TMRgxSir7g';

const { agent: _agent, closes_utc: _closes, ...listed } = session.shape;
const { feedback, routing, previous_session_id, next_session_id } = sessionDetail.shape;

/** A chat as REST shows it: what the desk's lists show, with its agent as a ticket's assignee. */
export const conversation = z.object({
  ...listed,
  assignee: agentRef.nullable().describe('The agent who has the chat'),
});
export type Conversation = z.infer<typeof conversation>;

/** One chat, with what the team wrote about it. Its messages have a list of their own. */
export const conversationDetail = conversation.extend({
  feedback,
  notes: z.array(note),
  routing: routing.describe('Why it was assigned, left waiting or returned to the queue; oldest first'),
  previous_session_id: previous_session_id.describe('The closed chat that this one continues'),
  next_session_id: next_session_id.describe('The newest chat that continues this one'),
});
export type ConversationDetail = z.infer<typeof conversationDetail>;

export const conversationMessage = transcriptMessage.extend({
  session_id: sessionId,
  client_id: z.string(),
  event: messageEvent.nullable().describe('What a system message reports'),
});
export type ConversationMessage = z.infer<typeof conversationMessage>;

/** Who writes a message over REST. */
export const API_SENDERS = ['visitor', 'agent', 'bot'] as const;
const apiSender = z.enum(API_SENDERS);
export type ApiSender = z.infer<typeof apiSender>;

const says = {
  client_id: clientId
    .optional()
    .describe('A UUID of yours. A repeated call with the same one returns the message that is stored'),
  text: text(0, MESSAGE_MAX).default('').describe('Plain text of a visitor, Markdown of an agent or the bot'),
  attachments: newAttachments.optional(),
  agent_id: id
    .optional()
    .describe('With the sender `agent`: in whose name; by default the agent who has the chat'),
};

/** As for tickets. */
const CHAT_TAGS_MAX = 50;
const tagNames = z.array(text(1, TAG_NAME_MAX)).max(CHAT_TAGS_MAX, `must have at most ${CHAT_TAGS_MAX} tags`);

const inName = id.optional().describe('In whose name; by default the agent who has the chat');

const saysSomething = ({
  text: said,
  attachments = [],
}: {
  text: string;
  attachments?: unknown[] | undefined;
}) => said !== '' || attachments.length > 0;
const SAYS_NOTHING = { message: 'must not be empty', path: ['text'] };
const namesAgent = ({ sender, agent_id }: { sender: ApiSender; agent_id?: number | undefined }) =>
  agent_id === undefined || sender === 'agent';
const NO_AGENT = { message: 'is allowed only with the sender agent', path: ['agent_id'] };

export const conversationApiContract = {
  'conversations.list': {
    input: z
      .strictObject({
        limit: paging.limit,
        cursor: paging.cursor,
        session_id: sessionId
          .optional()
          .describe('Read one chat with its notes and rating instead of a list'),
        queue: queue
          .exclude(['mine'])
          .optional()
          .describe('By default every chat that is neither snoozed nor spam'),
        sort: inboxSort.exclude(['priority']).optional().describe('`newest` by default'),
        q: text(1, SEARCH_MAX)
          .optional()
          .describe(
            'Full-text search of messages, notes, visitors’ names and custom text fields, the latest activity first',
          ),
        status: sessionStatus.optional(),
        assignee_id: assigneeFilter.optional().describe('An agent’s id, or `none`'),
        team_id: teamFilter.optional().describe('A team’s id, or `none`'),
        tag: text(1, TAG_NAME_MAX).optional(),
        due: dueState.optional().describe('By its SLA: `late`, or `soon` once its warning has begun'),
        fields: fieldFilter.optional(),
        key: visitorKey.optional().describe('Chats of the visitor with this key'),
        visitor_id: id.optional().describe('Chats of the visitor with this id'),
        page: text(1, INBOX_PAGE_MAX)
          .optional()
          .describe('A part of the address of the page where the chat began'),
        language: z.enum(LANGUAGES).optional(),
        segment: id.optional().describe('Chats of visitors in this segment'),
        created_within: z.enum(INBOX_SPANS).optional(),
        active_within: z.enum(INBOX_SPANS).optional(),
        since: time.optional().describe(`Started at or after this time. ${TIME_FORM}`),
        updated_since: time.optional().describe(`Something was said at or after this time. ${TIME_FORM}`),
      })
      .superRefine((input, ctx) => {
        if (input.q === undefined) return;
        for (const field of ['queue', 'sort', 'key', 'visitor_id', 'since', 'updated_since'] as const)
          if (input[field] !== undefined)
            ctx.addIssue({ code: 'custom', path: [field], message: 'can’t be combined with q' });
      }),
    output: z.union([page(conversation), conversationDetail]),
  },
  /** An agent or the bot can start only one chat at a time with a visitor. */
  'conversations.create': {
    input: z
      .strictObject({
        key: visitorKey.optional().describe('Your id of the visitor, who is created if there is none'),
        visitor_id: id.optional().describe('Or Foyer’s id of the visitor'),
        sender: apiSender.default('visitor').describe('Who writes the first message'),
        ...says,
        page_url: text(0, URL_MAX).optional().describe('The page that it is about'),
        language: z.enum(LANGUAGES).optional().describe('The visitor’s'),
      })
      .refine(({ key, visitor_id }) => (key === undefined) !== (visitor_id === undefined), {
        path: ['key'],
        message: 'must be given if visitor_id isn’t, and not both',
      })
      .refine(saysSomething, SAYS_NOTHING)
      .refine(namesAgent, NO_AGENT)
      .meta({ examples: [{ key: 'user_42', sender: 'agent', agent_id: 1, text: 'Your order is ready.' }] }),
    output: conversation,
  },
  /** In this order: fields, status, team, assignee, tags. */
  'conversations.update': {
    input: z
      .strictObject({
        session_id: sessionId,
        status: z
          .enum(['waiting', 'bot', 'closed'])
          .optional()
          .describe('`waiting` for a person: hands it over, unassigns it, or reopens it; `bot` returns it'),
        handoff_reason: handoffReason
          .exclude(['agent_takeover'])
          .optional()
          .describe('With `waiting`, if the bot has it: why. `low_confidence` by default'),
        handoff_note: text(1, SUBJECT_MAX)
          .optional()
          .describe('The reason in words, which begins the summary for the team'),
        assignee_id: id.nullable().optional().describe('Null: back to the queue'),
        team_id: id.nullable().optional().describe('The team that it belongs to; null: none'),
        note: text(1, MESSAGE_MAX)
          .optional()
          .describe(
            'With `assignee_id`: for the colleague who gets it. Stored with the transfer or not at all',
          ),
        tags: tagNames.optional().describe('Replaces all tags'),
        add_tags: tagNames.optional(),
        remove_tags: tagNames.optional(),
        fields: fieldChanges.optional(),
        agent_id: inName,
      })
      .superRefine((input, ctx) => {
        const refuse = (path: string, message: string) =>
          ctx.addIssue({ code: 'custom', path: [path], message });
        const { status, assignee_id, note: said, tags, add_tags, remove_tags } = input;
        for (const field of ['handoff_reason', 'handoff_note'] as const)
          if (input[field] !== undefined && status !== 'waiting')
            refuse(field, 'is allowed only with the status waiting');
        if (said !== undefined && assignee_id === undefined)
          refuse('note', 'is allowed only with assignee_id');
        if (assignee_id !== undefined && (status === 'bot' || status === 'closed'))
          refuse('assignee_id', 'can’t be combined with this status');
        if (tags && (add_tags || remove_tags))
          refuse('tags', 'can’t be combined with add_tags or remove_tags');
      }),
    output: conversation,
  },
  'conversation_snoozes.set': {
    input: z
      .strictObject({
        session_id: sessionId,
        until_utc: time.nullable().optional().describe(`Null wakes the chat. ${TIME_FORM}`),
        minutes: snoozeMinutes.optional().describe('Alternative to `until_utc`'),
        seen: seenUpTo.describe(
          'The `seq` of the last message that was seen. Refused if the visitor has written since',
        ),
      })
      .refine(({ until_utc, minutes }) => (until_utc === undefined) !== (minutes === undefined), {
        path: ['until_utc'],
        message: 'must be given if minutes isn’t, and not both',
      })
      .meta({ examples: [{ session_id: SESSION, minutes: 60 }] }),
    output: conversation,
  },
  'conversation_notes.list': {
    input: z.strictObject({ session_id: sessionId, ...paging }),
    output: page(note),
  },
  'conversation_notes.create': {
    input: z.strictObject({
      session_id: sessionId,
      text: text(1, MESSAGE_MAX),
      mentions: mentions
        .optional()
        .describe(
          'Agents to notify, whose names are in the text after an `@`, and teams (`kind: team`), whose members are notified',
        ),
      client_id: clientId
        .optional()
        .describe('A UUID of yours. A repeated call with the same one returns the stored note'),
      agent_id: inName,
    }),
    output: note,
  },
  /** Shown for a few seconds, or until `typing` is false. Never stored. */
  'conversation_typing.set': {
    input: z.strictObject({
      session_id: sessionId,
      sender: apiSender,
      typing: z.boolean().default(true),
      agent_id: inName,
    }),
    output: done,
  },
  'conversation_reads.set': {
    input: z
      .strictObject({
        session_id: sessionId,
        reader: z.enum(['team', 'visitor']).default('team'),
        seq: z
          .int('must be an integer')
          .min(1, 'must be at least 1')
          .optional()
          .describe('The last message that was read; by default the last one'),
        unread: z.literal(true).optional().describe('Marks it as unread for the team instead'),
      })
      .refine(({ unread, reader, seq }) => !unread || (reader === 'team' && seq === undefined), {
        path: ['unread'],
        message: 'can’t be combined with seq or the reader visitor',
      }),
    output: conversation,
  },
  'conversation_messages.list': {
    input: z.strictObject({
      session_id: sessionId,
      limit: paging.limit,
      cursor: paging.cursor,
      order: z.enum(['asc', 'desc']).default('asc').describe('`asc`: as they were said'),
      after_seq: z
        .int('must be an integer')
        .min(0, 'must be at least 0')
        .optional()
        .describe('Only messages after this `seq`'),
    }),
    output: page(conversationMessage),
  },
  'conversation_messages.create': {
    input: z
      .strictObject({
        session_id: sessionId,
        sender: apiSender,
        ...says,
        seen: seenUpTo.describe(
          'With the sender `agent`: the `seq` of the last message that they had seen. Refused if a colleague has replied since',
        ),
      })
      .refine(saysSomething, SAYS_NOTHING)
      .refine(namesAgent, NO_AGENT)
      .meta({
        examples: [{ session_id: SESSION, sender: 'bot', text: 'It is on its way.' }],
      }),
    output: conversationMessage,
  },
} as const;
