import { decodeAttachments } from '../attachments/attachments.ts';
import { type AnyOperation, agentsRead, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { changeTicket } from './changes.ts';
import { createTicket } from './create.ts';
import { listHistory } from './history.ts';
import { listTickets } from './list.ts';
import { authorOf } from './replies/authors.ts';
import { replyToTicket } from './replies/replies.ts';
import { minutesFrom, snoozeTicket } from './snooze.ts';
import { deleteTicket, lockTicket, presentTicket } from './tickets.ts';

const ofTicket = { ticket_id: 'ticket' } as const;

/** What tokens and agents may do with tickets. */
export const ticketOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'tickets',
    record: 'ticket',
    who: ['token', 'agent'],
    list: {
      summary:
        'List tickets by status, priority, assignee, tag, requester, text, view or time; by id, one with its replies',
      records: { id: 'ticket' },
      tool:
        'Find tickets, newest first unless sort says otherwise, or read one: with id, the answer is that ticket with its ' +
        'replies and internal notes (call it before you reply). q searches subjects, texts and replies in full, a phrase in quotation ' +
        'marks as it stands. Snoozed tickets are left out unless snoozed is true. Pass next_cursor as cursor for the next page.',
      run: listTickets,
    },
    create: {
      summary: 'Make a ticket',
      tool:
        'Open a ticket for a customer: subject, body and the requester by key, e-mail or name. With session_id it is ' +
        'linked to that chat. Answers the ticket; its id is what the other ticket tools take.',
      run: createTicket,
    },
    update: {
      summary: 'Change a ticket’s subject, status, priority, assignee, tags or external id',
      tool:
        'Change fields of a ticket; what is left out stays. tags replaces all tags; assignee_id null takes the ' +
        'assignee off. Statuses go to open, pending, hold or solved; a change that is not allowed is refused and says why.',
      run: (ctx, { id, ...change }) =>
        ctx.transaction(async (tx) =>
          presentTicket(await changeTicket(tx, await lockTicket(tx, id), change)),
        ),
    },
    delete: {
      summary: 'Delete a ticket with its replies',
      who: ['token', 'admin'],
      tool: 'Delete a ticket with all its replies, for good. To finish one, set its status to solved instead.',
      run: (ctx, { id }) =>
        ctx.transaction(async (tx) => {
          await deleteTicket(tx, await lockTicket(tx, id));
          return { id, deleted: true };
        }),
    },
  }),
  operation({
    ...agentsRead,
    name: 'tickets.history',
    summary: 'Read who changed what of a ticket, newest first',
    records: { id: 'ticket' },
    run: listHistory,
  }),
  operation({
    name: 'ticket_replies.create',
    summary: 'Answer the requester, or leave a note that only the team sees',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'ticket_reply', method: 'POST', creates: true },
    records: ofTicket,
    tool: {
      name: 'reply_to_ticket',
      description:
        'Write to a ticket: type public goes to the customer (e-mail and portal), type note is seen by the team alone. ' +
        'status changes the ticket in the same step, such as pending after a question or solved after an answer.',
      destructive: true,
    },
    run: (ctx, { ticket_id, attachments, ...reply }) => {
      const files = decodeAttachments(attachments ?? []);
      return ctx.transaction(async (tx) => {
        const row = await lockTicket(tx, ticket_id);
        return replyToTicket(tx, row, { ...reply, author: await authorOf(tx), attachments: files });
      });
    },
  }),
  operation({
    name: 'ticket_snoozes.set',
    summary: 'Hide a ticket from the queues until a time, or wake it',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'ticket_snooze', method: 'POST' },
    records: ofTicket,
    tool: {
      name: 'snooze_ticket',
      description:
        'Put a ticket aside until until_utc, or for so many minutes; until_utc null wakes it now. When it is due, or ' +
        'when the customer replies, it is open again. Answers the ticket.',
      idempotent: true,
    },
    run: (ctx, { ticket_id, until_utc, minutes }) =>
      ctx.transaction(async (tx) => {
        const row = await lockTicket(tx, ticket_id);
        const until =
          minutes === undefined ? (until_utc ? new Date(until_utc) : null) : minutesFrom(tx.now(), minutes);
        return presentTicket(await snoozeTicket(tx, row, until));
      }),
  }),
];
