import { decodeAttachments } from '../attachments/attachments.ts';
import { refuseMalware } from '../attachments/scan.ts';
import { minutesFrom } from '../conversations/snooze/snooze-times.ts';
import { type AnyOperation, agentsRead, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { changeTicket } from './changes.ts';
import { listHistory } from './history.ts';
import { listTickets } from './list.ts';
import { createTicket } from './mails/new-by-mail.ts';
import { authorOf } from './replies/authors.ts';
import { replyToTicket } from './replies/replies.ts';
import { snoozeTicket } from './snooze.ts';
import { deleteTicket, lockTicket, presentTicket } from './tickets.ts';

const ofTicket = { ticket_id: 'ticket' } as const;

/** Operations on tickets for tokens and agents. */
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
        'Find tickets, newest first unless sort says otherwise. With id, read one ticket with its replies and internal notes: ' +
        'do this before you reply. q searches subjects, texts and replies; put an exact phrase in quotation marks. ' +
        'Snoozed tickets are omitted unless snoozed is true. Pass next_cursor as cursor for the next page.',
      mayLag: ({ id, q }) => id === undefined && q !== undefined,
      run: listTickets,
    },
    create: {
      summary: 'Create a ticket',
      tool:
        'Create a ticket for a customer: subject, body, and the requester by key, email or name. session_id links it to that ' +
        'chat. send true mails the body to the requester as the first message of the team; their answer comes into the same ticket. Returns the ticket; the other ticket tools take its id.',
      run: createTicket,
    },
    update: {
      summary: 'Update a ticket’s subject, status, priority, assignee, tags or external id',
      tool:
        'Update fields of a ticket; omitted fields stay as they are. tags replaces all tags; assignee_id null unassigns the ' +
        'ticket. status can be open, pending, hold or solved; an error says why a change isn’t allowed.',
      run: (ctx, { id, ...change }) =>
        ctx.transaction(async (tx) =>
          presentTicket(await changeTicket(tx, await lockTicket(tx, id), change)),
        ),
    },
    delete: {
      summary: 'Delete a ticket with its replies',
      who: ['token', 'admin'],
      tool: 'Permanently delete a ticket with all its replies. To finish a ticket, set its status to solved instead.',
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
    summary: 'List the changes of a ticket, newest first',
    records: { id: 'ticket' },
    run: listHistory,
  }),
  operation({
    name: 'ticket_replies.create',
    summary: 'Reply to the requester, or add a note for the team',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'ticket_reply', method: 'POST', creates: true },
    records: ofTicket,
    tool: {
      name: 'reply_to_ticket',
      description:
        'Write to a ticket: type public goes to the customer, type note only to the team. ' +
        'delivery in the result says how: queued for email, in_chat, or not_sent, which the customer can only read on the portal. ' +
        'status changes the ticket in the same call, such as pending after a question or solved after an answer. ' +
        'cc replaces the people who get a copy of the mail; without it the same people as last time do.',
      destructive: true,
    },
    run: async (ctx, { ticket_id, attachments, cc, bcc, ...reply }) => {
      const files = decodeAttachments(attachments ?? []);
      await refuseMalware(ctx, files);
      return ctx.transaction(async (tx) => {
        const row = await lockTicket(tx, ticket_id);
        const author = await authorOf(tx);
        return replyToTicket(tx, row, { ...reply, author, attachments: files, copies: { cc, bcc } });
      });
    },
  }),
  operation({
    name: 'ticket_snoozes.set',
    summary: 'Snooze a ticket until a time, or wake it',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'ticket_snooze', method: 'POST' },
    records: ofTicket,
    tool: {
      name: 'snooze_ticket',
      description:
        'Snooze a ticket until until_utc, or for a number of minutes; until_utc null wakes it now. At that time, or when the ' +
        'customer replies, it opens again. Returns the ticket.',
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
