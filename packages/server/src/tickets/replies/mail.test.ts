import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type Mailbox, type ReceivedMail, shown, startMailbox } from '../../../test/mailbox.ts';
import { lockTicket } from '../tickets.ts';
import { authorOf } from './authors.ts';
import { mailReply } from './mail.ts';
import { replyToTicket } from './replies.ts';

let mailbox: Mailbox;
let app: TestApp;
let site: TestSite;
let cookie: string;
let address: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await startTestApp({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
beforeEach(() => {
  mailbox.refuseWith(undefined);
  address = `${randomUUID()}@visitor.example`;
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const makeTicket = async (parts: object = {}): Promise<number> => {
  const body = {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { email: address, name: 'Priya' },
    ...parts,
  };
  return (await app.rest(site.write, 'POST', '/v1/tickets', body)).body.data.id;
};
const reply = async (ticketId: number, parts: object = {}): Promise<Json> => {
  const input = { ticket_id: ticketId, type: 'public', body: 'We <b>send</b> a new one.', ...parts };
  return (await app.desk(cookie, 'ticket_replies.create', input)).body.data;
};
const mails = (): ReceivedMail[] => mailbox.received.filter(({ to }) => to.includes(address));
const waitForMail = async (): Promise<ReceivedMail> => {
  await until(async () => mails().length > 0);
  const [mail] = mails();
  if (!mail) throw new Error('no mail');
  return mail;
};
/** The state of a reply's mail in the queue; empty when there is none. */
const jobs = async (replyId: number): Promise<string[]> => {
  const { rows } = await app.app.database.pool.query<{ state: string }>(
    `select state::text from foyer_jobs.job where name = 'mail.reply' and data ->> 'reply_id' = $1`,
    [String(replyId)],
  );
  return rows.map(({ state }) => state);
};

const mailOf = async (id: number): Promise<Json> =>
  (await app.desk(cookie, 'tickets.mail', { id })).body.data;

it('mails a public reply to its requester, with a link for the answer', async () => {
  const ticketId = await makeTicket();
  const { id } = await reply(ticketId, {
    attachments: [{ name: 'label.pdf', content: 'eA==' }],
  });
  const mail = await waitForMail();
  expect(mail).toMatchObject({ from: 'help@shop.example', to: [address] });
  expect(mail.headers).toMatchObject({
    from: '"Lantern & Loom" <help@shop.example>',
    to: `Priya <${address}>`,
    subject: 'Re: The lamp',
    'x-auto-response-suppress': 'All',
  });
  // A person wrote it, to one person.
  for (const name of ['auto-submitted', 'list-id', 'list-unsubscribe', 'precedence', 'bcc', 'cc'])
    expect(mail.headers[name], name).toBeUndefined();
  const text = shown(mail);
  expect(text).toContain('We <b>send</b> a new one.');
  expect(text).toContain('We &lt;b&gt;send&lt;/b&gt; a new one.');
  expect(text).toContain('Ada, Lantern & Loom');
  expect(text).toContain('label.pdf');
  const [link = ''] = /http:\/\/localhost:\d+\/portal\/[\w-]{43}/.exec(text) ?? [];
  const page = await fetch(app.url + new URL(link).pathname);
  expect(await page.text()).toContain('The lamp');
  await until(async () => (await jobs(id)).join() === 'completed');
  // The token is at rest only as a hash, in the queue too.
  const token = new URL(link).pathname.split('/').at(-1) ?? '';
  const { rows } = await app.app.database.pool.query('select data::text from foyer_jobs.job');
  expect(JSON.stringify(rows)).not.toContain(token);
});

it('mails emphasis, lists and links as such, in plain text too, with absolute links to articles', async () => {
  const body = 'Ask **Mia**, please:\n\n1. Read [Returns](/help/shop/returns).\n2. Pack the `lamp`.';
  await reply(await makeTicket(), { body });
  const text = shown(await waitForMail());
  const returns = `${/(http:\/\/localhost:\d+)\/portal/.exec(text)?.[1]}/help/shop/returns`;
  expect(text).toContain(`Ask Mia, please:\r\n\r\n1. Read Returns (${returns}).\r\n2. Pack the lamp.`);
  expect(text).toContain('<strong>Mia</strong>');
  expect(text).toContain(`<a href="${returns}" rel="noopener noreferrer">Returns</a>`);
  expect(text).toContain('<code>lamp</code>');
  for (const raw of ['**', '](', '`']) expect(text).not.toContain(raw);
});

it('ends a mail with the agent’s signature, else with the site’s, and the reply itself with neither', async () => {
  const sign = (parts: object): Promise<Json> => app.desk(cookie, 'me.set_signature', parts);
  const ofSite = (signature: string): Promise<Json> => app.desk(cookie, 'site.update', { signature });
  await ofSite('The team of {{site.name}}\n[Help](https://shop.example/help)');
  const ticketId = await makeTicket();
  const { id } = await reply(ticketId);
  const shared = shown(await waitForMail());
  expect(shared).toContain('The team of Lantern & Loom\r\nHelp (https://shop.example/help)');
  expect(shared).toContain('<a href="https://shop.example/help" rel="noopener noreferrer">Help</a>');
  expect(shared).not.toContain('Ada, Lantern');

  await sign({ signature: '**{{ agent.name }}** looks after lamps' });
  await reply(ticketId, { body: 'And another.' });
  await until(async () => mails().length === 2);
  const own = shown(mails()[1] as ReceivedMail);
  expect(own).toContain('<strong>Ada</strong> looks after lamps');
  expect(own).not.toContain('The team of');
  const { replies } = (await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data;
  expect(JSON.stringify(replies)).not.toMatch(/looks after|The team of|signature/);

  // Sent again, a mail is the same, whatever the signature is by now.
  await sign({ signature: '' });
  await ofSite('');
  await mailReply(site.operator, id);
  await until(async () => mails().length === 3);
  expect(shown(mails()[2] as ReceivedMail)).toContain('The team of Lantern & Loom');
});

it('omits the signature if the agent or a program asks for that, and refuses unknown variables', async () => {
  await app.desk(cookie, 'me.set_signature', { signature: 'Yours, {{agent.name}}' });
  const ticketId = await makeTicket();
  const input = {
    ticket_id: ticketId,
    client_id: randomUUID(),
    type: 'public',
    text: 'Soon.',
    signed: false,
  };
  await app.desk(cookie, 'tickets.reply', input);
  expect(shown(await waitForMail())).not.toContain('Yours,');
  await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticketId,
    type: 'public',
    body: 'Now.',
  });
  await until(async () => mails().length === 2);
  expect(shown(mails()[1] as ReceivedMail)).not.toContain('Yours,');
  const refused = await app.desk(cookie, 'me.set_signature', { signature: '{{visitor.name}}' });
  expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, 'signature']);
  await app.desk(cookie, 'me.set_signature', { signature: '' });
});

it('puts the mails of one ticket into one thread, each with an id of its own', async () => {
  const ticketId = await makeTicket({ subject: 'RE: The lamp' });
  await reply(ticketId);
  await reply(ticketId, { body: 'And another.' });
  await until(async () => mails().length === 2);
  const [one, two] = mails();
  expect(one?.headers.references).toBe(two?.headers.references);
  expect(one?.headers['in-reply-to']).toBe(one?.headers.references);
  expect(one?.headers['message-id']).not.toBe(two?.headers['message-id']);
  expect(one?.headers.subject).toBe('RE: The lamp');
});

it('mails no note, no message of the requester, and nobody without an address', async () => {
  const ticketId = await makeTicket();
  const note = await reply(ticketId, { type: 'note', body: 'NOTE' });
  const answer = await site.operator.transaction(async (tx) => {
    const row = await lockTicket(tx, ticketId);
    const author = { type: 'requester', id: null, name: '' } as const;
    return replyToTicket(tx, row, { type: 'public', body: 'Mine', author });
  });
  const nameless = await makeTicket({ requester: { key: `user_${randomUUID()}` } });
  const unsent = await reply(nameless);
  for (const { id } of [note, answer, unsent]) expect(await jobs(id)).toEqual([]);
});

it('marks the mail of a program’s reply as generated automatically', async () => {
  const ticketId = await makeTicket();
  await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticketId,
    type: 'public',
    body: 'On its way.',
  });
  const mail = await waitForMail();
  expect(mail.headers['auto-submitted']).toBe('auto-generated');
  // The token's name is for the team only.
  expect(shown(mail)).not.toMatch(/^write/m);
});

it('keeps the mail until the server accepts it, and never fails the reply', async () => {
  const ticketId = await makeTicket();
  mailbox.refuseWith({ code: 451, at: 'data' });
  const before = mailbox.refused();
  const { id } = await reply(ticketId);
  await until(async () => mailbox.refused() > before);
  await until(async () => (await jobs(id)).join() === 'retry');
  mailbox.refuseWith(undefined);
  // It is due in some seconds and found by polling; sending another mail makes the worker look at once.
  await app.app.database.pool.query(
    `update foyer_jobs.job set start_after = now() where data ->> 'reply_id' = $1`,
    [String(id)],
  );
  await reply(await makeTicket({ requester: { email: `${randomUUID()}@visitor.example` } }));
  await waitForMail();
  expect(mails()).toHaveLength(1);
  const links = (await app.rest(site.read, 'GET', `/v1/portal_token?ticket_id=${ticketId}`)).body.data;
  expect(links).toHaveLength(1);
  await until(async () => (await logged(id)).state === 'sent');
  expect((await logged(id)).attempts).toMatchObject([
    { outcome: 'delayed', answer: expect.stringContaining('451') },
    { outcome: 'sent', answer: expect.stringContaining('250') },
  ]);
});

/** A reply's mail in the mail log. */
const logged = async (id: number): Promise<Json> =>
  (await app.rest(site.read, 'GET', `/v1/sent_mails?id=${id}`)).body.data;

it('stops after an address is refused permanently', async () => {
  const ticketId = await makeTicket();
  mailbox.refuseWith({ code: 550, at: 'rcpt' });
  const { id } = await reply(ticketId);
  await until(async () => (await jobs(id)).join() === 'completed');
  expect(mails()).toEqual([]);
});

it('shows why a mail was refused, notifies its author, and mails it when the team retries, once', async () => {
  const ticketId = await makeTicket();
  const retry = (reply_id: number) =>
    app.desk(cookie, 'tickets.retry_mail', { ticket_id: ticketId, reply_id });
  mailbox.refuseWith({ code: 550, at: 'rcpt' });
  const { id } = await reply(ticketId);
  await until(async () => (await mailOf(ticketId)).replies[0]?.state === 'refused');
  const told = async (): Promise<Json[]> =>
    (await app.desk(cookie, 'notifications.list')).body.data.notifications;
  await until(async () => (await told()).some((one) => one.ticket_id === ticketId));
  expect((await told()).find((one) => one.ticket_id === ticketId)).toMatchObject({ kind: 'reply_failed' });
  const listed = async (query: string): Promise<number[]> =>
    (await app.rest(site.read, 'GET', `/v1/sent_mails?${query}`)).body.data.map((one: Json) => one.id);
  expect(await listed(`state=refused&address=${encodeURIComponent(address.toUpperCase())}`)).toEqual([id]);
  expect(await listed(`ticket_id=${ticketId}&state=sent`)).toEqual([]);
  mailbox.refuseWith(undefined);
  await Promise.all([retry(id), retry(id)]);
  await until(async () => (await mailOf(ticketId)).replies[0]?.state === 'sent');
  expect((await mailOf(ticketId)).replies).toEqual([
    { reply_id: id, state: 'sent', error: null, undo_until_utc: null },
  ]);
  expect(mails()).toHaveLength(1);
  expect(await listed('state=sent&limit=1')).toEqual([id]);
  expect((await logged(id)).attempts).toMatchObject([{ outcome: 'refused' }, { outcome: 'sent' }]);
  expect((await retry(id)).body.data.replies[0].state).toBe('sent');
  await reply(await makeTicket({ requester: { email: `${randomUUID()}@visitor.example` } }));
  expect(mails()).toHaveLength(1);
});

it('marks a reply as failed once the mail server was down for the last attempt, and stops', async () => {
  const ticketId = await makeTicket();
  mailbox.refuseWith({ code: 451, at: 'rcpt', to: address });
  const { id } = await reply(ticketId);
  await until(async () => (await jobs(id)).join() === 'retry');
  expect((await mailOf(ticketId)).replies).toEqual([
    { reply_id: id, state: 'queued', error: expect.stringContaining('451'), undo_until_utc: null },
  ]);
  await app.app.database.pool.query(
    `update foyer_jobs.job set start_after = now(), retry_limit = retry_count + 1 where data ->> 'reply_id' = $1`,
    [String(id)],
  );
  await reply(await makeTicket({ requester: { email: `${randomUUID()}@visitor.example` } }));
  await until(async () => (await jobs(id)).join() === 'failed');
  expect((await mailOf(ticketId)).replies).toEqual([
    { reply_id: id, state: 'failed', error: expect.stringContaining('451'), undo_until_utc: null },
  ]);
  expect(mails()).toEqual([]);
});

it('sends no second mail when the first one could not be recorded as sent', async () => {
  const { pool } = app.app.database;
  await pool.query(`create function refuse_sent() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`);
  await pool.query(`create trigger refuse_sent before update on ticket_replies
    for each row when (new.mail_state = 'sent') execute function refuse_sent()`);
  const { id } = await reply(await makeTicket());
  await until(async () => ['completed', 'retry'].includes((await jobs(id)).join()));
  await pool.query('drop function refuse_sent cascade');
  expect(await jobs(id)).toEqual(['completed']);
  expect(mails()).toHaveLength(1);
});

it('is queued with the reply or not at all', async () => {
  const ticketId = await makeTicket();
  let replyId = 0;
  const failed = site.operator.transaction(async (tx) => {
    const row = await lockTicket(tx, ticketId);
    const { id } = await replyToTicket(tx, row, { type: 'public', body: 'x', author: await authorOf(tx) });
    replyId = id;
    throw new Error('the power went');
  });
  await expect(failed).rejects.toThrow('the power went');
  expect(replyId).toBeGreaterThan(0);
  expect(await jobs(replyId)).toEqual([]);
});

it('creates the same mail when it is repeated, and none once the requester was erased', async () => {
  const key = `user_${randomUUID()}`;
  const ticketId = await makeTicket({ requester: { key, email: address } });
  const { id } = await reply(ticketId);
  await until(async () => mails().length === 1);
  await mailReply(site.operator, id);
  const [one, two] = mails();
  expect(two?.headers['message-id']).toBe(one?.headers['message-id']);
  expect(/portal\/[\w-]{43}/.exec(shown(two ?? mails()[0] ?? fail()))?.[0]).toBe(
    /portal\/[\w-]{43}/.exec(shown(one ?? fail()))?.[0],
  );
  await app.rest(site.write, 'DELETE', `/v1/visitors?key=${key}`);
  await mailReply(site.operator, id);
  expect(mails()).toHaveLength(2);
});

function fail(): never {
  throw new Error('no mail');
}

it('lets no subject or name begin a header of its own', async () => {
  const ticketId = await makeTicket({
    subject: 'Lamp\r\nBcc: thief@evil.example',
    requester: { email: address, name: 'Priya\r\nBcc: thief@evil.example' },
  });
  await reply(ticketId);
  const mail = await waitForMail();
  expect(mail.to).toEqual([address]);
  expect(mail.headers.bcc).toBeUndefined();
});

it('is not sent without a mail server', async () => {
  const silent = await startTestApp();
  const own = await silent.makeSite();
  const ticket = await silent.rest(own.write, 'POST', '/v1/tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { email: address },
  });
  const answer = await silent.rest(own.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticket.body.data.id,
    type: 'public',
    body: 'x',
  });
  expect(answer.status).toBe(201);
  const { rows } = await silent.app.database.pool.query(
    `select id from foyer_jobs.job where name = 'mail.reply'`,
  );
  expect(rows).toEqual([]);
  // The requester has an address, and still the desk doesn't say that the reply is sent there.
  const ownCookie = await silent.signIn(own.admin.email);
  const mail = await silent.desk(ownCookie, 'tickets.mail', { id: ticket.body.data.id });
  expect(mail.body.data).toEqual({
    goes_to: null,
    sends_mail: false,
    from: null,
    cc: [],
    in_chat: false,
    replies: [{ reply_id: answer.body.data.id, state: 'not_sent', error: null, undo_until_utc: null }],
  });
  expect((await silent.desk(ownCookie, 'mail.status')).body.data).toEqual({ sends_mail: false });
  await silent.close();
});

it('shows for each reply whether it was mailed, and where the next one is sent', async () => {
  const mailed = await makeTicket();
  expect(await mailOf(mailed)).toEqual({
    goes_to: address,
    sends_mail: true,
    from: null,
    cc: [],
    in_chat: false,
    replies: [],
  });
  const sent = await reply(mailed);
  await reply(mailed, { type: 'note' });
  await until(async () => (await mailOf(mailed)).replies[0]?.state === 'sent');
  expect((await mailOf(mailed)).replies).toEqual([
    { reply_id: sent.id, state: 'sent', error: null, undo_until_utc: null },
  ]);
  mailbox.refuseWith({ code: 550, at: 'rcpt' });
  const refused = await reply(mailed);
  await until(async () => (await mailOf(mailed)).replies[0]?.state === 'refused');
  expect((await mailOf(mailed)).replies[0]).toEqual({
    reply_id: refused.id,
    state: 'refused',
    error: expect.stringContaining('550'),
    undo_until_utc: null,
  });

  const nameless = await makeTicket({ requester: { name: 'Priya' } });
  const unsent = await reply(nameless);
  expect(await mailOf(nameless)).toEqual({
    goes_to: null,
    sends_mail: true,
    from: null,
    cc: [],
    in_chat: false,
    replies: [{ reply_id: unsent.id, state: 'not_sent', error: null, undo_until_utc: null }],
  });
});
