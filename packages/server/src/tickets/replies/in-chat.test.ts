import { randomUUID } from 'node:crypto';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { openChat } from '../../../test/stand.ts';

// A site without mail: the team's answers to a ticket must reach its visitor where they are.

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const desk = async (operation: string, input: object): Promise<Json> =>
  (await app.desk(cookie, operation, input)).body.data;
/** No agent was online, and the visitor left an address. */
const left = async () => {
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  await chat.socket.call('chat.request_person', { session_id: chat.id, client_id: randomUUID() });
  await chat.socket.call('chat.leave_email', { session_id: chat.id, email: 'vi@visitor.example' });
  const { ticket_id } = await desk('sessions.get', { session_id: chat.id });
  return { ...chat, ticketId: ticket_id as number };
};
const answer = (ticketId: number, parts: object = {}): Promise<Json> =>
  desk('ticket_replies.create', { ticket_id: ticketId, type: 'public', body: 'It is **fixed**.', ...parts });
const said = (socket: Awaited<ReturnType<typeof left>>['socket']) =>
  socket.next('message', ({ message }) => message.sender === 'agent');
const mailOf = (ticketId: number): Promise<Json> => desk('tickets.mail', { id: ticketId });

it('the answer to a ticket from a chat is sent in that chat, by any author; a note is not', async () => {
  const { socket, ticketId } = await left();
  expect(await mailOf(ticketId)).toMatchObject({ goes_to: null, in_chat: true });
  await answer(ticketId, { type: 'note', body: 'Between us' });
  const { id } = await answer(ticketId);
  const { message } = await said(socket);
  expect(message).toMatchObject({ text: 'It is **fixed**.', author: { name: 'Ada' } });
  expect((await mailOf(ticketId)).replies).toEqual([
    { reply_id: id, state: 'in_chat', error: null, undo_until_utc: null },
  ]);
  expect(JSON.stringify(socket.frames)).not.toContain('Between us');
  const sent = await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticketId,
    type: 'public',
    body: 'And sent.',
  });
  expect(sent.body.data.delivery).toBe('in_chat');
  await socket.next('message', ({ message: next }) => next.text === 'And sent.');
  socket.cut();
});

it('files and long answers are behind a link to the page of the ticket', async () => {
  const { socket, ticketId } = await left();
  await answer(ticketId, {
    body: 'x'.repeat(MESSAGE_MAX),
    attachments: [{ name: 'label.pdf', content: 'eA==' }],
  });
  const { text } = (await said(socket)).message;
  expect(text.length).toBeLessThanOrEqual(MESSAGE_MAX);
  expect(text).toContain('…\n\nAttachments, on the page below: label.pdf\n');
  const link = new URL(text.split('\n').at(-1) ?? '');
  const page = await fetch(app.url + link.pathname);
  expect(await page.text()).toContain('x'.repeat(MESSAGE_MAX));
  socket.cut();
});

it('nothing is sent in a chat that has ended, nor in somebody else’s', async () => {
  const ended = await left();
  await ended.socket.call('chat.end', { session_id: ended.id });
  await answer(ended.ticketId);
  expect(await mailOf(ended.ticketId)).toMatchObject({ in_chat: false, replies: [{ state: 'not_sent' }] });

  const other = await left();
  const { id } = await desk('tickets.create', {
    subject: 'From the phone',
    body: 'Broken',
    requester: { name: 'Priya' },
    session_id: other.id,
  });
  await answer(id, { body: 'For Priya alone' });
  expect(await mailOf(id)).toMatchObject({ in_chat: false, replies: [{ state: 'not_sent' }] });
  const transcript = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${other.id}`);
  expect(transcript.body.data.messages.length).toBeGreaterThan(0);
  expect(JSON.stringify(transcript.body)).not.toContain('For Priya alone');
  for (const { socket } of [ended, other]) socket.cut();
});
