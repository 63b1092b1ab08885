import type { AuditEntry, Team } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { newEmail } from '../../../test/fixtures/sites.ts';
import { TestSocket } from '../../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
/** An admin, and agents without a team. */
let ada: number;
let ben: number;
let cem: number;
let benEmail: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite('growth');
  ada = site.admin.agentId;
  benEmail = newEmail();
  ben = (await makeAgent(site.operator, { email: benEmail, name: 'Ben', role: 'agent' })).id;
  cem = (await makeAgent(site.operator, { email: newEmail(), name: 'Cem', role: 'agent' })).id;
});

const rest = async (method: string, query: string, body?: object, status = 200): Promise<Json> => {
  const answer = await app.rest(site.write, method, `/v1/teams${query}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body.data ?? answer.body.error;
};
const create = (body: object): Promise<Team> => rest('POST', '', body, 201);
const update = (id: number, body: object): Promise<Team> => rest('PATCH', `?id=${id}`, body);
const list = async (query = ''): Promise<string[]> =>
  (await rest('GET', query)).map(({ name }: Team) => name);
const idsOf = ({ members }: Team): number[] => members.map(({ id }) => id);

const DAY = [
  { from: '09:00', to: '12:30' },
  { from: '14:00', to: '18:00' },
];
const HOURS = {
  time_zone: 'Europe/Berlin',
  weekly: { monday: DAY, tuesday: DAY, wednesday: [], thursday: DAY, friday: DAY, saturday: [], sunday: [] },
  holidays: [{ date: '2026-12-25', name: 'Christmas' }],
};

test('a team has members, a lead who is one of them, and office hours of its own', async () => {
  const made = await create({
    name: 'Billing',
    emoji: '💳',
    member_ids: [ben],
    lead_id: cem,
    office_hours: HOURS,
  });
  expect(made).toMatchObject({ description: '', office_hours: HOURS, lead: { id: cem, name: 'Cem' } });
  expect(idsOf(made)).toEqual([ben, cem]);
  const { id } = made;
  expect(await update(id, { member_ids: [ben, ada] })).toMatchObject({ lead: null });
  expect(await update(id, { lead_id: ben, description: 'Invoices' })).toMatchObject({ lead: { id: ben } });
  const last = await update(id, { office_hours: null, emoji: null });
  expect(last).toMatchObject({ office_hours: null, emoji: null, description: 'Invoices', lead: { id: ben } });
  expect(idsOf(last).toSorted()).toEqual([ada, ben].toSorted());
  expect(await update(id, {})).toEqual(last);
});

test('teams are listed by state and by member', async () => {
  const first = await create({ name: 'First', member_ids: [ben] });
  const second = await create({ name: 'Second' });
  expect(await list()).toEqual(['Second', 'First']);
  expect(await list(`?member_id=${ben}`)).toEqual(['First']);
  const archived = await update(first.id, { archived: true });
  expect(archived.archived_utc).not.toBeNull();
  expect(await update(first.id, { archived: true })).toMatchObject({ archived_utc: archived.archived_utc });
  expect([await list(), await list('?state=archived'), await list('?state=all')]).toEqual([
    ['Second'],
    ['First'],
    ['Second', 'First'],
  ]);
  expect(await rest('GET', `?id=${first.id}`)).toMatchObject({ name: 'First' });
  expect(await update(first.id, { archived: false })).toMatchObject({ archived_utc: null });
  await rest('DELETE', `?id=${second.id}`);
  expect(await list()).toEqual(['First']);
});

test('a taken name, a stranger and an invalid emoji are refused, and nothing of them is stored', async () => {
  const { id } = await create({ name: 'First' });
  expect(await rest('POST', '', { name: 'FIRST' }, 409)).toMatchObject({ code: 'conflict' });
  const other = await app.makeSite();
  const stranger = other.admin.agentId;
  expect(await rest('POST', '', { name: 'Second', member_ids: [stranger] }, 404)).toMatchObject({
    message: 'No such agent.',
  });
  await rest('PATCH', `?id=${id}`, { name: 'Other', lead_id: stranger }, 404);
  for (const emoji of ['x', '1', '💳💳', '<b>']) await rest('PATCH', `?id=${id}`, { emoji }, 400);
  for (const emoji of ['❤', '❤️', '👩‍🚀', '🇩🇪']) await update(id, { emoji });
  expect(await list('?state=all')).toEqual(['First']);
  const foreign = await app.rest(other.write, 'PATCH', `/v1/teams?id=${id}`, { name: 'Theirs' });
  expect(foreign.status).toBe(404);
});

test('agents read teams, admins change them, desks are notified and the audit log names the members', async () => {
  const [admin, agent] = [await app.signIn(site.admin.email), await app.signIn(benEmail)];
  const { id } = await create({ name: 'Billing', member_ids: [ben] });
  expect((await app.desk(agent, 'teams.list')).body.data).toHaveLength(1);
  expect((await app.desk(agent, 'teams.update', { id, name: 'Mine' })).status).toBe(403);
  const socket = await TestSocket.agent(app.url, agent);
  await app.desk(admin, 'teams.update', { id, member_ids: [ben, cem] });
  await socket.next('team_changed');
  socket.cut();
  const items = (await app.desk(admin, 'audit.list', { subject: 'team' })).body.data;
  expect(items.map(({ action, label, changes }: AuditEntry) => [action, label, changes.member_ids])).toEqual([
    ['teams.update', 'Billing', [[ben], [ben, cem]]],
    ['teams.create', 'Billing', [null, [ben]]],
  ]);
});

test('an agent who is removed, or being added at that moment, is in no team', async () => {
  const admin = await app.signIn(site.admin.email);
  const led = await create({ name: 'Led', lead_id: ben });
  const other = await create({ name: 'Other' });
  const [removed] = await Promise.all([
    app.desk(admin, 'agents.remove', { id: ben }),
    app.rest(site.write, 'PATCH', `/v1/teams?id=${other.id}`, { member_ids: [ben, cem] }),
  ]);
  expect(removed.status, JSON.stringify(removed.body)).toBe(200);
  expect(await rest('GET', `?id=${led.id}`)).toMatchObject({ lead: null, members: [] });
  expect(idsOf(await rest('GET', `?id=${other.id}`))).not.toContain(ben);
});
