import type { MailboxRecord } from '@foyer/protocol';
import { expect, test } from 'vitest';
import {
  inputOf,
  type MailboxValues,
  NEW_MAILBOX,
  needsPassword,
  serversOf,
  valuesOf,
  withAddress,
  withProvider,
  withRoute,
} from './mailbox-values.ts';

const typed = (address: string, before: MailboxValues = NEW_MAILBOX): MailboxValues => ({
  ...before,
  ...withAddress(address, before),
});

test('an address of a known provider fills in its servers, and the next one those of another', () => {
  const gmail = typed('help@gmail.com');
  expect(inputOf(gmail)).toMatchObject({
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls', user: 'help@gmail.com', days: 0 },
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', user: 'help@gmail.com' },
    has_plus_addresses: true,
  });
  expect(typed('help@web.de', gmail)).toMatchObject({ provider: 'web_de', hasPlusAddresses: false });
  expect(typed('help@shop.example', gmail)).toMatchObject({
    provider: 'other',
    imapHost: '',
    hasPlusAddresses: false,
  });
});

test('a manually chosen provider stays, whatever is typed', () => {
  const chosen = { ...NEW_MAILBOX, ...withProvider('google', NEW_MAILBOX), isProviderChosen: true };
  expect(typed('help@web.de', chosen)).toMatchObject({ provider: 'google', imapHost: 'imap.gmail.com' });
});

const stored: MailboxRecord = {
  id: 1,
  address: 'help@shop.example',
  name: null,
  signature: null,
  assignee: { id: 3, name: 'Ada' },
  team: { id: 5, name: 'Billing', emoji: null },
  enabled: true,
  route: 'imap',
  sign_in: 'password',
  signed_in_utc: null,
  imap: {
    host: 'imap.shop.example',
    port: 993,
    security: 'tls',
    user: 'help@shop.example',
    has_password: true,
    folder: 'INBOX',
    days: 7,
  },
  smtp: null,
  http: null,
  has_plus_addresses: false,
  replies_from: 'help@shop.example',
  checked_utc: null,
  failing_since_utc: null,
  problem: null,
  created_utc: '2026-11-28T10:00:00.000Z',
  updated_utc: '2026-11-28T10:00:00.000Z',
};

test('mail through a service needs no server, and its key is sent only if it was entered', () => {
  const posted = { ...NEW_MAILBOX, ...withRoute('http'), address: 'help@shop.example' };
  expect(inputOf(posted)).toMatchObject({ smtp: null, has_plus_addresses: true });
  expect(Object.keys(inputOf(posted))).not.toContain('imap');
  expect(inputOf({ ...posted, secret: ' key ' }).http).toEqual({ secret: 'key' });
  expect(needsPassword(posted, null)).toBe(false);
  expect(typed('help@gmail.com', posted)).toMatchObject({ provider: 'other', imapHost: '' });
});

test('saving an unchanged mailbox keeps its servers and passwords', () => {
  const values = valuesOf(stored);
  const { imap, smtp } = serversOf(values);
  const { has_password: _, ...kept } = stored.imap ?? { has_password: true };
  expect(imap).toEqual(kept);
  expect(smtp).toBeNull();
  expect(needsPassword(values, stored)).toBe(false);
});

test('a server for replies that is new needs the password again', () => {
  const values = { ...valuesOf(stored), isOwnSmtp: true, smtpHost: 'smtp.shop.example' };
  expect(needsPassword(values, stored)).toBe(true);
  const other = { ...values, isSameLogin: false, smtpUser: 'sender', smtpPassword: 'secret' };
  expect(needsPassword(other, stored)).toBe(false);
  expect(serversOf(other).smtp).toMatchObject({ user: 'sender', password: 'secret' });
});

test('a mailbox that signs in with its provider leaves the servers to it', () => {
  const outlook = typed('help@outlook.com');
  expect(needsPassword(outlook, null)).toBe(false);
  expect(inputOf(outlook)).toMatchObject({
    sign_in: 'microsoft',
    imap: { user: 'help@outlook.com', folder: 'INBOX', days: 0 },
    smtp: { user: 'help@outlook.com' },
  });
  expect(inputOf(outlook).imap).not.toHaveProperty('host');
  expect(typed('help@gmail.com')).toMatchObject({ signIn: 'password' });
  expect(typed('help@gmail.com', { ...NEW_MAILBOX, canSignIn: ['google'] })).toMatchObject({
    signIn: 'google',
  });
  expect(typed('help@shop.example', outlook)).toMatchObject({ signIn: 'password' });
});
