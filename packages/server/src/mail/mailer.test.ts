import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Mailbox, startMailbox } from '../../test/mailbox.ts';
import { createMailer, type Mail, MailRefused } from './mailer.ts';
import { readMailSettings } from './settings.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.close());

const mailer = (from = 'help@shop.example') => {
  const settings = readMailSettings({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: from });
  if (!settings) throw new Error('no settings');
  return createMailer(settings);
};

const mail: Mail = {
  to: { name: 'Priya', address: 'priya@visitor.example' },
  fromName: 'Lantern & Loom',
  subject: 'Re: The lamp',
  text: 'Hello',
  html: '<p>Hello</p>',
  id: 'reply-1-2',
  thread: ['ticket-1-1'],
};

it('sends one mail to one person, in the site’s name, as part of its thread', async () => {
  await mailer().send(mail);
  const got = mailbox.received.at(-1);
  expect(got).toMatchObject({ from: 'help@shop.example', to: ['priya@visitor.example'] });
  expect(got?.headers).toMatchObject({
    from: '"Lantern & Loom" <help@shop.example>',
    to: 'Priya <priya@visitor.example>',
    subject: 'Re: The lamp',
    'message-id': '<reply-1-2@shop.example>',
    references: '<ticket-1-1@shop.example>',
    'in-reply-to': '<ticket-1-1@shop.example>',
  });
});

it('is in the name of FOYER_MAIL_FROM if that has one', async () => {
  await mailer('Support <help@shop.example>').send(mail);
  expect(mailbox.received.at(-1)?.headers.from).toBe('Support <help@shop.example>');
});

it('lets no text begin a header, an address or a command of its own', async () => {
  const hostile = 'x\r\nBcc: thief@evil.example\r\n\r\nbody\u2028"<a@b.example>, c';
  const before = mailbox.received.length;
  await mailer().send({
    ...mail,
    to: { name: hostile, address: 'priya@visitor.example' },
    fromName: hostile,
    subject: hostile,
    text: 'Hello\r\n.\r\nMAIL FROM:<thief@evil.example>\r\n',
  });
  expect(mailbox.received.length).toBe(before + 1);
  const got = mailbox.received.at(-1);
  expect(got?.to).toEqual(['priya@visitor.example']);
  expect(Object.keys(got?.headers ?? {})).not.toContain('bcc');
  expect(got?.headers.from).toMatch(/<help@shop\.example>$/);
  expect(got?.headers.to).toMatch(/<priya@visitor\.example>$/);
});

it('distinguishes permanent refusals from errors that may be retried', async () => {
  for (const at of ['rcpt', 'data'] as const) {
    mailbox.refuseWith({ code: 550, at });
    await expect(mailer().send(mail)).rejects.toBeInstanceOf(MailRefused);
    mailbox.refuseWith({ code: 451, at });
    const error = await mailer()
      .send(mail)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(MailRefused);
  }
  mailbox.refuseWith(undefined);
});

it('fails, and may be retried, if no server listens', async () => {
  const settings = readMailSettings({ SMTP_URL: 'smtp://127.0.0.1:9', FOYER_MAIL_FROM: 'help@shop.example' });
  if (!settings) throw new Error('no settings');
  const error = await createMailer(settings)
    .send(mail)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: expect.stringMatching(/^E/) });
  expect(error).not.toBeInstanceOf(MailRefused);
});

it('sends no password to a server without encryption, if that is required', async () => {
  const settings = readMailSettings({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' });
  if (!settings) throw new Error('no settings');
  const strict = { ...settings, requireTls: true, user: 'help', password: 'open sesame' };
  const count = mailbox.received.length;
  await expect(createMailer(strict).send(mail)).rejects.toMatchObject({ code: 'ETLS' });
  expect(mailbox.received).toHaveLength(count);
});
