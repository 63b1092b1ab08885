import { type AnyOperation, operation } from '../operation.ts';
import { listFollowUps, replyFromDesk } from '../tickets/desk-reply.ts';
import { ticketOfChat } from '../tickets/from-chat.ts';
import { countQueues } from './counts.ts';
import { listQueueTickets } from './tickets.ts';

/** What the desk shows of chats and tickets together. */
export const inboxOperations: AnyOperation[] = [
  operation({
    name: 'inbox.tickets',
    summary: 'List the tickets of a queue',
    who: ['agent'],
    scope: 'read',
    run: listQueueTickets,
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
    name: 'tickets.follow_ups',
    summary: 'List the tickets that go on from a closed one',
    who: ['agent'],
    scope: 'read',
    records: { id: 'ticket' },
    run: (ctx, { id }) => listFollowUps(ctx, id),
  }),
  operation({
    name: 'inbox.counts',
    summary: 'Count the chats and tickets of the queues',
    who: ['agent'],
    scope: 'read',
    run: countQueues,
  }),
];
