import { type AnyOperation, adminsRead, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { chatOfTicket, ticketOfChat } from '../tickets/from-chat.ts';
import { listTicketSummaries } from '../tickets/list.ts';
import { readMailHtml } from '../tickets/mails/mail-html.ts';
import { splitTicket } from '../tickets/mails/split.ts';
import { listTicketMails } from '../tickets/mails/ticket-mails.ts';
import { undoReply } from '../tickets/mails/undo-reply.ts';
import { mergeTickets } from '../tickets/merge.ts';
import { listFollowUps, replyFromDesk } from '../tickets/replies/desk-reply.ts';
import { mailOfTicket, retryReplyMail } from '../tickets/replies/mail.ts';
import { getTicketRow, presentTicket, presentTicketSummary } from '../tickets/tickets.ts';
import { markTicketRead, markTicketUnread } from '../tickets/unread.ts';
import { listQueueTickets } from '../tickets/views/list-queue.ts';
import { listTicketMentions } from '../writing/mentions.ts';
import {
  countTarget,
  findLatestBulkChange,
  getBulkChange,
  startBulkChange,
  undoBulkChange,
} from './bulk/changes.ts';
import { countQueues } from './counts.ts';
import { exportFiltered, exportRecords } from './export/export.ts';
import { listMentions } from './mentions.ts';
import { searchInbox } from './search/search.ts';
import { listSpam, setSpam } from './spam.ts';
import { createInboxView, deleteInboxView, listInboxViews, updateInboxView } from './views/inbox-views.ts';

/** The list of chats and tickets in the desk. */
export const inboxOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'inbox.search',
    summary: 'Search chats and tickets',
    mayLag: true,
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
    summary: 'List the tickets of a filter or view, as the desk shows them',
    run: listTicketSummaries,
  }),
  operation({
    ...adminsRead,
    name: 'inbox.export',
    audit: 'export',
    summary: 'Export what a list of the inbox shows as CSV, in parts',
    run: exportRecords,
  }),
  operation({
    name: 'exports.get',
    audit: 'export',
    summary: 'Export tickets or chats as CSV, in parts',
    who: ['token'],
    scope: 'read',
    rest: { resource: 'exports', method: 'GET' },
    run: exportFiltered,
  }),
  operation({
    ...agentsRead,
    name: 'inbox.mentions',
    summary: 'List open chats and tickets that mention the agent',
    run: listMentions,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.create_from_chat',
    summary: 'Create a ticket from a chat',
    records: { session_id: 'session' },
    run: (ctx, { session_id }) => ticketOfChat(ctx, session_id),
  }),
  operation({
    ...agentsRead,
    name: 'tickets.chat',
    summary: 'Read the chat that a ticket was created from',
    records: { id: 'ticket' },
    run: async (ctx, { id }) => ({ chat: await chatOfTicket(ctx, id) }),
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.reply',
    summary: 'Reply to the requester, or add a note, from the desk',
    records: { ticket_id: 'ticket' },
    run: replyFromDesk,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.mark_read',
    summary: 'Mark a ticket as read up to a reply',
    records: { id: 'ticket' },
    async run(ctx, { id, seen }) {
      await markTicketRead(ctx, id, seen);
      return { done: true } as const;
    },
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.mark_unread',
    summary: 'Mark a ticket as unread',
    records: { id: 'ticket' },
    run: async (ctx, { id }) => presentTicketSummary(await markTicketUnread(ctx, id)),
  }),
  operation({
    ...agentsRead,
    name: 'tickets.mentions',
    summary: 'List the mentions in a ticket’s notes',
    records: { id: 'ticket' },
    async run(ctx, { id }) {
      await getTicketRow(ctx, id);
      return listTicketMentions(ctx, id);
    },
  }),
  operation({
    ...agentsRead,
    name: 'tickets.mail',
    summary: 'Read whether a ticket’s replies are emailed, and the status of each',
    records: { id: 'ticket' },
    run: mailOfTicket,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.retry_mail',
    summary: 'Email a reply that was not emailed',
    records: { ticket_id: 'ticket' },
    run: retryReplyMail,
  }),
  operation({
    ...agentsRead,
    name: 'tickets.mails',
    summary: 'List the mails of a ticket: senders, recipients and what was proved of them',
    records: { id: 'ticket' },
    run: (ctx, { id }) => listTicketMails(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'tickets.mail_html',
    summary: 'Read the HTML of a mail, sanitized, with or without images of other servers',
    records: { ticket_id: 'ticket' },
    run: readMailHtml,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.undo_reply',
    summary: 'Delete your own reply before its mail is sent',
    records: { ticket_id: 'ticket' },
    run: undoReply,
  }),
  operation({
    ...agentsWrite,
    name: 'tickets.split',
    summary: 'Move a customer’s message into a ticket of its own',
    records: { ticket_id: 'ticket' },
    run: splitTicket,
  }),
  operation({
    ...agentsRead,
    name: 'tickets.follow_ups',
    summary: 'List the follow-ups of a closed ticket',
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
    summary: 'Count the chats and tickets of a queue or a search',
    run: async (ctx, { of, most }) => ({ count: await countTarget(ctx, of, most) }),
  }),
  operation({
    ...agentsWrite,
    name: 'bulk_changes.start',
    summary: 'Start a bulk change of chats and tickets',
    run: startBulkChange,
  }),
  operation({
    ...agentsRead,
    name: 'bulk_changes.latest',
    summary: 'Find your own bulk change whose result you may not have seen',
    run: async (ctx) => ({ latest: await findLatestBulkChange(ctx) }),
  }),
  operation({
    ...agentsRead,
    name: 'bulk_changes.get',
    summary: 'Read the progress and failures of a bulk change',
    records: { id: 'bulk_change' },
    run: (ctx, { id }) => getBulkChange(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'bulk_changes.undo',
    summary: 'Undo a bulk change as far as possible',
    records: { id: 'bulk_change' },
    run: (ctx, { id }) => undoBulkChange(ctx, id),
  }),
  operation({
    name: 'spam.list',
    summary: 'List chats and tickets marked as spam, the latest mark first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'spam', method: 'GET' },
    tool: {
      name: 'list_spam',
      description:
        'List the chats and tickets that are marked as spam, with who marked each and when. No other list contains them.',
    },
    run: listSpam,
  }),
  operation({
    name: 'spam.set',
    summary: 'Mark a chat or ticket as spam, or as not spam',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'spam', method: 'POST' },
    records: { session_id: 'session' },
    tool: {
      name: 'mark_spam',
      description:
        'Mark one chat (session_id) or one ticket (ticket_id) as spam: it leaves every queue, count and report, nobody is ' +
        'notified of it, and it is deleted after the site’s retention. spam false undoes it. The sender doesn’t notice.',
      idempotent: true,
    },
    run: setSpam,
  }),
  operation({
    ...agentsRead,
    name: 'inbox.counts',
    summary: 'Count the chats and tickets of the queues',
    run: countQueues,
  }),
  operation({
    ...agentsRead,
    name: 'inbox_views.list',
    summary: 'List the shared views, those of the agent’s teams and the agent’s own, with their counts',
    run: listInboxViews,
  }),
  operation({
    ...agentsWrite,
    name: 'inbox_views.create',
    summary: 'Save a list of the inbox as a view: private, for a team or for everyone',
    run: createInboxView,
  }),
  operation({
    ...agentsWrite,
    name: 'inbox_views.update',
    summary: 'Rename, move, change or share a view',
    records: { id: 'saved_view' },
    run: updateInboxView,
  }),
  operation({
    ...agentsWrite,
    name: 'inbox_views.delete',
    summary: 'Delete a view; its chats and tickets stay as they are',
    records: { id: 'saved_view' },
    run: (ctx, { id }) => deleteInboxView(ctx, id),
  }),
];
