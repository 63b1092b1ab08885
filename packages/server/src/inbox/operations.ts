import { type AnyOperation, operation } from '../operation.ts';
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
    name: 'inbox.counts',
    summary: 'Count the chats and tickets of the queues',
    who: ['agent'],
    scope: 'read',
    run: countQueues,
  }),
];
