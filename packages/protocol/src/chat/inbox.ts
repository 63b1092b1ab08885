import { z } from 'zod';
import { copies } from '../tickets/ticket-mail.ts';
import { UNDO_REPLY_MAX_S } from '../tickets/ticket-mails.ts';
import {
  reply,
  replyType,
  ticket,
  ticketFilterFields,
  ticketSort,
  ticketStatus,
} from '../tickets/tickets.ts';
import { MERGE_MAX, SEARCH_MAX, TICKET_TEXT_MAX } from '../values/bounds.ts';
import { INBOX_QUEUES, STATE_QUEUES } from '../values/inbox-queues.ts';
import { clientId, done, id, page, paging, pictureUrl, seenUpTo, teamRef, text, utc } from '../values.ts';
import { session } from './conversations.ts';
import { inboxFilterFields, inboxSort, ownFilterFields } from './inbox-filter.ts';
import { mention, mentions } from './mentions.ts';
import { SAYS_NOTHING, saysSomething, uploadIds } from './uploads.ts';

export const inboxQueue = z.enum(INBOX_QUEUES);

/** A ticket as the desk's lists show it: without its text, which may be long and comes with the ticket itself. */
export const ticketSummary = ticket.omit({ description: true, fields: true }).extend({
  /** The requester has written since the team last opened it, or it was marked as unread. */
  unread: z.boolean(),
  assignee_picture_url: pictureUrl,
  /** When it was created, or the team or requester last wrote. */
  last_activity_utc: utc,
  /** The requester's oldest message that the team hasn't answered; null: none. */
  unanswered_since_utc: utc.nullable(),
  /** The team's last public reply. */
  replied_utc: utc.nullable(),
});
export type TicketSummary = z.infer<typeof ticketSummary>;

export const inboxCounts = z.object({
  waiting: z.int(),
  mine: z.int(),
  mentions: z.int(),
  unassigned: z.int(),
  open: z.int(),
  snoozed: z.int(),
  spam: z.int(),
  /** Open chats and tickets of the agent's teams, by name. */
  teams: z.array(teamRef.extend({ open: z.int() })),
});
export type InboxCounts = z.infer<typeof inboxCounts>;

/**
 * What the inbox can be searched by: text, the inbox's filter, and saved views and other fields of tickets, which
 * find no chats.
 */
export const inboxSearchFields = { ...ticketFilterFields, ...ownFilterFields, view: id.optional() };
export const inboxSearch = z.strictObject(inboxSearchFields);
/** What a list of the inbox is filtered by; without a queue, everything that isn't snoozed. */
export const inboxList = z.strictObject({ queue: z.enum(STATE_QUEUES).optional(), ...inboxFilterFields });
export type InboxSearchFields = z.output<typeof inboxSearch>;

/** Where the words of a search occur. */
export const foundWords = z.object({
  in: z.enum(['message', 'note', 'subject', 'description', 'reply', 'field']),
  /** The message's `seq`, or the id of the note, reply or custom field; 0 for a ticket's own text. */
  at: z.int(),
  /** The words with their surroundings, in order. Text, never HTML. */
  excerpt: z.array(z.object({ text: z.string(), hit: z.boolean() })),
});
export type FoundWords = z.infer<typeof foundWords>;

/** `found` is null if the words match the visitor's name instead of a message. */
const foundItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chat'), session, found: foundWords.nullable() }),
  z.object({ kind: z.literal('ticket'), ticket: ticketSummary, found: foundWords.nullable() }),
]);
export type FoundItem = z.infer<typeof foundItem>;

export const inboxContract = {
  /**
   * Chats and tickets that contain all of these words, or whose visitor's name matches, the latest activity first.
   * A page may have fewer than `limit`, or none, and still continue.
   */
  'inbox.search': {
    input: z.strictObject({
      ...inboxSearchFields,
      limit: paging.limit,
      cursor: paging.cursor,
      q: text(1, SEARCH_MAX),
    }),
    output: page(foundItem),
  },
  /**
   * The tickets of a queue, or all that aren't snoozed; `sessions.list` has the chats. With a filter, a page may
   * have fewer than `limit`, or none, and still continue.
   */
  'inbox.tickets': {
    input: z.strictObject({
      limit: paging.limit,
      cursor: paging.cursor,
      sort: inboxSort.default('newest'),
      queue: z.enum(STATE_QUEUES).optional(),
      ...inboxFilterFields,
    }),
    output: page(ticketSummary),
  },
  /** Like `tickets.list`, in the desk's format. */
  'inbox.filtered': {
    input: z.strictObject({
      ...ticketFilterFields,
      view: id.optional(),
      limit: paging.limit,
      cursor: paging.cursor,
      sort: ticketSort.optional(),
    }),
    output: page(ticketSummary),
  },
  /**
   * Open chats and tickets whose notes mention the agent, the latest mention first, with the place of the mention.
   */
  'inbox.mentions': { input: z.strictObject({ ...paging }), output: page(foundItem) },
  /** From the desk: stored once per `client_id`; `attachments` are uploads. */
  'tickets.reply': {
    input: z
      .strictObject({
        ticket_id: id,
        client_id: clientId,
        type: replyType,
        text: text(0, TICKET_TEXT_MAX),
        status: ticketStatus.optional(),
        attachments: uploadIds.optional(),
        mentions: mentions.optional(),
        /** False: its mail has no signature. */
        signed: z.boolean().optional(),
        cc: copies.optional(),
        bcc: copies.optional(),
        /** Its mail is sent after this time, and can be undone until then. */
        undo_s: z.int().min(0).max(UNDO_REPLY_MAX_S).optional(),
        seen: seenUpTo,
      })
      .refine(saysSomething, SAYS_NOTHING)
      .refine(({ type, mentions: named }) => type === 'note' || !named?.length, {
        path: ['mentions'],
        message: 'is allowed only in a note',
      }),
    output: reply,
  },
  /** `seen`: the last reply shown, 0 for none. Later replies of the requester stay unread. */
  'tickets.mark_read': { input: z.strictObject({ id, seen: z.int().min(0) }), output: done },
  'tickets.mark_unread': { input: z.strictObject({ id }), output: ticketSummary },
  /** The agents mentioned in a ticket's notes, which over REST are only text. */
  'tickets.mentions': {
    input: z.strictObject({ id }),
    output: z.object({ mentions: z.array(mention.extend({ reply_id: id })) }),
  },
  /** Where a closed ticket continues: the ticket that it was merged into, and its requester's follow-ups. */
  'tickets.follow_ups': {
    input: z.strictObject({ id }),
    output: z.object({ merged_into_id: id.nullable(), tickets: z.array(ticketSummary) }),
  },
  /**
   * Closes tickets and merges them into another, for good: each becomes notes there, and links to it.
   * `across_requesters` allows tickets of other people, who aren't notified.
   */
  'tickets.merge': {
    input: z.strictObject({
      into_id: id,
      ids: z.array(id).max(MERGE_MAX, `must have at most ${MERGE_MAX} tickets`),
      across_requesters: z.boolean().default(false),
    }),
    output: ticket,
  },
  /** Chats and tickets per queue. */
  'inbox.counts': { input: z.strictObject({}), output: inboxCounts },
} as const;
