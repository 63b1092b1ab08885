import { randomUUID } from 'node:crypto';
import type { Redaction } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let receiver: Receiver;
beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestApp(), startReceiver()]);
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => Promise.all([app.close(), receiver.close()]));

const RULES: Redaction = {
  kinds: ['card', 'iban', 'password'],
  patterns: [{ name: 'customer number', pattern: 'C-######' }],
};
const CARD = '4111 1111 1111 1111';

async function redactAll(redaction: Redaction = RULES): Promise<void> {
  const { status } = await app.desk(cookie, 'site.update', { redaction });
  expect(status).toBe(200);
}

async function made(resource: string, body: object): Promise<Json> {
  const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
  expect(answer.status).toBe(201);
  return answer.body.data;
}

/** Every row of every table that contains the text, also in bodies of webhooks. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = app.app.database;
  const found: string[] = [];
  for (const { schema = 'public', name } of await db.introspection.getTables()) {
    const { rows } = await sql`
      select from ${sql.id(schema, name)} record where position(${text} in record::text) > 0
        or position(encode(convert_to(${text}, 'UTF8'), 'hex') in record::text) > 0`.execute(db);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const send = (socket: TestSocket, text: string): Promise<Json> =>
  socket.call('chat.send', { session_id: null, client_id: randomUUID(), text });

it('a visitor’s text is redacted before it is stored, shown or sent', async () => {
  await redactAll();
  await app.desk(cookie, 'webhook_subscriptions.create', {
    url: receiver.url,
    events: ['message_created', 'feedback'],
  });
  const desk = await TestSocket.agent(app.url, cookie);
  const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey);
  // An incomplete number can't be recognised.
  expect(welcome.site.typing_preview).toBe(false);
  const { session, message } = await send(socket, `Charge ${CARD}, I am C-123456, password: swordfish`);
  const { session_id } = session;
  const shown = 'Charge •••• 1111, I am [customer number], password: ••••••••';
  expect(message.text).toBe(shown);
  await until(async () => JSON.stringify(desk.frames).includes('•••• 1111'));
  await app.desk(cookie, 'sessions.close', { session_id });
  await socket.call('chat.rate', { session_id, rating: 5, comment: `Thanks, ${CARD}` });
  const sent = (): string => receiver.requests.map(({ body }) => String(body)).join('\n');
  await until(async () => sent().includes('"feedback"'));
  const bodies = sent();
  expect(bodies).toContain(shown);
  expect(bodies).toContain('Thanks, •••• 1111');
  for (const secret of ['4111 1111', 'C-123456', 'swordfish']) {
    expect(await tablesWith(secret), secret).toEqual([]);
    expect(bodies).not.toContain(secret);
    expect(JSON.stringify(desk.frames)).not.toContain(secret);
  }
});

it('agents’ texts stay, and everything stays without rules', async () => {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const before = await send(socket, `Mine is ${CARD}`);
  expect(before.message.text).toBe(`Mine is ${CARD}`);
  await redactAll();
  await app.desk(cookie, 'sessions.accept', { session_id: before.session.session_id });
  const sent = await app.desk(cookie, 'sessions.reply', {
    session_id: before.session.session_id,
    client_id: randomUUID(),
    text: `Our account: DE89 3704 0044 0532 0130 00`,
  });
  expect(sent.status).toBe(200);
  expect(await tablesWith('DE89 3704')).toContain('messages');
  // Rules apply to new texts, not to stored ones.
  expect(await tablesWith('Mine is 4111')).toContain('messages');
  await redactAll({ kinds: [], patterns: [] });
  const after = await send(socket, `Again ${CARD}`);
  expect(after.message.text).toBe(`Again ${CARD}`);
});

it('a customer’s ticket and replies are redacted, by API and through the portal', async () => {
  await redactAll();
  const ticket = await made('tickets', {
    subject: 'Card 3782 822463 10005',
    body: 'It is 3782 822463 10005.',
    requester: { key: `user_${randomUUID()}`, name: 'Priya' },
  });
  expect(ticket).toMatchObject({ subject: 'Card •••• 0005', description: 'It is •••• 0005.' });
  const link = await made('portal_token', { ticket_id: ticket.id });
  const page = await fetch(`${app.url}/portal/${link.token}`);
  const form = new FormData();
  for (const [, name = '', value = ''] of (await page.text()).matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  ))
    form.append(name, value);
  form.append('text', 'And FR14 2004 1010 0505 0001 3M02 606');
  const answer = await fetch(`${app.url}/portal/${link.token}`, { method: 'POST', body: form });
  expect(await answer.text()).toContain('And •••• 2606');
  for (const secret of ['3782 822463', 'FR14 2004']) expect(await tablesWith(secret), secret).toEqual([]);
});

it('of a redacted email neither the HTML nor the raw message stays', async () => {
  await redactAll();
  const box = await made('mailboxes', { address: `${randomUUID()}@shop.example`, route: 'http', http: {} });
  const path = new URL(box.http.url).pathname;
  const post = async (id: string, subject: string, html: string): Promise<Json> => {
    const mail = `From: Maya <maya@customer.example>\r\nTo: ${box.address}\r\nMessage-ID: <${id}@customer.example>\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n\r\n${html}\r\n`;
    const headers = { 'content-type': 'message/rfc822' };
    expect((await fetch(app.url + path, { method: 'POST', body: mail, headers })).status).toBe(200);
    const row = async (): Promise<Json> =>
      (
        await app.app.database.pool.query('select * from received_mails where message_id = $1', [
          `${id}@customer.example`,
        ])
      ).rows[0];
    await until(async () => (await row())?.state === 'ticket');
    return row();
  };
  const redacted = await post(randomUUID(), 'My card', '<p>It is <b>4111</b> 1111 <i>1111 1111</i></p>');
  expect(redacted.raw).toBeNull();
  const { body } = await app.rest(site.read, 'GET', `/v1/tickets?id=${redacted.ticket_id}`);
  expect(body.data.description).toBe('It is •••• 1111');
  const mails = await app.app.database.pool.query('select html from ticket_mails where ticket_id = $1', [
    redacted.ticket_id,
  ]);
  expect(mails.rows).toEqual([{ html: null }]);
  expect(await tablesWith('<b>4111</b>')).toEqual([]);
  const clean = await post(randomUUID(), 'My parcel', '<p>It is <b>late</b></p>');
  expect(clean.raw).not.toBeNull();
  expect(await tablesWith('<b>late</b>')).toContain('ticket_mails');
});

it('patterns that would match most numbers, and names without an end, are refused', async () => {
  for (const redaction of [
    { kinds: ['card', 'phone'], patterns: [] },
    { kinds: [], patterns: [{ name: 'x', pattern: '##-#' }] },
    { kinds: [], patterns: [{ name: 'x'.repeat(41), pattern: '####' }] },
    { kinds: [], patterns: Array.from({ length: 21 }, () => ({ name: 'x', pattern: '####' })) },
  ])
    expect((await app.desk(cookie, 'site.update', { redaction })).status).toBe(400);
});
