import type { InboxQueue } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';
import { addAgent } from '../sites/agents.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const agent = await addAgent(site.operator, {
    email: 'ben@inbox.example',
    name: 'Ben',
    password: 'a horse and a battery',
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
const idsIn = async (queue: InboxQueue): Promise<number[]> =>
  (await desk<{ id: number }[]>('inbox.tickets', { queue })).map(({ id }) => id);

test('a ticket is in the queues that its state says, and nowhere else', async () => {
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
  expect(await desk('inbox.counts')).toEqual({ waiting: 1, mine: 1, unassigned: 1, open: 3, snoozed: 1 });
});

test('a queue is read page by page, the one that was changed last first, and shows no long text', async () => {
  const before = await idsIn('open');
  await desk('tickets.update', { id: before.at(-1), priority: 'high' });
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

test('agents hear at once of tickets that are made, changed, answered and deleted; those of other sites hear nothing', async () => {
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

test('a bulk change is told in few frames', async () => {
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
