import { randomUUID } from 'node:crypto';
import type { Message } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { openChat } from '../../test/stand.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const ask = async (operation: string, input: object) => (await app.desk(cookie, operation, input)).body.data;
const openOne = (text: string) => openChat({ url: app.url, publicKey: site.publicKey }, text);
const reply = (session_id: string, text: string) =>
  ask('sessions.reply', { session_id, client_id: randomUUID(), text });
const said = ({ messages }: { messages: Message[] }) =>
  messages.filter(({ sender }) => sender !== 'system').map(({ sender, text }) => [sender, text]);

test('a ticket from a chat is its agent’s, and keeps the chat as it was when it was created', async () => {
  const { socket, id } = await openOne('My lamp came broken');
  await reply(id, 'Let me **see**.');
  const ticket = await ask('tickets.create_from_chat', { session_id: id });
  expect(ticket).toMatchObject({ status: 'open', assignee: { id: site.admin.agentId } });
  await reply(id, 'Said after the ticket');
  const { chat } = await ask('tickets.chat', { id: ticket.id });
  const spoken = said(chat).filter(([sender]) => sender !== 'bot');
  expect(spoken).toEqual([
    ['visitor', 'My lamp came broken'],
    ['agent', 'Let me **see**.'],
  ]);
  expect(chat.left_out).toBe(0);
  socket.cut();
});

test('the ticket of an unassigned chat has no assignee', async () => {
  const { socket, id } = await openOne('Do you open on Sunday?');
  const ticket = await ask('tickets.create_from_chat', { session_id: id });
  expect(ticket).toMatchObject({ status: 'new', assignee: null });
  socket.cut();
});

test('of a long chat the newest messages are shown, and how many there are before them', async () => {
  const { socket, id } = await openOne('The first of many');
  for (let number = 0; number < 205; number++) await reply(id, `Line ${number}`);
  const { id: ticketId } = await ask('tickets.create_from_chat', { session_id: id });
  const { chat } = await ask('tickets.chat', { id: ticketId });
  expect(chat.messages).toHaveLength(200);
  expect(chat.messages.at(-1).text).toBe('Line 204');
  expect(chat.left_out).toBe(chat.messages[0].seq - 1);
  socket.cut();
});

test('a ticket with a given text shows that, even when it names a chat', async () => {
  const { socket, id } = await openOne('About the blue one');
  const made = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'The blue one',
    body: 'Written by the shop’s own form',
    requester: { email: 'ann@from-chat.example' },
    session_id: id,
  });
  expect(made.status).toBe(201);
  expect(await ask('tickets.chat', { id: made.body.data.id })).toEqual({ chat: null });
  socket.cut();
});

test('its customer reads the chat as it was then, and no later messages', async () => {
  const { socket, id } = await openOne('Is <b>this</b> one in stock?');
  await reply(id, 'It **is**.');
  const ticket = await ask('tickets.create_from_chat', { session_id: id });
  await reply(id, 'Said in the chat alone');
  const link = await app.rest(site.write, 'POST', '/v1/portal_token', { ticket_id: ticket.id });
  const page = await (await fetch(new URL(new URL(link.body.data.url).pathname, app.url))).text();
  expect(page.match(/<li class="entry (you|team)"/g)?.slice(0, 1)).toEqual(['<li class="entry you"']);
  expect(page).toContain('Is &lt;b&gt;this&lt;/b&gt; one in stock?');
  expect(page).toContain('It <strong>is</strong>.');
  expect(page).not.toContain(' UTC ');
  expect(page).not.toContain('Said in the chat alone');
  expect(page).not.toContain('joined the chat');
  socket.cut();
});
