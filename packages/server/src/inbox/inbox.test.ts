import { randomUUID } from 'node:crypto';
import type { Reply, Session, StateQueue, TicketDetail, TicketSummary } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { answerAsRequester } from '../../test/fixtures/tickets.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const agent = await makeAgent(site.operator, {
    email: 'ben@inbox.example',
    name: 'Ben',
  });
  ben = agent.id;
});
afterAll(() => app.close());

async function desk<T>(operation: string, input: object = {}): Promise<T> {
  const { status, body } = await app.desk(cookie, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
}

const makeTicket = async (fields: object = {}): Promise<number> => {
  const made = await desk<{ id: number }>('tickets.create', {
    subject: 'Refund',
    body: 'Please',
    requester: { name: 'Mira' },
    ...fields,
  });
  return made.id;
};
const idsIn = async (queue: StateQueue): Promise<number[]> =>
  (await desk<{ id: number }[]>('inbox.tickets', { queue })).map(({ id }) => id);

test('a ticket is in the queues of its state, and nowhere else', async () => {
  const fresh = await makeTicket();
  const mine = await makeTicket({ assignee_id: site.admin.agentId });
  const bens = await makeTicket({ assignee_id: ben });
  const solved = await makeTicket();
  await desk('tickets.update', { id: solved, status: 'solved' });
  const snoozed = await makeTicket({ assignee_id: site.admin.agentId });
  await desk('ticket_snoozes.set', { ticket_id: snoozed, minutes: 60 });

  expect(await idsIn('waiting')).toEqual([fresh]);
  expect(await idsIn('mine')).toEqual([mine]);
  expect(await idsIn('unassigned')).toEqual([fresh]);
  expect(await idsIn('open')).toEqual([bens, mine, fresh]);
  expect(await idsIn('snoozed')).toEqual([snoozed]);
  expect(await idsIn('closed')).toEqual([solved]);
  expect(await desk('inbox.counts')).toEqual({
    waiting: 1,
    mine: 1,
    mentions: 0,
    unassigned: 1,
    open: 3,
    snoozed: 1,
    spam: 0,
    teams: [],
  });
});

test('a queue is read page by page, the one with the latest activity first, and shows no long text', async () => {
  const before = await idsIn('open');
  await answerAsRequester(site.operator, before.at(-1) ?? 0);
  const first = await app.desk(cookie, 'inbox.tickets', { queue: 'open', limit: 2 });
  const next = await app.desk(cookie, 'inbox.tickets', {
    queue: 'open',
    limit: 2,
    cursor: first.body.page.next_cursor,
  });
  const read = [...first.body.data, ...next.body.data];
  expect(read.map(({ id }: { id: number }) => id)).toEqual([before.at(-1), ...before.slice(0, -1)]);
  expect(next.body.page.next_cursor).toBeNull();
  expect(read[0]).not.toHaveProperty('description');
});

test('agents see at once tickets that are created, changed, answered and deleted; those of other sites don’t', async () => {
  const other = await app.makeSite();
  const elsewhere = await TestSocket.agent(app.url, await app.signIn(other.admin.email));
  const agent = await TestSocket.agent(app.url, cookie);
  const heard = (id: number, status: string) =>
    agent.next('tickets_changed', ({ tickets }) =>
      tickets.some((ticket) => ticket.id === id && ticket.status === status),
    );
  const id = await makeTicket();
  await heard(id, 'new');
  await desk('ticket_replies.create', { ticket_id: id, type: 'note', body: 'between us' });
  await desk('ticket_replies.create', { ticket_id: id, type: 'public', body: 'It is on its way' });
  await heard(id, 'open');
  await app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, { status: 'pending' });
  await heard(id, 'pending');
  await app.rest(site.write, 'DELETE', `/v1/tickets?id=${id}`);
  await agent.next('tickets_changed', ({ gone }) => gone.includes(id));
  expect(elsewhere.frames.filter(({ type }) => type === 'tickets_changed')).toEqual([]);
  agent.cut();
  elsewhere.cut();
});

test('a bulk change is sent in few frames', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, () => makeTicket()));
  const agent = await TestSocket.agent(app.url, cookie);
  await desk('tickets_bulk.change', { ids, action: 'set_priority', priority: 'urgent' });
  const told = () =>
    agent.frames
      .flatMap((frame) => (frame.type === 'tickets_changed' ? frame.tickets : []))
      .map(({ id }) => id);
  await agent.next('tickets_changed', () => ids.every((id) => told().includes(id)));
  expect(agent.frames.filter(({ type }) => type === 'tickets_changed').length).toBeLessThan(ids.length);
  agent.cut();
});

test('a reply that the desk sends twice is stored once, with the files that were uploaded for it', async () => {
  const id = await makeTicket();
  const [upload_id, client_id] = [randomUUID(), randomUUID()];
  const put = await fetch(`${app.url}/app/uploads/${upload_id}?name=label.txt`, {
    method: 'PUT',
    headers: { cookie, origin: app.url, 'content-type': 'text/plain' },
    body: 'parcel',
  });
  expect(put.status).toBeLessThan(300);
  const reply = { ticket_id: id, client_id, type: 'public', text: 'Here', attachments: [upload_id] };
  const [one, two] = await Promise.all([
    desk<Reply>('tickets.reply', reply),
    desk<Reply>('tickets.reply', reply),
  ]);
  expect(two.id).toBe(one.id);
  const stored = [{ id: one.id, body: 'Here', attachments: [{ name: 'label.txt', size: 6 }] }];
  expect((await desk<TicketDetail>('tickets.list', { id })).replies).toMatchObject(stored);
  const again = { ...reply, client_id: randomUUID() };
  expect((await app.desk(cookie, 'tickets.reply', again)).status, 'its file has gone').toBe(404);
  await fetch(`${app.url}/app/uploads/${upload_id}`, {
    method: 'DELETE',
    headers: { cookie, origin: app.url },
  });
  expect((await desk<TicketDetail>('tickets.list', { id })).replies).toMatchObject(stored);
  const nothing = { ...reply, client_id: randomUUID(), text: '', attachments: [] };
  expect((await app.desk(cookie, 'tickets.reply', nothing)).status).toBe(400);
});

test('of two agents who answer a ticket at once, one sees the other’s reply, and then sends theirs all the same', async () => {
  const id = await makeTicket();
  const bens = await app.signIn('ben@inbox.example');
  const answer = (as: string, said: object = {}) =>
    app.desk(as, 'tickets.reply', {
      ticket_id: id,
      client_id: randomUUID(),
      type: 'public',
      text: 'It comes',
      seen: 0,
      ...said,
    });
  const both = await Promise.all([answer(cookie), answer(bens)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const second = both[0]?.status === 409 ? cookie : bens;
  const stored = both.find(({ status }) => status === 200)?.body.data;
  expect(both.find(({ status }) => status === 409)?.body.error).toMatchObject({
    reason: 'answered_meanwhile',
    values: { name: stored.author.name },
  });
  expect((await answer(second, { type: 'note' })).status, 'a note answers nobody').toBe(200);
  const { replies } = await desk<TicketDetail>('tickets.list', { id });
  expect((await answer(second, { seen: replies.at(-1)?.id })).status).toBe(200);
  expect((await answer(second, { seen: replies.at(-1)?.id })).status, 'after one’s own').toBe(200);
  expect((await answer(second, { seen: undefined })).status).toBe(200);
});

test('a closed ticket names its follow-ups', async () => {
  const id = await makeTicket();
  await desk('tickets.update', { id, status: 'solved' });
  await site.operator.db.updateTable('tickets').set({ status: 'closed' }).where('id', '=', id).execute();
  const { url } = await desk<{ url: string }>('portal_links.create', { ticket_id: id });
  expect(await desk('tickets.follow_ups', { id })).toEqual({ merged_into_id: null, tickets: [] });
  const path = new URL(url).pathname;
  const page = await (await fetch(app.url + path)).text();
  const form = new FormData();
  for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g))
    form.set(name, value);
  form.set('text', 'Still broken');
  await fetch(app.url + path, {
    method: 'POST',
    body: form,
    headers: { origin: app.url },
    redirect: 'manual',
  });
  expect(await desk('tickets.follow_ups', { id })).toMatchObject({
    tickets: [{ follow_up_of: id, requester: { name: 'Mira' } }],
  });
});

const isUnread = async (id: number): Promise<boolean | undefined> =>
  (await desk<TicketSummary[]>('inbox.filtered', { limit: 200 })).find((ticket) => ticket.id === id)?.unread;
const markRead = (id: number, seen = 0) => desk('tickets.mark_read', { id, seen });
const makeOverRest = async (): Promise<number> => {
  const ticket = { subject: 'Refund', body: 'Please', requester: { key: 'user_mira' } };
  return (await app.rest(site.write, 'POST', '/v1/tickets', ticket)).body.data.id;
};

test('a ticket is unread for the whole team from its requester’s message on until somebody opens it, and not for what the team does', async () => {
  const id = await makeTicket();
  expect(await isUnread(id), 'made by an agent').toBe(false);
  await answerAsRequester(site.operator, id);
  expect(await isUnread(id)).toBe(true);
  const listed = await app.desk(await app.signIn('ben@inbox.example'), 'inbox.tickets', { queue: 'open' });
  expect(listed.body.data.find((ticket: TicketSummary) => ticket.id === id).unread, 'to Ben').toBe(true);
  const { replies } = await desk<TicketDetail>('tickets.list', { id });
  await markRead(id, replies.at(-1)?.id);
  expect(await isUnread(id)).toBe(false);
  await desk('ticket_replies.create', { ticket_id: id, type: 'public', body: 'Here it is' });
  await app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, { status: 'solved' });
  expect(await isUnread(id)).toBe(false);
  const overRest = await makeOverRest();
  expect(await isUnread(overRest), 'made for somebody').toBe(true);
  await markRead(overRest);
  await desk('tickets.mark_unread', { id: overRest });
  expect(await isUnread(overRest), 'by hand').toBe(true);
});

test('an answer that arrives while its ticket is being opened stays unread', async () => {
  const id = await makeOverRest();
  await answerAsRequester(site.operator, id);
  await markRead(id);
  expect(await isUnread(id), 'of a page that does not show it').toBe(true);
  for (const at of [1, 2, 3, 4, 5]) {
    const { replies } = await desk<TicketDetail>('tickets.list', { id });
    await Promise.all([markRead(id, replies.at(-1)?.id), answerAsRequester(site.operator, id)]);
    expect(await isUnread(id), `both at once, ${at}`).toBe(true);
  }
});

test('desks learn once that a ticket was read; it doesn’t move in its list, and the API doesn’t say so', async () => {
  const agent = await TestSocket.agent(app.url, cookie);
  const id = await makeOverRest();
  const told = (): boolean[] =>
    agent.frames.flatMap((frame) =>
      frame.type === 'tickets_changed'
        ? frame.tickets.filter((ticket) => ticket.id === id).map(({ unread }) => unread)
        : [],
    );
  const isTold = (times: number) => agent.next('tickets_changed', () => told().length === times);
  await isTold(1);
  const path = `/v1/tickets?id=${id}`;
  const before = (await app.rest(site.read, 'GET', path)).body.data;
  expect(Object.keys(before)).not.toContain('unread');
  await markRead(id);
  await isTold(2);
  await markRead(id);
  await desk('tickets.mark_unread', { id });
  await isTold(3);
  await desk('tickets.mark_unread', { id });
  // The frame of a ticket created now comes after all others.
  const last = await makeTicket();
  await agent.next('tickets_changed', ({ tickets }) => tickets.some((ticket) => ticket.id === last));
  expect(told()).toEqual([true, false, true]);
  expect((await app.rest(site.read, 'GET', path)).body.data).toEqual(before);
  agent.cut();
});

test('a chat that is marked as unread stays so until it is opened again, and its visitor doesn’t notice', async () => {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const sent = { session_id: null, client_id: randomUUID(), text: 'Hello' };
  const { session } = (await socket.call('chat.send', sent)) as { session: Session };
  const { session_id } = session;
  await desk('sessions.accept', { session_id });
  await desk('sessions.mark_read', { session_id, seq: 1 });
  const seen = async (): Promise<Session> => desk<Session>('sessions.get', { session_id });
  const { agent_read_seq } = await seen();
  expect(await desk('sessions.mark_unread', { session_id })).toMatchObject({ marked_unread: true });
  expect(await seen()).toMatchObject({ marked_unread: true, agent_read_seq });
  const shown = await socket.next('session', (frame) => frame.session.agent_read_seq === agent_read_seq);
  expect(shown.session).not.toHaveProperty('marked_unread');
  await desk('sessions.mark_read', { session_id, seq: 0 });
  expect(await seen()).toMatchObject({ marked_unread: false, agent_read_seq });
  socket.cut();
});
