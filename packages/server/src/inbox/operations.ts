import { type AnyOperation, agentsRead, agentsWrite, operation } from '../core/operation.ts';
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
    ...agentsRead,
    name: 'inbox.search',
    summary: 'Find chats and tickets by what was said in them',
    run: searchInbox,
  }),
  operation({
    ...agentsRead,
    name: 'inbox.tickets',
    summary: 'List the tickets of a queue',
    run: listQueueTickets,
  }),
  operation({
    ...agentsRead,
    name: 'inbox.filtered',
    summary: 'List the tickets that a filter or a view chooses, as the desk shows them',
    run: listTicketSummaries,
  }),
  operation({
    ...agentsRead,
    name: 'inbox.mentions',
    summary: 'List the chats and tickets that are open and whose notes name the agent',
    run: listMentions,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.create_from_chat',
    summary: 'Make a ticket of a chat',
    records: { session_id: 'session' },
    run: (ctx, { session_id }) => ticketOfChat(ctx, session_id),
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.reply',
    summary: 'Answer the requester, or leave a note, from the desk',
    records: { ticket_id: 'ticket' },
    run: replyFromDesk,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.mark_read',
    summary: 'Say up to which reply somebody of the team has seen a ticket',
    records: { id: 'ticket' },
    async run(ctx, { id, seen }) {
      await markTicketRead(ctx, id, seen);
      return { done: true } as const;
    },
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.mark_unread',
    summary: 'Mark a ticket as unread, to come back to it',
    records: { id: 'ticket' },
    run: async (ctx, { id }) => presentTicketSummary(await markTicketUnread(ctx, id)),
  }),
  operation({
    ...agentsRead,
    name: 'tickets.mentions',
    summary: 'List whom the notes of a ticket name',
    records: { id: 'ticket' },
    async run(ctx, { id }) {
      await getTicketRow(ctx, id);
      return listTicketMentions(ctx, id);
    },
  }),
  operation({
    ...agentsRead,
    name: 'tickets.mail',
    summary: 'Whether the replies of a ticket are emailed, and what became of each',
    records: { id: 'ticket' },
    run: mailOfTicket,
  }),
  operation({
    ...agentsRead,
    name: 'tickets.follow_ups',
    summary: 'List the tickets that go on from a closed one',
    records: { id: 'ticket' },
    run: (ctx, { id }) => listFollowUps(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.merge',
    summary: 'Merge tickets into one',
    records: { into_id: 'ticket' },
    run: async (ctx, input) => presentTicket(await mergeTickets(ctx, input)),
  }),
  operation({
    ...agentsRead,
    name: 'bulk_changes.count',
    summary: 'Count the chats and tickets that a queue or a search shows',
    run: async (ctx, { of }) => ({ count: await countTarget(ctx, of) }),
  }),
  operation({
    ...agentsWrite,
    name: 'bulk_changes.start',
    summary: 'Begin to change many chats and tickets',
    run: startBulkChange,
  }),
  operation({
    ...agentsRead,
    name: 'bulk_changes.latest',
    summary: 'Find the change of many that one has begun and may not have seen the end of',
    run: async (ctx) => ({ latest: await findLatestBulkChange(ctx) }),
  }),
  operation({
    ...agentsRead,
    name: 'bulk_changes.get',
    summary: 'See how far a change of many has come, and what it failed for',
    records: { id: 'bulk_change' },
    run: (ctx, { id }) => getBulkChange(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'bulk_changes.undo',
    summary: 'Take back what can be of a change of many',
    records: { id: 'bulk_change' },
    run: (ctx, { id }) => undoBulkChange(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'inbox.counts',
    summary: 'Count the chats and tickets of the queues',
    run: countQueues,
  }),
];
