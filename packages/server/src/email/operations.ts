import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { mailLogOperations } from './log/operations.ts';
import { createMailbox, deleteMailbox, listMailboxes, updateMailbox } from './mailboxes/mailboxes.ts';
import { beginSignIn, finishSignIn, listMailProviders } from './mailboxes/sign-in.ts';
import { testMailbox } from './mailboxes/test-connection.ts';

/** Mailboxes, and the mail they received. */
export const emailOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'mailboxes',
    record: 'mailbox',
    who: ['token', 'admin'],
    audit: 'mailbox',
    list: {
      summary: 'List mailboxes, or read one by id',
      records: { id: 'mailbox' },
      tool: 'List the mailboxes: email addresses whose mail becomes tickets, how it comes in, and whether one is failing and why. Only people can create and change mailboxes, in the desk.',
      run: listMailboxes,
    },
    create: { summary: 'Create a mailbox; its passwords are never returned', run: createMailbox },
    update: { summary: 'Update a mailbox, its servers or its passwords', run: updateMailbox },
    delete: { summary: 'Delete a mailbox and its mail log; its tickets stay', run: deleteMailbox },
  }),
  operation({
    name: 'mailboxes.test',
    summary: 'Sign in to the servers of a mailbox and name the exact problem',
    who: ['admin'],
    scope: 'write',
    records: { id: 'mailbox' },
    run: testMailbox,
  }),
  operation({
    name: 'mailboxes.providers',
    summary: 'List the providers that mailboxes can sign in with',
    ...adminsRead,
    run: listMailProviders,
  }),
  operation({
    name: 'mailboxes.begin_sign_in',
    summary: 'Begin to sign a mailbox in with its provider',
    ...adminsWrite,
    records: { id: 'mailbox' },
    run: beginSignIn,
  }),
  operation({
    name: 'mailboxes.finish_sign_in',
    summary: 'Finish the sign-in of a mailbox with what the provider has returned',
    ...adminsWrite,
    records: { id: 'mailbox' },
    run: finishSignIn,
  }),
  ...mailLogOperations,
];
