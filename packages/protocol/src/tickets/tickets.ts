import { z } from 'zod';
import { message } from '../chat/conversations.ts';
import { spamMark } from '../chat/spam-mark.ts';
import { fieldFilter } from '../fields/field-filter.ts';
import { fieldChanges, fieldValues } from '../fields/fields.ts';
import { SEARCH_MAX, SUBJECT_MAX, TAG_NAME_MAX, TICKET_TEXT_MAX } from '../values/bounds.ts';
import { LANGUAGES } from '../values/languages.ts';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '../values/wire-names.ts';
import {
  agentRef,
  assigneeFilter,
  deleted,
  dueState,
  email,
  id,
  page,
  paging,
  sessionId,
  TIME_FORM,
  teamFilter,
  teamRef,
  text,
  time,
  utc,
  visitorKey,
  visitorName,
} from '../values.ts';
import { visitorRef } from '../visitors/visitors.ts';
import { attachment, newAttachments } from './portal.ts';
import { sla } from './sla.ts';
import { copies, mailPerson } from './ticket-mail.ts';

export const ticketStatus = z.enum(TICKET_STATUSES);
export const ticketPriority = z.enum(TICKET_PRIORITIES);

export const TICKET_TAGS_MAX = 50;
/** How far ahead a snooze may end. */
export const SNOOZE_MAX_MINUTES = 366 * 24 * 60;
/** A solved ticket that isn't reopened closes after this time. */
export const CLOSE_AFTER_DAYS = 14;
/** A ticket shows at most this many replies: the newest. */
export const REPLIES_SHOWN = 500;

export const REPLY_TYPES = ['public', 'note'] as const;
export const replyType = z.enum(REPLY_TYPES);
export type ReplyType = z.infer<typeof replyType>;

/**
 * The author of a reply or change; `id` of an agent or a token, otherwise null. A participant writes in the thread by
 * email and is neither the requester nor an agent.
 */
export const replyAuthor = z.object({
  type: z.enum(['agent', 'token', 'requester', 'participant', 'system']),
  id: id.nullable(),
  name: z.string(),
});
export type ReplyAuthor = z.infer<typeof replyAuthor>;

export const reply = z.object({
  id,
  ticket_id: id,
  type: replyType,
  body: z.string(),
  author: replyAuthor,
  attachments: z.array(attachment),
  created_utc: utc,
});
export type Reply = z.infer<typeof reply>;

/**
 * `not_sent`: there was no mail server or no address. `in_chat`: for that reason it was sent to the chat that the
 * ticket was created from. `refused`: the mail server refused it permanently. `failed`: no attempt within about
 * twelve hours reached the mail server. `bounced`: it was accepted, and came back as undeliverable.
 */
export const replyMailState = z.enum([
  'not_sent',
  'in_chat',
  'queued',
  'sent',
  'refused',
  'failed',
  'bounced',
]);
export type ReplyMailState = z.infer<typeof replyMailState>;

export const ticket = z.object({
  id,
  subject: z.string(),
  description: z.string(),
  status: ticketStatus,
  priority: ticketPriority,
  requester: visitorRef,
  assignee: agentRef.nullable(),
  team: teamRef.nullable().describe('The team that it belongs to'),
  tags: z.array(z.string()),
  fields: fieldValues.describe('Custom fields that have a value, by key'),
  session_id: sessionId.nullable().describe('The chat it was created from'),
  external_id: z.string().nullable().describe('Yours'),
  /** The closed ticket that its requester replied to. */
  follow_up_of: id.nullable().describe('The closed ticket it follows up'),
  snoozed_until_utc: utc.nullable().describe('Hidden from the queues until this time'),
  spam: spamMark.nullable().describe('Null: it isn’t spam'),
  sla: sla.nullable().describe('What its SLA policy promises; null: no policy applies'),
  created_utc: utc,
  updated_utc: utc,
  solved_utc: utc.nullable(),
  /** Public replies. */
  reply_count: z.int().describe('Number of public replies'),
});
export type Ticket = z.infer<typeof ticket>;

/** In chronological order; the newest `REPLIES_SHOWN`. */
export const ticketDetail = ticket.extend({
  attachments: z.array(attachment).describe('Of the email that began it'),
  replies: z.array(reply),
});
export type TicketDetail = z.infer<typeof ticketDetail>;

/** `{field: [before, after]}`, in wire format. */
export const ticketChanges = z.record(z.string(), z.tuple([z.json(), z.json()]));
export type TicketChanges = z.infer<typeof ticketChanges>;

/** Why routing assigned a ticket, or why nobody got it. */
export const ticketRouting = z.object({
  by: z
    .enum(['round_robin', 'least_busy', 'last_agent'])
    .nullable()
    .describe('`last_agent` had the customer’s last ticket; null: nobody suitable is available'),
  open_tickets: z.int().nullable().describe('How many new and open tickets the agent had before'),
  language: z.enum(LANGUAGES).nullable().describe('What the agent speaks, or what nobody available does'),
  tags: z.array(z.string()).describe('The tags that the agent knows, or that nobody available does'),
  team: z.string().nullable(),
  fell_back: z.boolean().describe('It had waited so long that it was offered to everybody'),
});
export type TicketRouting = z.infer<typeof ticketRouting>;

export const ticketHistoryEntry = z.object({
  id,
  action: z.string(),
  author: replyAuthor,
  changes: ticketChanges,
  routing: ticketRouting.nullable().describe('What routing decided, and why'),
  created_utc: utc,
});
export type TicketHistoryEntry = z.infer<typeof ticketHistoryEntry>;

export const TICKET_SORTS = [
  'created',
  '-created',
  'updated',
  '-updated',
  'priority',
  '-priority',
  'next_due',
] as const;
/**
 * `-` is the newest or most urgent first; equal priorities by creation time. `next_due` has only tickets on which
 * something is due.
 */
export const ticketSort = z.enum(TICKET_SORTS);
export type TicketSort = z.infer<typeof ticketSort>;

/** The ticket filter: in a list's query, or in a saved view's `filter`. */
export const ticketFilterFields = {
  status: ticketStatus.optional(),
  priority: ticketPriority.optional(),
  assignee_id: assigneeFilter.optional().describe('An agent’s id, or `none`'),
  team_id: teamFilter.optional().describe('A team’s id, or `none`'),
  tag: text(1, TAG_NAME_MAX).optional(),
  due: dueState.optional().describe('`late`, or due `soon`: its warning has begun'),
  fields: fieldFilter.optional(),
  requester_key: visitorKey.optional(),
  /** Without it, snoozed tickets are left out. */
  snoozed: z.boolean().optional().describe('Snoozed tickets are omitted by default'),
  /** Without it, spam is left out; with it, a list has all of it, snoozed or not. */
  spam: z.boolean().optional().describe('Spam is omitted by default'),
  q: text(1, SEARCH_MAX)
    .optional()
    .describe(
      'Full-text search of tickets, replies and custom text fields; the last word also matches as a prefix, and quotation marks search for a phrase',
    ),
  since: time.optional().describe(`Created at or after this time. ${TIME_FORM}`),
  updated_since: time.optional().describe(`Changed at or after this time. ${TIME_FORM}`),
};
export const ticketFilter = z.strictObject(ticketFilterFields);
export type TicketFilter = z.output<typeof ticketFilter>;

export const tagNames = z
  .array(text(1, TAG_NAME_MAX))
  .max(TICKET_TAGS_MAX, `must have at most ${TICKET_TAGS_MAX} tags`);
export const ticketSubject = text(1, SUBJECT_MAX);
export const ticketText = text(1, TICKET_TEXT_MAX);
export const externalId = text(1, 200);
export const snoozeMinutes = z
  .int('must be an integer')
  .min(1, 'must be at least 1')
  .max(SNOOZE_MAX_MINUTES, `must be at most ${SNOOZE_MAX_MINUTES}`);

const requester = z
  .strictObject({
    key: visitorKey.nullable().optional(),
    email: email.nullable().optional(),
    name: visitorName.nullable().optional(),
  })
  .refine(({ key, email, name }) => Boolean(key ?? email ?? name), 'must have a key, an email or a name');

/** How a reply is delivered to its requester; null for a note. */
const deliveredReply = z.object({
  ...reply.shape,
  delivery: replyMailState
    .nullable()
    .describe(
      '`queued` for email, `in_chat`, or `not_sent`: it can only be read on the portal; null for a note',
    ),
});
export type DeliveredReply = z.infer<typeof deliveredReply>;

/** How a ticket's requester receives the team's replies. */
export const ticketMail = z.object({
  /** The address for the next reply; null if it can only be read in the portal. */
  goes_to: z.string().nullable(),
  /** Whether email is set up at all. */
  sends_mail: z.boolean(),
  /** The mailbox that replies come from and are answered to; null: they are answered on the ticket's page. */
  from: z.string().nullable(),
  /** Who gets a copy of the next reply by default. */
  cc: z.array(mailPerson),
  /** Whether the next reply, which can't be emailed, goes to the open chat that the ticket was created from. */
  in_chat: z.boolean(),
  replies: z.array(
    z.object({
      reply_id: id,
      state: replyMailState,
      /** Why the last attempt failed; while `queued`, it is retried. */
      error: z.string().nullable(),
      /** Its author can undo it until then. */
      undo_until_utc: utc.nullable(),
    }),
  ),
});

export const ticketContract = {
  'tickets.list': {
    input: z
      .strictObject({
        limit: paging.limit,
        cursor: paging.cursor,
        order: z.enum(['asc', 'desc']).optional(),
        sort: ticketSort.optional(),
        id: id.optional().describe('Read one ticket with its replies instead of a list'),
        view: id.optional().describe('Use the filter and sort order of this saved view'),
        ...ticketFilterFields,
      })
      .refine(({ order, sort }) => order === undefined || sort === undefined, {
        path: ['order'],
        message: 'can’t be combined with sort',
      }),
    output: z.union([page(ticket), ticketDetail]),
  },
  'tickets.create': {
    input: z.strictObject({
      subject: ticketSubject,
      body: ticketText,
      requester,
      priority: ticketPriority.nullable().optional(),
      tags: tagNames.nullable().optional(),
      assignee_id: id.nullable().optional(),
      team_id: id.nullable().optional(),
      fields: fieldChanges.optional(),
      session_id: sessionId.nullable().optional().describe('The chat it is about'),
      external_id: externalId.nullable().optional().describe('Its id in another system'),
      send: z
        .boolean()
        .optional()
        .describe('Mails `body` to the requester as the first reply; the ticket is then `pending`'),
      mailbox_id: id
        .nullable()
        .optional()
        .describe('The mailbox that its replies come from; by default the site’s only one'),
      cc: copies.optional().describe('With `send`: who gets a copy'),
      bcc: copies.optional().describe('With `send`: who gets a copy unseen by the others'),
    }),
    output: ticket,
  },
  'tickets.update': {
    input: z.strictObject({
      id,
      subject: ticketSubject.optional(),
      status: ticketStatus.optional(),
      priority: ticketPriority.nullable().optional(),
      assignee_id: id.nullable().optional(),
      team_id: id.nullable().optional(),
      tags: tagNames.nullable().optional(),
      fields: fieldChanges.optional(),
      external_id: externalId.nullable().optional(),
    }),
    output: ticket,
  },
  /** Creates a ticket from a chat; returns the existing one if there is one. */
  'tickets.create_from_chat': { input: z.strictObject({ session_id: sessionId }), output: ticket },
  /** Null if the ticket wasn't created from a chat, or the chat was deleted. */
  'tickets.chat': {
    input: z.strictObject({ id }),
    output: z.object({
      chat: z
        .object({
          messages: z.array(message),
          /** How many earlier messages aren't shown. */
          left_out: z.int(),
        })
        .nullable(),
    }),
  },
  'tickets.delete': { input: z.strictObject({ id }), output: deleted },
  'tickets.history': { input: z.strictObject({ id, ...paging }), output: page(ticketHistoryEntry) },
  /** How the requester receives the team's replies, and the mail status of existing ones. */
  'tickets.mail': {
    input: z.strictObject({ id }),
    output: ticketMail,
  },
  /** Mails a reply that wasn't mailed. */
  'tickets.retry_mail': { input: z.strictObject({ ticket_id: id, reply_id: id }), output: ticketMail },
  'ticket_replies.create': {
    input: z.strictObject({
      ticket_id: id,
      body: ticketText,
      type: replyType.describe('`public` goes to the requester, `note` only to the team'),
      status: ticketStatus.optional().describe('Also sets the ticket’s status'),
      attachments: newAttachments.nullable().optional(),
      cc: copies
        .optional()
        .describe('Who gets a copy of its mail; by default those who got the last one. Needs a mailbox'),
      bcc: copies.optional().describe('Who gets a copy unseen by the others'),
    }),
    output: deliveredReply,
  },
  'ticket_snoozes.set': {
    input: z
      .strictObject({
        ticket_id: id,
        until_utc: time.nullable().optional().describe(`Null wakes the ticket. ${TIME_FORM}`),
        minutes: snoozeMinutes.optional().describe('Alternative to `until_utc`'),
      })
      .refine(({ until_utc, minutes }) => (until_utc === undefined) !== (minutes === undefined), {
        path: ['until_utc'],
        message: 'must be given if minutes isn’t, and not both',
      })
      .meta({ examples: [{ ticket_id: 42, minutes: 60 }] }),
    output: ticket,
  },
} as const;
