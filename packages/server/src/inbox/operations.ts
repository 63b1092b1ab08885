import { type AnyOperation, operation } from '../core/operation.ts';
import { ticketOfChat } from '../tickets/from-chat.ts';
import { listTicketSummaries } from '../tickets/list.ts';
import { mergeTickets } from '../tickets/merge.ts';
import { listFollowUps, replyFromDesk } from '../tickets/replies/desk-reply.ts';
import { mailOfTicket } from '../tickets/replies/mail.ts';
import { getTicketRow, presentTicket, presentTicketSummary } from '../tickets/tickets.ts';
import { markTicketRead, markTicketUnread } from '../tickets/unread.ts';
import { listQueueTickets } from '../tickets/views/queues.ts';
import { listTicketMentions } from '../writing/mentions.ts';
import {
  countTarget,
  findLatestBulkChange,
  getBulkChange,
  startBulkChange,
  undoBulkChange,
} from './bulk/changes.ts';
import { countQueues } from './counts.ts';
import { listMentions } from './mentions.ts';
import { searchInbox } from './search/search.ts';

/** What the desk shows of chats and tickets together. */
export const inboxOperations: AnyOperation[] = [
  operation({
    name: 'inbox.search',
    summary: 'Find chats and tickets by what was said in them',
    who: ['agent'],
    scope: 'read',
    run: searchInbox,
  }),
  operation({
    name: 'inbox.tickets',
    summary: 'List the tickets of a queue',
    who: ['agent'],
    scope: 'read',
    run: listQueueTickets,
  }),
  operation({
    name: 'inbox.filtered',
    summary: 'List the tickets that a filter or a view chooses, as the desk shows them',
    who: ['agent'],
    scope: 'read',
    run: listTicketSummaries,
  }),
  operation({
    name: 'inbox.mentions',
    summary: 'List the chats and tickets that are open and whose notes name the agent',
    who: ['agent'],
    scope: 'read',
    run: listMentions,
  }),
  operation({
    name: 'tickets.create_from_chat',
    summary: 'Make a ticket of a chat',
    who: ['agent'],
    scope: 'write',
    records: { session_id: 'session' },
    run: (ctx, { session_id }) => ticketOfChat(ctx, session_id),
  }),
  operation({
    name: 'tickets.reply',
    summary: 'Answer the requester, or leave a note, from the desk',
    who: ['agent'],
    scope: 'write',
    records: { ticket_id: 'ticket' },
    run: replyFromDesk,
  }),
  operation({
    name: 'tickets.mark_read',
    summary: 'Say up to which reply somebody of the team has seen a ticket',
    who: ['agent'],
    scope: 'write',
    records: { id: 'ticket' },
    async run(ctx, { id, seen }) {
      await markTicketRead(ctx, id, seen);
      return { done: true } as const;
    },
  }),
  operation({
    name: 'tickets.mark_unread',
    summary: 'Mark a ticket as unread, to come back to it',
    who: ['agent'],
    scope: 'write',
    records: { id: 'ticket' },
    run: async (ctx, { id }) => presentTicketSummary(await markTicketUnread(ctx, id)),
  }),
  operation({
    name: 'tickets.mentions',
    summary: 'List whom the notes of a ticket name',
    who: ['agent'],
    scope: 'read',
    records: { id: 'ticket' },
    async run(ctx, { id }) {
      await getTicketRow(ctx, id);
      return listTicketMentions(ctx, id);
    },
  }),
  operation({
    name: 'tickets.mail',
    summary: 'Whether the replies of a ticket are emailed, and what became of each',
    who: ['agent'],
    scope: 'read',
    records: { id: 'ticket' },
    run: mailOfTicket,
  }),
  operation({
    name: 'tickets.follow_ups',
    summary: 'List the tickets that go on from a closed one',
    who: ['agent'],
    scope: 'read',
    records: { id: 'ticket' },
    run: (ctx, { id }) => listFollowUps(ctx, id),
  }),
  operation({
    name: 'tickets.merge',
    summary: 'Merge tickets into one',
    who: ['agent'],
    scope: 'write',
    records: { into_id: 'ticket' },
    run: async (ctx, input) => presentTicket(await mergeTickets(ctx, input)),
  }),
  operation({
    name: 'bulk_changes.count',
    summary: 'Count the chats and tickets that a queue or a search shows',
    who: ['agent'],
    scope: 'read',
    run: async (ctx, { of }) => ({ count: await countTarget(ctx, of) }),
  }),
  operation({
    name: 'bulk_changes.start',
    summary: 'Begin to change many chats and tickets',
    who: ['agent'],
    scope: 'write',
    run: startBulkChange,
  }),
  operation({
    name: 'bulk_changes.latest',
    summary: 'Find the change of many that one has begun and may not have seen the end of',
    who: ['agent'],
    scope: 'read',
    run: async (ctx) => ({ latest: await findLatestBulkChange(ctx) }),
  }),
  operation({
    name: 'bulk_changes.get',
    summary: 'See how far a change of many has come, and what it failed for',
    who: ['agent'],
    scope: 'read',
    records: { id: 'bulk_change' },
    run: (ctx, { id }) => getBulkChange(ctx, id),
  }),
  operation({
    name: 'bulk_changes.undo',
    summary: 'Take back what can be of a change of many',
    who: ['agent'],
    scope: 'write',
    records: { id: 'bulk_change' },
    run: (ctx, { id }) => undoBulkChange(ctx, id),
  }),
  operation({
    name: 'inbox.counts',
    summary: 'Count the chats and tickets of the queues',
    who: ['agent'],
    scope: 'read',
    run: countQueues,
  }),
];
