import { randomUUID } from 'node:crypto';
import type { OutputOf, Session, SessionDetail, TicketSummary } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { answerAsRequester } from '../../test/fixtures/tickets.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: string;
let benId: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const agent = { email: 'ben@activity.example', name: 'Ben' };
  benId = (await makeAgent(site.operator, agent)).id;
  ben = await app.signIn(agent.email);
});
afterAll(() => app.close());

async function desk<T = Json>(operation: string, input: object = {}, by = cookie): Promise<T> {
  const { status, body } = await app.desk(by, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
}

/** A visitor who waits for a person, and their messages. */
async function waitingChat() {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const asked = { session_id: null, client_id: randomUUID() };
  const { session_id } = (await socket.call('chat.request_person', asked)) as Session;
  const say = (text: string) => socket.call('chat.send', { session_id, client_id: randomUUID(), text });
  const shown = (): Promise<SessionDetail> => desk('sessions.get', { session_id });
  const reply = (text: string) => desk('sessions.reply', { session_id, client_id: randomUUID(), text });
  return { session_id, say, shown, reply };
}

test('system messages replace nobody’s words, in a chat, a list or the visitor’s history', async () => {
  const { session_id, say, shown, reply } = await waitingChat();
  expect(await shown()).toMatchObject({ last_message: null, about: null });
  await say('Hi');
  await say('Where is my order from Monday?');
  await say('It had two lamps');
  await desk('sessions.accept', { session_id });
  await desk('sessions.transfer', { session_id, agent_id: benId });
  const words = { sender: 'visitor', text: 'It had two lamps' };
  expect(await shown()).toMatchObject({ last_message: words, last_seq: 6 });
  await desk('sessions.accept', { session_id, take_over: true });
  await reply('On its way');
  await desk('sessions.close', { session_id });
  const closed = {
    last_message: { sender: 'agent', text: 'On its way' },
    about: 'Where is my order from Monday?',
  };
  expect(await shown()).toMatchObject(closed);
  const listed = await desk<Session[]>('sessions.list', { queue: 'closed' });
  expect(listed.find((one) => one.session_id === session_id)).toMatchObject(closed);
  const { visitor } = await shown();
  const history = await desk<OutputOf<'visitors.timeline'>['items']>('visitors.timeline', {
    key: visitor.key,
    kind: 'chat',
  });
  expect(history).toMatchObject([{ last_text: 'Where is my order from Monday?' }]);
});

test('a chat says since when its visitor has had no answer', async () => {
  const { session_id, say, shown, reply } = await waitingChat();
  const waiting = await shown();
  expect(waiting.unanswered_since_utc).toBe(waiting.waiting_since_utc);
  await say('Anybody?');
  await desk('sessions.accept', { session_id });
  expect((await shown()).unanswered_since_utc).toBe(waiting.unanswered_since_utc);
  await reply('Yes');
  expect((await shown()).unanswered_since_utc).toBeNull();
  await say('Good');
  const since = (await shown()).unanswered_since_utc;
  expect(since).toBe((await shown()).last_message?.created_utc);
  await say('So where is it?');
  expect((await shown()).unanswered_since_utc).toBe(since);
  await desk('sessions.close', { session_id });
  expect((await shown()).unanswered_since_utc).toBeNull();
});

const makeTicket = async (subject: string): Promise<number> =>
  (await desk('tickets.create', { subject, body: 'Please', requester: { name: 'Mira' } })).id;
const openTickets = (): Promise<TicketSummary[]> => desk('inbox.tickets', { queue: 'open' });

type BulkRun = OutputOf<'bulk_changes.get'>;

async function bulk(change: object, tickets: number[]): Promise<number> {
  const { id } = await desk<BulkRun>('bulk_changes.start', { of: { tickets, sessions: [] }, change });
  await finished(id);
  return id;
}
const finished = (id: number): Promise<void> =>
  until(async () => (await desk<BulkRun>('bulk_changes.get', { id })).finished_utc !== null);

test('a change of properties moves no ticket, and neither does its undo; a message does', async () => {
  const [first, second] = [await makeTicket('First'), await makeTicket('Second')];
  const before = (await openTickets()).map(({ id, last_activity_utc }) => [id, last_activity_utc]);
  expect(before.map(([id]) => id)).toEqual([second, first]);
  await desk('tickets.update', { id: first, priority: 'high', tags: ['lamps'], assignee_id: benId });
  await desk('ticket_snoozes.set', { ticket_id: first, minutes: 60 });
  await desk('ticket_snoozes.set', { ticket_id: first, until_utc: null });
  const note = { ticket_id: first, client_id: randomUUID(), type: 'note', text: 'Look' };
  await desk('tickets.reply', note);
  const id = await bulk({ action: 'set_priority', priority: 'urgent' }, [first]);
  expect((await openTickets()).at(-1)).toMatchObject({ id: first, priority: 'urgent' });
  const undo = await desk<BulkRun>('bulk_changes.undo', { id });
  await finished(undo.id);
  const after = await openTickets();
  expect(after.map(({ id, last_activity_utc }) => [id, last_activity_utc])).toEqual(before);
  expect(after.at(-1)).toMatchObject({ id: first, priority: 'high', replied_utc: null });

  await answerAsRequester(site.operator, first);
  expect((await openTickets()).map((one) => one.id)).toEqual([first, second]);
});

test('a ticket says since when its requester has had no answer, and when the team replied', async () => {
  const id = await makeTicket('Asked');
  const shown = async () => (await openTickets()).find((one) => one.id === id);
  const created = await shown();
  expect(created?.unanswered_since_utc).toBe(created?.created_utc);
  await desk('tickets.reply', { ticket_id: id, client_id: randomUUID(), type: 'public', text: 'Here' });
  const replied = await shown();
  expect(replied).toMatchObject({ unanswered_since_utc: null, replied_utc: replied?.last_activity_utc });
  await desk('tickets.update', { id, status: 'solved' });
  await answerAsRequester(site.operator, id);
  const reopened = await shown();
  expect(reopened?.unanswered_since_utc).toBe(reopened?.last_activity_utc);
  expect(reopened?.replied_utc).toBe(replied?.replied_utc);
});

test('the notification of a mention shows the note, whatever is written or reported after it', async () => {
  const { session_id, say } = await waitingChat();
  const text = 'Could you check the shelf, @Ben?';
  const mentions = [{ id: benId, name: 'Ben' }];
  await desk('sessions.note', { session_id, client_id: randomUUID(), text, mentions });
  await say('Hello?');
  await desk('sessions.accept', { session_id });
  const listed = await desk<OutputOf<'notifications.list'>>('notifications.list', {}, ben);
  expect(listed.notifications.find(({ kind }) => kind === 'mention')).toMatchObject({ session_id, text });
});
