import { type AnyOperation, agentsRead, agentsWrite, operation } from '../../core/operation.ts';
import { createBlockedSender, deleteBlockedSender, listBlockedSenders } from './blocked-senders.ts';
import { decideAll, decideReceived } from './decide.ts';
import { countSuspended, listReceived } from './list-received.ts';
import { listSent } from './list-sent.ts';
import { linkSource } from './source.ts';

const EVERYBODY = ['token', 'agent'] as const;

/** The mail log, suspended mails, and blocked senders. */
export const mailLogOperations: AnyOperation[] = [
  operation({
    name: 'received_mails.list',
    summary: 'List received emails with what became of each, or read one by id',
    who: EVERYBODY,
    scope: 'read',
    rest: { resource: 'received_mails', method: 'GET' },
    tool: {
      name: 'list_received_mails',
      description:
        'List the emails that the mailboxes received, newest first: what became of each (ticket, reply, suspended, rejected, …) and why. With id, one email with its text, headers and sender checks. Emails with the outcome suspended wait for a person’s decision.',
    },
    run: listReceived,
  }),
  operation({
    name: 'received_mails.count',
    summary: 'Count the emails that wait for a decision',
    ...agentsRead,
    run: countSuspended,
  }),
  operation({
    name: 'received_mails.decide',
    summary: 'Accept a suspended email, block its sender, or process an email again',
    who: EVERYBODY,
    scope: 'write',
    rest: { resource: 'received_mails', method: 'POST' },
    records: { id: 'received_mail' },
    run: decideReceived,
  }),
  operation({
    name: 'received_mails.decide_all',
    summary: 'Accept suspended emails or block their senders',
    ...agentsWrite,
    run: decideAll,
  }),
  operation({
    name: 'received_mails.source',
    summary: 'Create a link to download the raw message of an email',
    who: ['admin'],
    scope: 'read',
    records: { id: 'received_mail' },
    run: linkSource,
  }),
  operation({
    name: 'blocked_senders.list',
    summary: 'List blocked senders of email',
    who: EVERYBODY,
    scope: 'read',
    rest: { resource: 'blocked_senders', method: 'GET' },
    tool: {
      name: 'list_blocked_senders',
      description: 'List the addresses and domains whose email is rejected.',
    },
    run: listBlockedSenders,
  }),
  operation({
    name: 'blocked_senders.create',
    summary: 'Block an address or a domain: its email is rejected',
    who: EVERYBODY,
    scope: 'write',
    rest: { resource: 'blocked_senders', method: 'POST', creates: true },
    run: createBlockedSender,
  }),
  operation({
    name: 'blocked_senders.delete',
    summary: 'Unblock a sender',
    who: EVERYBODY,
    scope: 'write',
    rest: { resource: 'blocked_senders', method: 'DELETE' },
    records: { id: 'blocked_sender' },
    run: deleteBlockedSender,
  }),
  operation({
    name: 'sent_mails.list',
    summary: 'List sent emails, or read one by id with every attempt to send it',
    who: EVERYBODY,
    scope: 'read',
    rest: { resource: 'sent_mails', method: 'GET' },
    tool: {
      name: 'list_sent_mails',
      description:
        'List the emails that the team sent to customers, newest first, and whether each was accepted by a mail server. With id, one email with every attempt and the server’s answers.',
    },
    run: listSent,
  }),
];
