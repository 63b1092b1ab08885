import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type Mailbox, type ReceivedMail, shown, startMailbox } from '../../../test/mailbox.ts';
import { readReplyAddress } from '../../mail/mailboxes/reply-addresses.ts';
import { lockTicket } from '../tickets.ts';
import { mailReply } from './mail.ts';
import { replyToTicket } from './replies.ts';

let server: Mailbox;
let ownServer: Mailbox;
let app: TestApp;
let site: TestSite;
let cookie: string;
let address: string;
let own: string;
beforeAll(async () => {
  [server, ownServer] = await Promise.all([startMailbox(), startMailbox()]);
  app = await startTestApp({
    SMTP_URL: server.url,
    FOYER_MAIL_FROM: 'help@installation.example',
    FOYER_MAIL_DOMAINS: 'shop.example',
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  address = `${randomUUID()}@visitor.example`;
  own = `help-${randomUUID()}@shop.example`;
});
afterAll(async () => {
  await app.close();
  await Promise.all([server.close(), ownServer.close()]);
});

interface MailboxParts {
  name?: string;
  signature?: string;
  has_plus_addresses?: boolean;
  smtp_host?: string;
  smtp_port?: number;
  smtp_security?: 'starttls';
}

const makeMailbox = async (parts: MailboxParts = {}, mailbox = own): Promise<number> => {
  const now = new Date();
  const { id } = await app.app.database.db
    .insertInto('mailboxes')
    .values({
      site_id: site.operator.site.id,
      address: mailbox,
      incoming: 'smtp',
      created_at: now,
      updated_at: now,
      ...parts,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
const makeTicket = async (parts: object = {}): Promise<number> => {
  const body = { subject: 'The lamp', body: 'It broke.', requester: { email: address, name: 'Priya' } };
  return (await app.rest(site.write, 'POST', '/v1/tickets', { ...body, ...parts })).body.data.id;
};
const reply = async (ticketId: number, parts: object = {}): Promise<Json> => {
  const input = { ticket_id: ticketId, type: 'public', body: 'A new one is on its way.', ...parts };
  return (await app.desk(cookie, 'ticket_replies.create', input)).body.data;
};
const mailsTo = (to: string, { received }: Mailbox = server): ReceivedMail[] =>
  received.filter((mail) => mail.to.includes(to));
const waitForMail = async (to = address, count = 1, at = server): Promise<ReceivedMail> => {
  await until(async () => mailsTo(to, at).length === count);
  return mailsTo(to, at).at(-1) as ReceivedMail;
};
/** As the inbound pipeline stores the customer's mail. */
const receive = async (ticketId: number, messageId: string, subject: string, cc: object[] = []) => {
  const { pool } = app.app.database;
  await pool.query(
    `insert into ticket_mails (site_id, ticket_id, is_outgoing, message_id, subject, created_at)
     values ($1, $2, false, $3, $4, now())`,
    [site.operator.site.id, ticketId, messageId, subject],
  );
  await pool.query('update tickets set mail_subject = $3, cc_list = $4 where site_id = $1 and id = $2', [
    site.operator.site.id,
    ticketId,
    subject,
    JSON.stringify(cc),
  ]);
};

it('answers from the site’s only mailbox, is answered by mail, and links to nothing', async () => {
  await makeMailbox({ name: 'Lamp help', has_plus_addresses: true });
  const ticketId = await makeTicket();
  await reply(ticketId);
  const mail = await waitForMail();
  expect(mail).toMatchObject({ from: own, to: [address] });
  expect(mail.headers).toMatchObject({
    from: `Lamp help <${own}>`,
    to: `Priya <${address}>`,
    subject: 'Re: The lamp',
    // `All` would suppress the bounces that the mailbox reads.
    'x-auto-response-suppress': 'OOF, AutoReply',
  });
  const answerTo = mail.headers['reply-to'] ?? '';
  const target = readReplyAddress(site.operator.services, site.operator.site.id, own, answerTo.toUpperCase());
  expect(target).toEqual({ target: 'ticket', id: ticketId });
  const text = shown(mail);
  expect(text).toContain('You can reply to this email.');
  expect(text).not.toMatch(/\/portal\/|aren’t read|localhost|It broke/);
});

it('comes from the installation’s address for a domain that the operator hasn’t allowed, and is answered to the mailbox', async () => {
  const foreign = `ceo-${randomUUID()}@bank.example`;
  await makeMailbox({ name: 'The bank' }, foreign);
  const ticketId = await makeTicket();
  const sent = await reply(ticketId);
  const mail = await waitForMail();
  expect(mail.from).toBe('help@installation.example');
  expect(mail.headers).toMatchObject({
    from: 'The bank <help@installation.example>',
    'reply-to': foreign,
    'message-id': expect.stringMatching(new RegExp(`^<reply-\\d+-${sent.id}\\..*@installation\\.example>$`)),
  });
  const { body } = await app.rest(site.write, 'GET', '/v1/mailboxes');
  expect(body.data[0]).toMatchObject({ address: foreign, replies_from: 'help@installation.example' });
});

it('continues the customer’s thread under their newest subject, to everybody they wrote to', async () => {
  await makeMailbox();
  const ticketId = await makeTicket();
  const friend = `${randomUUID()}@friends.example`;
  const people = [
    { name: 'Sam', address: friend },
    { name: null, address: own },
    { name: null, address: address.toUpperCase() },
  ];
  await receive(ticketId, 'first@customer.example', 'The lamp');
  await receive(ticketId, 'second@customer.example', 'Two lamps', people);
  const { id } = await reply(ticketId);
  const mail = await waitForMail();
  expect(mail.to.toSorted()).toEqual([address, friend].toSorted());
  expect(mail.headers).toMatchObject({
    subject: 'Re: Two lamps',
    cc: `Sam <${friend}>`,
    'in-reply-to': '<second@customer.example>',
    references: '<first@customer.example> <second@customer.example>',
  });
  // Nobody can guess the id of a reply's mail from the id of another.
  expect(mail.headers['message-id']).toMatch(
    new RegExp(`^<reply-${site.operator.site.id}-${id}\\.[\\w-]{16}@shop\\.example>$`),
  );
  await reply(ticketId, { body: 'And a second one.' });
  const next = await waitForMail(address, 2);
  expect(next.headers['in-reply-to']).toBe(mail.headers['message-id']);
  expect(next.headers.references).toBe(
    `<first@customer.example> <second@customer.example> ${mail.headers['message-id']}`,
  );
  await mailReply(site.operator, id);
  const again = await waitForMail(address, 3);
  expect(again.headers).toEqual({
    ...mail.headers,
    date: again.headers.date,
    'content-type': again.headers['content-type'],
  });
});

it('records the mail with the reply, before it is sent', async () => {
  const mailboxId = await makeMailbox();
  const ticketId = await makeTicket();
  const { id } = await reply(ticketId);
  const { rows } = await app.app.database.pool.query(
    `select message_id, subject, mailbox_id, is_outgoing, from_address, to_list
     from ticket_mails where site_id = $1 and reply_id = $2`,
    [site.operator.site.id, id],
  );
  expect(rows).toEqual([
    expect.objectContaining({
      subject: 'Re: The lamp',
      mailbox_id: mailboxId,
      is_outgoing: true,
      from_address: own,
      to_list: [{ name: 'Priya', address }],
    }),
  ]);
  const mail = await waitForMail();
  expect(mail.headers['message-id']).toBe(`<${rows[0].message_id}>`);
});

it('uses the mailbox’s own server, and the mail server of the site without one', async () => {
  const port = Number(new URL(ownServer.url).port);
  await makeMailbox({ smtp_host: '127.0.0.1', smtp_port: port, smtp_security: 'starttls' });
  await reply(await makeTicket());
  const mail = await waitForMail(address, 1, ownServer);
  expect(mail.from).toBe(own);
  expect(mailsTo(address)).toEqual([]);
});

it('chooses no mailbox if the site has two, and none that is switched off', async () => {
  const first = await makeMailbox();
  await makeMailbox({}, `two-${own}`);
  await reply(await makeTicket());
  expect((await waitForMail()).from).toBe('help@installation.example');
  await app.app.database.pool.query('update mailboxes set is_enabled = false where id = $1', [first]);
  await reply(await makeTicket());
  expect((await waitForMail(address, 2)).from).toBe(`two-${own}`);
});

it('attaches files up to 20 MB together, links to the rest, and shows pictures of the text', async () => {
  await makeMailbox({ signature: 'Your {{site.name}} team' });
  const ticketId = await makeTicket();
  const picture =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const { path } = (await app.desk(cookie, 'article_images.create', { content: picture })).body.data;
  const { id } = await reply(ticketId, {
    body: `See **this**: ![Lamp](${path})`,
    attachments: [{ name: 'label.txt', content: Buffer.from('LABEL').toString('base64') }],
  });
  const mail = await waitForMail();
  expect(mail.raw).toContain('filename=label.txt');
  expect(mail.raw).toContain(Buffer.from('LABEL').toString('base64'));
  const [, cid = ''] = /src="cid:([^"]+)"/.exec(shown(mail)) ?? [];
  expect(mail.raw).toContain(`Content-Id: <${cid}>`.replace('Content-Id', 'Content-ID'));
  expect(shown(mail)).toContain('Your Lantern & Loom team');
  // Larger than mails may be.
  await app.app.database.pool.query(
    `update attachments set size = 21000000, content = convert_to(repeat('x', 21000000), 'utf8') where reply_id = $1`,
    [id],
  );
  await mailReply(site.operator, id);
  const text = shown(await waitForMail(address, 2));
  expect(text).not.toContain('filename=label.txt');
  const [link = ''] = /http:\/\/localhost:\d+(\/attachments\/[^\s"]+)/.exec(text)?.slice(1) ?? [];
  expect(text).toContain('Large files, to download within 30 days:');
  const expires = Number(/expires=(\d+)/.exec(link)?.[1]) * 1000;
  expect(expires - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
});

it('lets no recorded Message-ID, name or address begin a header of its own', async () => {
  await makeMailbox({ name: 'Help\r\nBcc: thief@evil.example' });
  const ticketId = await makeTicket();
  await receive(ticketId, 'x@y\r\nBcc: thief@evil.example', 'Lamp\r\nBcc: thief@evil.example', [
    { name: 'Sam\r\nBcc: thief@evil.example', address: 'sam@friends.example' },
  ]);
  await reply(ticketId);
  const mail = await waitForMail();
  expect(mail.to).toEqual([address, 'sam@friends.example']);
  expect(mail.headers.bcc).toBeUndefined();
  expect(mail.headers.references).not.toContain('thief');
});

const desk = async (name: string, input: object): Promise<Json> => app.desk(cookie, name, input);
const replyFromDesk = async (ticketId: number, parts: object = {}): Promise<Json> => {
  const input = { ticket_id: ticketId, client_id: randomUUID(), type: 'public', text: 'On its way.' };
  return desk('tickets.reply', { ...input, ...parts });
};

it('sends copies to the people whom the agent names, and to the same people next time', async () => {
  await makeMailbox();
  const ticketId = await makeTicket();
  const [friend, boss] = [`${randomUUID()}@friends.example`, `${randomUUID()}@shop.example`];
  await replyFromDesk(ticketId, { cc: [{ address: friend, name: 'Sam' }], bcc: [{ address: boss }] });
  const mail = await waitForMail();
  expect(mail.to.toSorted()).toEqual([address, friend, boss].toSorted());
  expect(mail.headers.cc).toBe(`Sam <${friend}>`);
  expect(mail.raw).not.toContain(boss);
  await reply(ticketId, { body: 'Again.' });
  expect((await waitForMail(address, 2)).to.toSorted()).toEqual([address, friend].toSorted());
  await reply(ticketId, { body: 'Only to you.', cc: [] });
  expect((await waitForMail(address, 3)).to).toEqual([address]);
  const { mails } = (await desk('tickets.mails', { id: ticketId })).body.data;
  expect(mails[0]).toMatchObject({
    is_outgoing: true,
    from: { name: null, address: own },
    to: [{ name: 'Priya', address }],
    cc: [{ name: 'Sam', address: friend }],
    bcc: [{ name: null, address: boss }],
  });
});

it('refuses copies to an invalid address, and for tickets without a mailbox', async () => {
  const ticketId = await makeTicket();
  const hostile = await replyFromDesk(ticketId, {
    cc: [{ address: 'a@b.example\r\nBcc: thief@evil.example' }],
  });
  expect([hostile.status, hostile.body.error.issues[0].path]).toEqual([400, 'cc.0.address']);
  const refused = await replyFromDesk(ticketId, { cc: [{ address: 'sam@friends.example' }] });
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'copies_need_mailbox']);
  expect((await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data.replies).toEqual([]);
});

it('undoes a reply before its mail is sent, and restores the ticket and its files', async () => {
  await makeMailbox();
  const ticketId = await makeTicket();
  const made = await replyFromDesk(ticketId, { status: 'solved', undo_s: 60 });
  const reply_id = made.body.data.id;
  const queued = (await desk('tickets.mail', { id: ticketId })).body.data.replies[0];
  expect(queued).toMatchObject({ state: 'queued', undo_until_utc: expect.any(String) });
  const undone = await desk('tickets.undo_reply', { ticket_id: ticketId, reply_id });
  expect(undone.body.data).toMatchObject({ text: 'On its way.', files: [] });
  const ticket = (await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data;
  expect(ticket).toMatchObject({ status: 'new', replies: [], reply_count: 0 });
  await mailReply(site.operator, reply_id);
  expect(mailsTo(address)).toEqual([]);
  expect((await desk('tickets.undo_reply', { ticket_id: ticketId, reply_id })).status).toBe(404);
});

it('can’t undo a reply whose mail is being sent, nor a colleague’s', async () => {
  await makeMailbox();
  const ticketId = await makeTicket();
  const { id: reply_id } = (await replyFromDesk(ticketId, { undo_s: 60 })).body.data;
  await mailReply(site.operator, reply_id);
  await waitForMail();
  const refused = await desk('tickets.undo_reply', { ticket_id: ticketId, reply_id });
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'reply_sent']);
  const byToken = await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticketId,
    type: 'public',
    body: 'Now.',
  });
  const other = { ticket_id: ticketId, reply_id: byToken.body.data.id };
  expect((await desk('tickets.undo_reply', other)).status).toBe(404);
});

it('mails a new ticket to a customer, whose answer belongs to it', async () => {
  const [, second] = [await makeMailbox(), await makeMailbox({ has_plus_addresses: true }, `two-${own}`)];
  const parts = { subject: 'Your order', body: 'It **is** late.', send: true, mailbox_id: second };
  const ticketId = await makeTicket(parts);
  const mail = await waitForMail();
  expect(mail.headers).toMatchObject({ from: `"Lantern & Loom" <two-${own}>`, subject: 'Your order' });
  expect(shown(mail)).toContain('<strong>is</strong>');
  const target = readReplyAddress(
    site.operator.services,
    site.operator.site.id,
    `two-${own}`,
    mail.headers['reply-to'] ?? '',
  );
  expect(target).toEqual({ target: 'ticket', id: ticketId });
  const ticket = (await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data;
  expect(ticket).toMatchObject({ status: 'pending', description: '', reply_count: 1 });
  expect(ticket.replies[0]).toMatchObject({ body: 'It **is** late.', author: { type: 'token' } });
});

it('creates no ticket that claims to have been mailed, if nothing can be sent', async () => {
  await makeMailbox();
  const before = (await app.rest(site.read, 'GET', '/v1/tickets')).body.data.length;
  const refused = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'x',
    body: 'y',
    requester: { name: 'Nobody' },
    send: true,
  });
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'This customer has no email address, so nothing can be sent.',
  ]);
  expect((await app.rest(site.read, 'GET', '/v1/tickets')).body.data).toHaveLength(before);
});

it('moves a customer’s message into a ticket of its own, together with its mail', async () => {
  await makeMailbox();
  const ticketId = await makeTicket();
  const { id: reply_id } = await site.operator.transaction(async (tx) => {
    const row = await lockTicket(tx, ticketId);
    const author = { type: 'requester', id: null, name: '' } as const;
    return replyToTicket(tx, row, { type: 'public', body: 'Also, my kettle is cold.', author });
  });
  await app.app.database.pool.query(
    `insert into ticket_mails (site_id, ticket_id, reply_id, is_outgoing, message_id, subject, created_at)
     values ($1, $2, $3, false, 'kettle@customer.example', 'The kettle', now())`,
    [site.operator.site.id, ticketId, reply_id],
  );
  const made = (await desk('tickets.split', { ticket_id: ticketId, reply_id })).body.data;
  expect(made).toMatchObject({ subject: 'The kettle', requester: { email: address }, reply_count: 1 });
  const read = async (id: number) => (await app.rest(site.read, 'GET', `/v1/tickets?id=${id}`)).body.data;
  expect((await read(ticketId)).replies).toEqual([]);
  expect((await read(made.id)).replies).toMatchObject([{ id: reply_id, body: 'Also, my kettle is cold.' }]);
  await reply(made.id);
  expect((await waitForMail()).headers).toMatchObject({
    subject: 'Re: The kettle',
    'in-reply-to': '<kettle@customer.example>',
  });
  const ours = (await reply(ticketId)).id;
  const team = await desk('tickets.split', { ticket_id: ticketId, reply_id: ours });
  expect([team.status, team.body.error.reason]).toEqual([409, 'split_team']);
});
