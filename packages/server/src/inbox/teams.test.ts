import { randomUUID } from 'node:crypto';
import type { InboxCounts, Session, Ticket } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent, PASSWORD } from '../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { newEmail } from '../../test/fixtures/sites.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';

// Chats and tickets of teams: how they are assigned, and where they are listed.

let app: TestApp;
let site: TestSite;
/** Cookies of Ada, who runs the site, and of Ben, who is in Billing. */
let ada: string;
let ben: string;
let benId: number;
let billing: number;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite('growth');
  const email = newEmail();
  benId = (await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' })).id;
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email, PASSWORD)]);
  billing = (await rest('POST', 'teams', { name: 'Billing', emoji: '💳', member_ids: [benId] }, 201)).id;
});

const BILLING = () => ({ id: billing, name: 'Billing', emoji: '💳' });
const rest = async (method: string, path: string, body?: object, status = 200): Promise<Json> => {
  const answer = await app.rest(site.write, method, `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body.data ?? answer.body.error;
};
const desk = async (cookie: string, operation: string, input: object = {}): Promise<Json> => {
  const { status, body } = await app.desk(cookie, operation, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const counts = async (cookie: string): Promise<InboxCounts['teams']> =>
  (await desk(cookie, 'inbox.counts')).teams;
const ticket = (more: object = {}): Promise<Ticket> =>
  rest(
    'POST',
    'tickets',
    { subject: 'Invoice', body: 'It is wrong.', requester: { key: 'priya' }, ...more },
    201,
  );

async function chat(): Promise<string> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const said = { session_id: null, client_id: randomUUID(), text: 'My invoice is wrong' };
  const { session } = (await socket.call('chat.send', said)) as Json;
  const { session_id } = session;
  await socket.call('chat.request_person', { session_id, client_id: randomUUID() });
  socket.cut();
  return session_id;
}

test('a ticket gets a team when it is created and by a change, which its history and its webhook name', async () => {
  const events = ['ticket_updated'];
  await rest('POST', 'webhook_subscriptions', { url: 'https://crm.example/foyer', events }, 201);
  const made = await ticket({ team_id: billing });
  expect(made).toMatchObject({ team: BILLING(), assignee: null, status: 'new' });
  const { id } = made;
  expect(await rest('PATCH', `tickets?id=${id}`, { team_id: null })).toMatchObject({ team: null });
  await rest('PATCH', `tickets?id=${id}`, { team_id: billing, assignee_id: benId });
  await rest('PATCH', `tickets?id=${id}`, { team_id: 4_000_000 }, 404);
  const [last] = await desk(ada, 'tickets.history', { id });
  expect(last.changes).toMatchObject({ team: [null, BILLING()], assignee: [null, { id: benId }] });
  const [delivery] = await rest('GET', 'webhook_deliveries');
  expect(delivery.payload).toMatchObject({ team: BILLING(), changes: { team: [null, BILLING()] } });
});

test('lists, views and counts can be of a team, and only its members have it among their queues', async () => {
  const own = await ticket({ team_id: billing });
  await ticket({ subject: 'Lamp' });
  const sessionId = await chat();
  await chat();
  await desk(ada, 'sessions.transfer', { session_id: sessionId, agent_id: null, team_id: billing });
  expect(await counts(ben)).toEqual([{ ...BILLING(), open: 2 }]);
  expect(await counts(ada)).toEqual([]);
  const ids = (rows: Json[]) => rows.map((row) => row.id ?? row.session_id);
  expect(ids(await rest('GET', `tickets?team_id=${billing}`))).toEqual([own.id]);
  expect(await rest('GET', 'tickets?team_id=none')).toHaveLength(1);
  expect(ids(await rest('GET', `conversations?team_id=${billing}`))).toEqual([sessionId]);
  const of = { queue: 'open', team_id: billing };
  expect(ids(await desk(ada, 'inbox.tickets', of))).toEqual([own.id]);
  expect(ids(await desk(ada, 'sessions.list', of))).toEqual([sessionId]);
  const view = { name: 'Billing', visibility: 'everyone', list: { ...of, sort: 'newest' } };
  expect(await desk(ada, 'inbox_views.create', view)).toMatchObject({ count: 2, missing: [] });
});

test('a chat is transferred to a team with a note, and waits there again', async () => {
  const sessionId = await chat();
  await desk(ada, 'sessions.accept', { session_id: sessionId });
  const note = { client_id: randomUUID(), text: 'They want a refund' };
  const socket = await TestSocket.agent(app.url, ben);
  const moved: Session = await desk(ada, 'sessions.transfer', {
    session_id: sessionId,
    agent_id: null,
    team_id: billing,
    note,
  });
  expect(moved).toMatchObject({ status: 'waiting', agent: null, team: BILLING() });
  const isTold = ({ type, session }: Json): boolean =>
    type === 'session_changed' && session.team?.id === billing;
  await until(async () => socket.frames.some(isTold));
  socket.cut();
  const taken = await desk(ben, 'sessions.accept', { session_id: sessionId });
  expect(taken).toMatchObject({ status: 'active', agent: { id: benId }, team: BILLING() });
  expect((await desk(ada, 'sessions.get', { session_id: sessionId })).notes).toHaveLength(1);
  const made = await desk(ben, 'tickets.create_from_chat', { session_id: sessionId });
  expect(made).toMatchObject({ team: BILLING() });
  const back = await rest('PATCH', `conversations?session_id=${sessionId}`, { team_id: null });
  expect(back).toMatchObject({ team: null, assignee: { id: benId } });
});

test('macros and bulk changes assign a team, which a bulk change can undo', async () => {
  const { id } = await ticket();
  const sessionId = await chat();
  const of = { tickets: [id], sessions: [sessionId] };
  const change = { action: 'assign_team', team_id: billing };
  const started = await desk(ada, 'bulk_changes.start', { of, change });
  const settled = async (changeId: number): Promise<Json> => {
    let state: Json;
    await until(async () => {
      state = await desk(ada, 'bulk_changes.get', { id: changeId });
      return state.finished_utc !== null;
    });
    return state;
  };
  expect(await settled(started.id)).toMatchObject({ succeeded: 2, undoable: 2 });
  expect(await counts(ben)).toMatchObject([{ open: 2 }]);
  await settled((await desk(ada, 'bulk_changes.undo', { id: started.id })).id);
  expect(await counts(ben)).toMatchObject([{ open: 0 }]);

  const actions = [{ type: 'assign_team', team_id: billing }];
  await rest('POST', 'macros', { name: 'Lost', actions: [{ type: 'assign_team', team_id: 4_000_000 }] }, 404);
  const macro = await rest('POST', 'macros', { name: 'To billing', actions }, 201);
  const applied = await desk(ada, 'macros.apply', { macro_id: macro.id, ticket_id: id });
  expect(applied).toMatchObject({ team: BILLING() });
  const inChat = { macro_id: macro.id, session_id: sessionId };
  expect(await desk(ada, 'macros.apply_to_chat', inChat)).toMatchObject({
    team: BILLING(),
    status: 'waiting',
  });
});

test('an archived team keeps its work and gets no more; one with work can’t be deleted', async () => {
  const { id } = await ticket({ team_id: billing });
  expect(await rest('DELETE', `teams?id=${billing}`, undefined, 409)).toMatchObject({ code: 'conflict' });
  await rest('PATCH', `teams?id=${billing}`, { archived: true });
  expect(await rest('GET', `tickets?id=${id}`)).toMatchObject({ team: BILLING() });
  await rest('POST', 'tickets', { subject: 'x', body: 'x', requester: { key: 'p' }, team_id: billing }, 404);
  expect(await counts(ben)).toEqual([]);
  await rest('PATCH', `tickets?id=${id}`, { team_id: null });
  await rest('DELETE', `teams?id=${billing}`);
});

test('a team of another site is unknown', async () => {
  const other = await app.makeSite('growth');
  const theirs = (await app.rest(other.write, 'POST', '/v1/teams', { name: 'Theirs' })).body.data.id;
  const { id } = await ticket();
  await rest('PATCH', `tickets?id=${id}`, { team_id: theirs }, 404);
  const sessionId = await chat();
  const refused = await app.desk(ada, 'sessions.transfer', {
    session_id: sessionId,
    agent_id: null,
    team_id: theirs,
  });
  expect(refused.status).toBe(404);
});
