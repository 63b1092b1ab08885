import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type Mailbox, type ReceivedMail, shown, startMailbox } from '../../../test/mailbox.ts';
import {
  allow,
  type LogRow,
  type MailDesk,
  mail,
  openMailDesk,
  PROVEN,
} from '../../../test/mails/mail-desk.ts';
import type { SiteContext } from '../../core/context.ts';
import { openDevice } from '../../visitors/identity/devices.ts';
import { leavePage, openPage } from '../../visitors/pages/pages.ts';
import { appendMessage } from '../append/append-message.ts';
import { blockVisitor } from '../block-visitor.ts';
import { markReadByVisitor, noteContact, requestPerson, sendMessage } from '../chat.ts';
import { closeSession } from '../closing.ts';
import { reply } from '../desk.ts';
import { chatEmailClock } from './email-clock.ts';

// Chats whose visitors have left: unread replies are sent by email, and answers become messages of the chat.

let server: Mailbox;
let app: TestApp;
let site: TestSite;
let desk: MailDesk;
let cookie: string;
let address: string;
beforeAll(async () => {
  server = await startMailbox();
  app = await startTestApp({
    SMTP_URL: server.url,
    FOYER_MAIL_FROM: 'help@installation.example',
    FOYER_MAIL_DOMAINS: '*',
  });
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  desk = await openMailDesk({ db: app.app.database.db, makeSite: async () => site.operator });
  allow(desk.zone, 'visitor.example');
  address = `${randomUUID()}@visitor.example`;
});
afterAll(async () => {
  await app.close();
  await server.close();
});

interface Chat {
  id: number;
  sessionId: string;
  at: SiteContext;
  pageId: number;
}

/** A visitor with a page open, whose chat is handed over and who leaves an address. */
async function startChat(email: string | null = address): Promise<Chat> {
  const { db } = site.operator;
  const key = `anon_${randomUUID()}`;
  const { visitorId, deviceId } = await openDevice(db, site.site.id, {
    key,
    now: new Date(),
    browser: { userAgent: 'Firefox', language: 'en', timeZone: 'UTC' },
  });
  const at = app.app.contextFor(site.site, { kind: 'visitor', visitorId, deviceId, verified: false });
  const shownPage = { url: 'https://shop.example/lamps', title: 'Lamps', referrer: null };
  const pageId = await openPage(at, { ...shownPage, deviceId, verified: false, node: 'one' });
  const first = {
    sessionId: null,
    clientId: randomUUID(),
    text: 'Is the lamp in stock?',
    pageUrl: shownPage.url,
  };
  const { sessionId } = await sendMessage(at, first);
  await requestPerson(at, { sessionId, clientId: randomUUID() });
  if (email !== null) await noteContact(at, visitorId, email, undefined);
  const { rows } = await sql<{ id: number }>`
    select id from conversations where site_id = ${site.site.id} and session_id = ${sessionId}`.execute(db);
  return { id: rows[0]?.id as number, sessionId, at, pageId: pageId as number };
}

const agent = (): SiteContext =>
  app.app.contextFor(site.site, { kind: 'agent', agentId: site.admin.agentId, name: 'Ada', role: 'admin' });
const say = (sessionId: string, text: string) => reply(agent(), sessionId, { clientId: randomUUID(), text });
const leave = ({ at, pageId }: Chat) => leavePage(at, pageId);

/** Shifts everything that has happened into the past by this much. */
async function pass(minutes: number): Promise<void> {
  const later = sql`make_interval(mins => ${minutes})`;
  const { db } = app.app.database;
  await sql`update messages set created_at = created_at - ${later} where site_id = ${site.site.id}`.execute(
    db,
  );
  await sql`
    update visitor_pages set opened_at = opened_at - ${later}, left_at = left_at - ${later} where site_id = ${site.site.id}`.execute(
    db,
  );
  await sql`
    update unread_replies set due_at = due_at - ${later} where site_id = ${site.site.id}`.execute(db);
}

/** Checks a chat as any process's recurring job does. */
const look = ({ id }: Chat) => chatEmailClock.run(app.app.contextFor(site.site, { kind: 'job' }), id);
const mailsTo = (to = address): ReceivedMail[] => server.received.filter((one) => one.to.includes(to));
const states = async ({ sessionId }: { sessionId: string }): Promise<string[]> =>
  (await detail(sessionId)).emails.flatMap(({ state }: Json) => state ?? []);
const detail = async (session_id: string): Promise<Json> =>
  (await app.desk(cookie, 'sessions.get', { session_id })).body.data;

async function emailed(chat: Chat, count = 1): Promise<ReceivedMail> {
  await pass(11);
  await look(chat);
  await until(async () => mailsTo().length === count && !(await states(chat)).includes('queued'));
  return mailsTo().at(-1) as ReceivedMail;
}

const messages = async (sessionId: string): Promise<Json[]> =>
  (await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${sessionId}`)).body.data.messages;
/** The visitor's messages. */
const words = async (sessionId: string): Promise<string[]> =>
  (await messages(sessionId)).filter(({ sender }) => sender === 'visitor').map(({ text }) => text);

/** The visitor answers an email. */
const answer = (sent: ReceivedMail, body: string, headers: Record<string, string | undefined> = {}) =>
  desk.receive(
    mail(
      { From: address, To: sent.headers['reply-to'], Subject: `Re: ${sent.headers.subject}`, ...headers },
      body,
    ),
    { envelopeFrom: address, envelopeTo: sent.headers['reply-to'] as string, ...PROVEN },
  );
const log = async (row: LogRow): Promise<Json> =>
  (await app.rest(site.read, 'GET', `/v1/received_mails?id=${row.id}`)).body.data;

it('several unread replies go out in one email once the visitor is away, and none of them again', async () => {
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, **three**.');
  await say(chat.sessionId, 'Shall I reserve one?');
  await look(chat);
  await leave(chat);
  await pass(5);
  await look(chat);
  expect(await states(chat)).toEqual([]);
  const sent = await emailed(chat);
  const text = shown(sent);
  expect(text).toMatch(/Ada:\s+Yes, three\.[\s\S]+Ada:\s+Shall I reserve one\?/);
  expect(text).toContain('<strong>three</strong>');
  for (const part of [
    'You can reply to this email.',
    'https://shop.example/lamps',
    'left your address in a chat',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('joined');
  expect(sent.headers).toMatchObject({
    subject: 'Your chat with Lantern & Loom',
    'reply-to': expect.stringMatching(/^help\+c\d+\./),
  });
  await pass(60);
  await look(chat);
  await say(chat.sessionId, 'We close at six.');
  const next = await emailed(chat, 2);
  expect(shown(next)).toContain('We close at six.');
  expect(shown(next)).not.toContain('three');
  expect(next.headers).toMatchObject({
    subject: 'Re: Your chat with Lantern & Loom',
    'in-reply-to': sent.headers['message-id'],
  });
});

it('nothing is sent to a visitor who reads first, has no address, is blocked or ended the chat', async () => {
  const chats = [await startChat(), await startChat(null), await startChat(), await startChat()] as const;
  const [reader, , blocked, ended] = chats;
  for (const chat of chats) {
    await say(chat.sessionId, 'Yes.');
    await leave(chat);
  }
  await markReadByVisitor(reader.at, reader.sessionId, 10);
  await closeSession(ended.at, ended.sessionId);
  const { visitor } = await detail(blocked.sessionId);
  await blockVisitor(agent(), visitor.key);
  await pass(11);
  for (const chat of chats) await look(chat);
  for (const chat of chats) expect(await states(chat)).toEqual([]);
  const { rows } = await sql`select from unread_replies where site_id = ${site.site.id}`.execute(
    app.app.database.db,
  );
  expect(rows).toEqual([]);
});

it('an answer is the visitor’s next message, with its files and without quoted text; the team answers by email again', async () => {
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await leave(chat);
  const sent = await emailed(chat);
  const boundary = 'parts';
  const row = await answer(
    sent,
    `--${boundary}\nContent-Type: text/plain; charset=utf-8\n\nOne, please.\n\nOn Mon, 2 Nov 2026 at 10:00, Ada wrote:\n> Yes, three.\n\n--${boundary}\nContent-Type: text/plain; name="order.txt"\nContent-Disposition: attachment; filename="order.txt"\n\nOne lamp\n--${boundary}--`,
    { 'Content-Type': `multipart/mixed; boundary=${boundary}`, 'Message-ID': '<answer@visitor.example>' },
  );
  expect(await log(row)).toMatchObject({ outcome: 'chat', reason: null, session_id: chat.sessionId });
  expect((await messages(chat.sessionId)).at(-1)).toMatchObject({
    sender: 'visitor',
    text: 'One, please.',
    attachments: [{ name: 'order.txt' }],
  });
  expect(await detail(chat.sessionId)).toMatchObject({
    status: 'active',
    unanswered_since_utc: expect.any(String),
    emails: [
      { direction: 'out', state: 'sent', address, error: null },
      { direction: 'in', state: null, address, quoted: expect.stringContaining('Yes, three.') },
    ],
  });
  const news = await app.desk(cookie, 'notifications.list', {});
  expect(JSON.stringify(news.body.data)).toContain(chat.sessionId);
  await say(chat.sessionId, 'Reserved.');
  const next = await emailed(chat, 2);
  expect(next.headers['in-reply-to']).toBe('<answer@visitor.example>');
  // Without the address of the chat, by the mails that it references.
  const third = { To: desk.address, 'In-Reply-To': next.headers['message-id'] };
  const found = await desk.receive(mail({ From: address, ...third }, 'Thank you.'), {
    envelopeFrom: address,
    ...PROVEN,
  });
  expect(found.state).toBe('chat');
  expect((await words(chat.sessionId)).at(-1)).toBe('Thank you.');
});

it('an answer to a closed chat opens one follow-up chat, for people, in the same browser', async () => {
  await sql`
    insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
    values (${site.site.id}, 'https://receiver.example', ${['conversation_started', 'message_created']}, 'x', 'xxxx')`.execute(
    app.app.database.db,
  );
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await closeSession(agent(), chat.sessionId);
  await leave(chat);
  const sent = await emailed(chat);
  await answer(sent, 'One, please.');
  await answer(sent, 'Or two.');
  const before = await detail(chat.sessionId);
  const next = await detail(before.next_session_id);
  expect([before.status, next.status, next.previous_session_id]).toEqual([
    'closed',
    'waiting',
    chat.sessionId,
  ]);
  expect(next.handoff.summary).toContain('The visitor replied by email.');
  expect(await words(next.session_id)).toEqual(['One, please.', 'Or two.']);
  const { rows } = await sql<{ told: Json }>`
    select convert_from(body, 'UTF8')::jsonb as told from webhook_events
    where site_id = ${site.site.id} order by created_at, id`.execute(app.app.database.db);
  const channels = rows.map(({ told }) => [told.session_id === chat.sessionId, told.channel]);
  expect(channels).toContainEqual([true, 'chat']);
  expect(channels.filter(([isBefore, channel]) => !isBefore && channel === 'email')).toHaveLength(3);
  // The widget shows it.
  await markReadByVisitor(chat.at, next.session_id, 1);
});

it('nobody else can write as the visitor: their mail is suspended, and accepted it is a ticket of their own', async () => {
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await leave(chat);
  const sent = await emailed(chat);
  const to = { To: sent.headers['reply-to'] };
  const unproven = await desk.receive(mail({ From: address, ...to }, 'It is me'), {
    envelopeTo: to.To as string,
  });
  const other = await desk.receive(mail({ From: 'eve@elsewhere.example', ...to }, 'It is me'), PROVEN);
  for (const row of [unproven, other])
    expect(await log(row)).toMatchObject({
      outcome: 'suspended',
      reason: 'not_visitor',
      session_id: chat.sessionId,
    });
  expect(await words(chat.sessionId)).toEqual(['Is the lamp in stock?']);
  for (const [row, outcome] of [
    [unproven, 'chat'],
    [other, 'ticket'],
  ] as const) {
    await app.rest(site.write, 'POST', '/v1/received_mails', { id: row.id, action: 'accept' });
    await until(async () => (await log(row)).outcome === outcome);
  }
  expect((await words(chat.sessionId)).at(-1)).toBe('It is me');
});

it('automatic answers are only logged, and a bounce marks the email as undelivered', async () => {
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await leave(chat);
  const sent = await emailed(chat);
  const away = await answer(sent, 'I am on holiday.', { 'Auto-Submitted': 'auto-replied' });
  expect(await log(away)).toMatchObject({ outcome: 'ignored', reason: 'auto_reply' });
  const report = `--b\nContent-Type: text/plain\n\nNo such user\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.visitor.example\n\nFinal-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n--b\nContent-Type: message/rfc822\n\nMessage-ID: ${sent.headers['message-id']}\nSubject: x\n\ny\n--b--`;
  const bounce = await desk.receive(
    mail(
      {
        From: 'mailer-daemon@visitor.example',
        'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
      },
      report,
    ),
    { envelopeFrom: '' },
  );
  expect(await log(bounce)).toMatchObject({
    outcome: 'bounce',
    reason: 'undelivered',
    session_id: chat.sessionId,
  });
  expect((await detail(chat.sessionId)).emails).toMatchObject([
    {
      state: 'bounced',
      error: expect.stringContaining('no such user'),
      attempts: [{ outcome: 'sent' }, { outcome: 'bounced' }],
    },
  ]);
  expect(await words(chat.sessionId)).toEqual(['Is the lamp in stock?']);
});

it('the bot answers a few emails in a row by email; then the chat is handed over', async () => {
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await leave(chat);
  let sent = await emailed(chat);
  await app.desk(cookie, 'sessions.transfer', { session_id: chat.sessionId, agent_id: null });
  await sql`update conversations set status = 'bot', agent_id = null, waiting_since = null
    where site_id = ${site.site.id} and session_id = ${chat.sessionId}`.execute(app.app.database.db);
  for (let round = 1; round <= 4; round++) {
    await sql`update received_mails set received_at = received_at - interval '1 hour' where site_id = ${site.site.id}`.execute(
      app.app.database.db,
    );
    await answer(sent, `And number ${round}?`);
    if (round === 4) break;
    await sayAsBot(chat, `Answer ${round}`);
    sent = await emailed(chat, round + 1);
    expect(sent.headers['auto-submitted']).toBe('auto-generated');
  }
  expect((await detail(chat.sessionId)).status).toBe('waiting');
});

async function sayAsBot({ sessionId }: Chat, text: string): Promise<void> {
  await site.operator.transaction((tx) =>
    appendMessage(
      tx,
      sessionId,
      { sender: 'bot', clientId: randomUUID(), text, author: { id: null, name: 'Bot' } },
      sql<boolean>`c.status = 'bot'`,
    ),
  );
}

it('without a mailbox, the email leads to the chat and says that answers aren’t read', async () => {
  await sql`delete from mailboxes where site_id = ${site.site.id}`.execute(app.app.database.db);
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await leave(chat);
  const sent = await emailed(chat);
  expect(sent.from).toBe('help@installation.example');
  expect(shown(sent)).toContain('Replies to this email aren’t read. Please continue in the chat.');
  expect(sent.headers['reply-to']).toBeUndefined();
});

it('a site chooses the delay, the mailbox, or to send none', async () => {
  const second = await desk.addMailbox(`sales-${randomUUID()}@shop.example`);
  const change = async (input: object) => (await app.desk(cookie, 'site.update', input)).status;
  expect(await change({ email_replies_after_min: 0 })).toBe(400);
  expect(await change({ chat_mailbox_id: 999_999_999 })).toBe(404);
  expect(await change({ email_replies_after_min: 2, chat_mailbox_id: second })).toBe(200);
  const chat = await startChat();
  await say(chat.sessionId, 'Yes, three.');
  await leave(chat);
  await pass(3);
  await look(chat);
  await until(async () => mailsTo().length === 1);
  expect(mailsTo()[0]?.from).toMatch(/^sales-/);
  expect(await change({ email_replies_after_min: null })).toBe(200);
  await say(chat.sessionId, 'Still there?');
  const { rows } = await sql`select from unread_replies where site_id = ${site.site.id}`.execute(
    app.app.database.db,
  );
  expect(rows).toEqual([]);
});

it('an address gets at most 20 emails a day, no matter whose chats they are', async () => {
  const [one, other] = [await startChat(), await startChat()];
  const { db } = app.app.database;
  await sql`
    insert into chat_mails (site_id, conversation_id, is_outgoing, from_seq, to_seq, message_id, to_address, state, created_at)
    select ${site.site.id}, ${other.id}, true, 1, 1, 'm' || n, ${address.toUpperCase()}, 'sent', now() from generate_series(1, 20) n`.execute(
    db,
  );
  await say(one.sessionId, 'Yes, three.');
  await leave(one);
  await pass(11);
  await look(one);
  expect(await states(one)).toEqual([]);
  await sql`
    update chat_mails set created_at = now() - interval '25 hours' where site_id = ${site.site.id}`.execute(
    db,
  );
  await pass(61);
  await look(one);
  await until(async () => mailsTo().length === 1);
});
