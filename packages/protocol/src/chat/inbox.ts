import { z } from 'zod';
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
import { clientId, done, id, page, paging, pictureUrl, seenUpTo, text, utc } from '../values.ts';
import { session } from './conversations.ts';
import { inboxFilterFields, inboxSort, ownFilterFields } from './inbox-filter.ts';
import { mention, mentions } from './mentions.ts';
import { SAYS_NOTHING, saysSomething, uploadIds } from './uploads.ts';

export const inboxQueue = z.enum(INBOX_QUEUES);

/** A ticket as the desk's lists show it: its text may be long, and comes with the ticket itself. */
export const ticketSummary = ticket.omit({ description: true }).extend({
  /** The requester has written since somebody of the team last opened it, or it was marked so. */
  unread: z.boolean(),
  assignee_picture_url: pictureUrl,
  /** When it was created, or something was last said to or by the requester. */
  last_activity_utc: utc,
  /** The oldest words of the requester that the team has not answered; null: none. */
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
});
export type InboxCounts = z.infer<typeof inboxCounts>;

/**
 * What the inbox is searched by: words, a filter of the inbox, and a saved view or what else tickets alone have, which
 * finds no chat.
 */
export const inboxSearchFields = { ...ticketFilterFields, ...ownFilterFields, view: id.optional() };
export const inboxSearch = z.strictObject(inboxSearchFields);
/** What a list of the inbox is narrowed down to; without a queue, all that isn't snoozed. */
export const inboxList = z.strictObject({ queue: z.enum(STATE_QUEUES).optional(), ...inboxFilterFields });
export type InboxSearchFields = z.output<typeof inboxSearch>;

/** Where the words of a search stand. */
export const foundWords = z.object({
  in: z.enum(['message', 'note', 'subject', 'description', 'reply']),
  /** The message's `seq`, the note's or the reply's id; 0 for a ticket's own text. */
  at: z.int(),
  /** The words with what is around them, in order; it is text, never HTML. */
  excerpt: z.array(z.object({ text: z.string(), hit: z.boolean() })),
});
export type FoundWords = z.infer<typeof foundWords>;

/** `found` is null where the visitor, not what was said, is what the words name. */
const foundItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chat'), session, found: foundWords.nullable() }),
  z.object({ kind: z.literal('ticket'), ticket: ticketSummary, found: foundWords.nullable() }),
]);
export type FoundItem = z.infer<typeof foundItem>;

export const inboxContract = {
  /**
   * Chats and tickets in which all of these words were said, or whose visitor is called so, the one with the latest
   * activity first. A page may have fewer than `limit`, or none, and go on all the same.
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
   * The tickets of a queue, or all that aren't snoozed; the chats are in `sessions.list`. With a filter a page may have
   * fewer than `limit`, or none, and go on all the same.
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
  /** As `tickets.list`, in the form of the desk. */
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
  /** The chats and tickets that are open and whose notes name the agent, the last mention first, and where it stands. */
  'inbox.mentions': { input: z.strictObject({ ...paging }), output: page(foundItem) },
  /** From the desk: sent twice under one `client_id`, it is stored once; `attachments` are uploads. */
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
        seen: seenUpTo,
      })
      .refine(saysSomething, SAYS_NOTHING)
      .refine(({ type, mentions: named }) => type === 'note' || !named?.length, {
        path: ['mentions'],
        message: 'is allowed only in a note',
      }),
    output: reply,
  },
  /** `seen`: the last reply that is shown, 0 for none. What the requester has written since stays unread. */
  'tickets.mark_read': { input: z.strictObject({ id, seen: z.int().min(0) }), output: done },
  'tickets.mark_unread': { input: z.strictObject({ id }), output: ticketSummary },
  /** Whom the notes of a ticket name; over REST they are text alone. */
  'tickets.mentions': {
    input: z.strictObject({ id }),
    output: z.object({ mentions: z.array(mention.extend({ reply_id: id })) }),
  },
  /** Where a closed ticket goes on: the one that it was merged into, and those of its requester that follow it. */
  'tickets.follow_ups': {
    input: z.strictObject({ id }),
    output: z.object({ merged_into_id: id.nullable(), tickets: z.array(ticketSummary) }),
  },
  /**
   * Closes tickets into one that goes on: each is told in a note there, and says where it goes on. For good.
   * `across_requesters` allows tickets of other people, who are told nothing.
   */
  'tickets.merge': {
    input: z.strictObject({
      into_id: id,
      ids: z.array(id).max(MERGE_MAX, `must have at most ${MERGE_MAX} tickets`),
      across_requesters: z.boolean().default(false),
    }),
    output: ticket,
  },
  /** Chats and tickets of each queue together. */
  'inbox.counts': { input: z.strictObject({}), output: inboxCounts },
} as const;
