import { randomUUID } from 'node:crypto';
import type { BulkChangeState, FoundItem } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Answer, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { makeRecord } from '../../test/examples.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
let ada: string;
let ben: string;
let benId: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  const email = `ben-${randomUUID()}@example.com`;
  benId = (await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' })).id;
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email)]);
});
afterAll(() => app.close());

const colleague = async (of: TestSite, name: string): Promise<{ id: number; as: string }> => {
  const email = `${name}-${randomUUID()}@example.com`;
  const { id } = await makeAgent(of.operator, { email, name });
  return { id, as: await app.signIn(email) };
};
const note = async (session_id: unknown, text: string, mentions: object[]): Promise<Answer> =>
  app.desk(ada, 'sessions.note', { session_id, client_id: randomUUID(), text, mentions });
const told = async (): Promise<unknown[]> =>
  (await app.desk(ben, 'notifications.list')).body.data.notifications;

test('a mentioned agent is notified once, and is listed beside the note’s text', async () => {
  const session_id = await makeRecord.session(app, site);
  const ticket_id = await makeRecord.ticket(app, site);
  const mentions = [{ id: benId, name: 'Ben' }];
  const input = { session_id, client_id: randomUUID(), text: 'Ask @Ben', mentions };
  await app.desk(ada, 'sessions.note', input);
  const again = await app.desk(ada, 'sessions.note', input);
  expect(again.body.data).toMatchObject({ mentions });
  const reply = { ticket_id, client_id: randomUUID(), type: 'note', text: '@Ben, please', mentions };
  const made = await app.desk(ada, 'tickets.reply', reply);
  const named = await app.desk(ada, 'tickets.mentions', { id: ticket_id });
  expect(named.body.data).toEqual({ mentions: [{ reply_id: made.body.data.id, id: benId, name: 'Ben' }] });
  expect(await told()).toMatchObject([
    { kind: 'mention', ticket_id, by: { name: 'Ada' }, count: 1 },
    { kind: 'mention', session_id, by: { name: 'Ada' }, count: 1 },
  ]);
});

test('nobody is mentioned who is not on the team now, or not in the text, and then nothing is stored', async () => {
  const session_id = await makeRecord.session(app, site);
  const elsewhere = await app.makeSite();
  const gone = await makeRecord.agent(app, site);
  await app.desk(ada, 'agents.remove', { id: gone });
  const cleo = (id: unknown) => [{ id, name: 'Cleo' }];
  expect((await note(session_id, '@Cleo', cleo(elsewhere.admin.agentId))).status).toBe(404);
  expect((await note(session_id, '@Cleo', cleo(gone))).status).toBe(404);
  expect((await note(session_id, 'Cleo', [{ id: benId, name: 'Ben' }])).status).toBe(400);
  const twice = [...cleo(benId), ...cleo(benId)];
  expect((await note(session_id, '@Cleo', twice)).status).toBe(400);
  const ticket_id = await makeRecord.ticket(app, site);
  const said = { ticket_id, client_id: randomUUID(), type: 'public', text: '@Ben', mentions: cleo(benId) };
  expect((await app.desk(ada, 'tickets.reply', said)).status, 'what is for outside names nobody').toBe(400);
  const { body } = await app.desk(ada, 'sessions.get', { session_id });
  expect(body.data.notes).toEqual([]);
});

test('a team mentioned in a note notifies each member once, and not its author', async () => {
  const other = await app.makeSite();
  const desk = await app.signIn(other.admin.email);
  const [cem, dana] = await Promise.all([colleague(other, 'Cem'), colleague(other, 'Dana')]);
  const makeTeam = async (name: string, member_ids: number[]): Promise<number> =>
    (await app.rest(other.write, 'POST', '/v1/teams', { name, member_ids })).body.data.id;
  const billing = await makeTeam('Billing', [cem.id, dana.id, other.admin.agentId]);
  const returns = await makeTeam('Returns', [cem.id]);
  const mentions = [
    { id: cem.id, name: 'Cem' },
    { id: billing, name: 'Billing', kind: 'team' },
    { id: returns, name: 'Returns', kind: 'team' },
  ];
  const session_id = await makeRecord.session(app, other);
  const ticket_id = await makeRecord.ticket(app, other);
  const text = '@Billing, @Returns: ask @Cem';
  const inChat = { session_id, client_id: randomUUID(), text, mentions };
  expect((await app.desk(desk, 'sessions.note', inChat)).body.data).toMatchObject({ mentions });
  const inTicket = { ticket_id, client_id: randomUUID(), type: 'note', text, mentions };
  const { id: reply_id } = (await app.desk(desk, 'tickets.reply', inTicket)).body.data;
  const listed = (): Promise<Answer> => app.desk(desk, 'tickets.mentions', { id: ticket_id });
  const placed = mentions.map((one) => ({ reply_id, ...one }));
  expect((await listed()).body.data).toEqual({ mentions: placed });
  const countOf = async (as: string): Promise<number> =>
    (await app.desk(as, 'inbox.counts')).body.data.mentions;
  for (const { as } of [cem, dana]) {
    expect((await app.desk(as, 'notifications.list')).body.data.notifications).toMatchObject([
      { kind: 'mention', ticket_id, count: 1 },
      { kind: 'mention', session_id, count: 1, text },
    ]);
    expect(await countOf(as)).toBe(2);
  }
  expect(await countOf(desk), 'the author is in the team').toBe(0);

  await app.rest(other.write, 'DELETE', `/v1/teams?id=${returns}`);
  await app.rest(other.write, 'PATCH', `/v1/teams?id=${billing}`, { archived: true });
  const kept = placed.filter(({ name }) => name !== 'Returns');
  expect((await listed()).body.data, 'a deleted team is only text').toEqual({ mentions: kept });
  expect(await countOf(dana.as)).toBe(2);
  for (const [name, id] of [
    ['Billing', billing],
    ['Returns', returns],
  ] as const) {
    const again = { ...inChat, client_id: randomUUID(), mentions: [{ id, name, kind: 'team' }] };
    expect((await app.desk(desk, 'sessions.note', again)).status, name).toBe(404);
  }
});

describe('the queue of mentions', () => {
  let cleo: string;
  let cleoId: number;
  beforeAll(async () => {
    ({ id: cleoId, as: cleo } = await colleague(site, 'Cleo'));
  });

  const ofCleo = () => [{ id: cleoId, name: 'Cleo' }];
  const nameInChat = (id: unknown, as = ada) =>
    app.desk(as, 'sessions.note', {
      session_id: id,
      client_id: randomUUID(),
      text: 'Ask @Cleo',
      mentions: ofCleo(),
    });
  const nameInTicket = (ticket_id: unknown) =>
    app.desk(ada, 'tickets.reply', {
      ticket_id,
      client_id: randomUUID(),
      type: 'note',
      text: 'It is **urgent**, @Cleo',
      mentions: ofCleo(),
    });
  const idOf = (item: FoundItem) => (item.kind === 'chat' ? item.session.session_id : item.ticket.id);
  const queueOf = async (as: string, input: object = {}): Promise<unknown[]> =>
    (await app.desk(as, 'inbox.mentions', input)).body.data.map(idOf);
  const countOf = async (as: string): Promise<number> =>
    (await app.desk(as, 'inbox.counts')).body.data.mentions;
  const update = (id: unknown, change: object) => app.desk(ada, 'tickets.update', { id, ...change });

  test('has each chat and ticket once, the last mention first, and says where it is', async () => {
    const chat = await makeRecord.session(app, site);
    const ticket = await makeRecord.ticket(app, site);
    await nameInChat(chat);
    const reply = await nameInTicket(ticket);
    expect(await queueOf(cleo)).toEqual([ticket, chat]);
    const again = await nameInChat(chat);
    expect(await queueOf(cleo)).toEqual([chat, ticket]);
    expect(await countOf(cleo)).toBe(2);
    const first = await app.desk(cleo, 'inbox.mentions', { limit: 1 });
    expect(first.body.data).toMatchObject([{ kind: 'chat', found: { in: 'note', at: again.body.data.id } }]);
    const next = await app.desk(cleo, 'inbox.mentions', { limit: 1, cursor: first.body.page.next_cursor });
    expect(next.body.data).toMatchObject([
      {
        kind: 'ticket',
        found: { at: reply.body.data.id, excerpt: expect.arrayContaining([{ text: 'Cleo', hit: true }]) },
      },
    ]);
    expect(next.body.page.next_cursor).toBeNull();
    expect(await queueOf(cleo, { order: 'asc' })).toEqual([ticket, chat]);
    await app.desk(cleo, 'notifications.see');
    expect(await countOf(cleo), 'what was seen is not done').toBe(2);
  });

  test('has no mentions of others, none in replies, and none of other sites', async () => {
    const elsewhere = await app.makeSite();
    const theirs = await app.signIn(elsewhere.admin.email);
    const before = await countOf(cleo);
    await app.desk(ada, 'tickets.reply', {
      ticket_id: await makeRecord.ticket(app, site),
      client_id: randomUUID(),
      type: 'public',
      text: '@Cleo will help you',
    });
    expect(await countOf(cleo)).toBe(before);
    for (const as of [ada, theirs]) {
      expect(await queueOf(as)).toEqual([]);
      expect(await countOf(as)).toBe(0);
    }
  });

  test('loses conversations that are done, snoozed or deleted, and has those that open or wake again', async () => {
    const chat = await makeRecord.session(app, site);
    const ticket = await makeRecord.ticket(app, site);
    await nameInTicket(ticket);
    await nameInChat(chat);
    const has = async (...ids: unknown[]): Promise<unknown[]> =>
      (await queueOf(cleo)).filter((id) => ids.includes(id));
    const until_utc = new Date(Date.now() + 3_600_000).toISOString();
    await app.desk(ada, 'sessions.accept', { session_id: chat });
    await app.desk(ada, 'sessions.snooze', { session_id: chat, until_utc });
    expect(await has(chat)).toEqual([]);
    await app.desk(ada, 'sessions.snooze', { session_id: chat, until_utc: null });
    expect(await has(chat)).toEqual([chat]);
    await app.desk(ada, 'sessions.close', { session_id: chat });
    expect(await has(chat, ticket)).toEqual([ticket]);
    await update(ticket, { status: 'solved' });
    expect(await has(ticket)).toEqual([]);
    await nameInTicket(ticket);
    expect(await has(ticket), 'named in what is done already').toEqual([]);
    await update(ticket, { status: 'open' });
    expect(await has(ticket)).toEqual([ticket]);
    await app.desk(ada, 'ticket_snoozes.set', { ticket_id: ticket, minutes: 60 });
    expect(await has(ticket)).toEqual([]);
    await app.desk(ada, 'ticket_snoozes.set', { ticket_id: ticket, until_utc: null });
    expect(await has(ticket)).toEqual([ticket]);
    const into_id = await makeRecord.ticket(app, site);
    await app.desk(ada, 'tickets.merge', { into_id, ids: [ticket], across_requesters: true });
    expect(await has(ticket, into_id), 'who was not named in it').toEqual([]);
    await nameInTicket(into_id);
    await app.desk(ada, 'tickets.delete', { id: into_id });
    expect(await has(into_id)).toEqual([]);
  });

  test('is changed as a whole by its owner, and by nobody else', async () => {
    const chat = await makeRecord.session(app, site);
    await nameInChat(chat);
    const all = { of: { queue: 'mentions' } };
    expect((await app.desk(cleo, 'bulk_changes.count', all)).body.data.count).toBe(await countOf(cleo));
    expect((await app.desk(ada, 'bulk_changes.count', all)).body.data).toEqual({ count: 0 });
    const begun = await app.desk(cleo, 'bulk_changes.start', { ...all, change: { action: 'finish' } });
    const state = async (): Promise<BulkChangeState> =>
      (await app.desk(cleo, 'bulk_changes.get', { id: begun.body.data.id })).body.data;
    await until(async () => (await state()).finished_utc !== null);
    expect(await queueOf(cleo)).toEqual([]);
    expect(await countOf(cleo)).toBe(0);
  });

  test('notifies mentioned agents at once, and nobody else', async () => {
    const [hers, bens] = await Promise.all([cleo, ben].map((one) => TestSocket.agent(app.url, one)));
    const chat = await makeRecord.session(app, site);
    await nameInChat(chat);
    await hers?.next('notified', ({ notification }) => notification.session_id === chat);
    await nameInChat(chat, cleo);
    expect(await queueOf(cleo), 'once, also by a note of one’s own').toEqual([chat]);
    await note(chat, 'And @Ben', [{ id: benId, name: 'Ben' }]);
    await bens?.next('notified');
    for (const socket of [hers, bens])
      expect(socket?.frames.filter(({ type }) => type === 'notified')).toHaveLength(1);
    hers?.cut();
    bens?.cut();
  });
});
