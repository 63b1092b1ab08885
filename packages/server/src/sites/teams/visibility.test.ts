import { type InboxView, type Macro, PRIVATE_MACROS_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent, PASSWORD } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { newArchive, nextStep } from '../../site-archive/write.ts';

let app: TestApp;
let site: TestSite;
/** Cookies: Ada runs the site, Ben is in the team Returns, Cleo isn't. */
let ada: string;
let ben: string;
let cleo: string;
let benId: number;
let cleoId: number;
let teamId: number;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  const [benMail, cleoMail] = ['ben', 'cleo'].map((name) => `${name}-${site.site.id}@example.com`);
  benId = (await makeAgent(site.operator, { email: benMail ?? '', name: 'Ben' })).id;
  cleoId = (await makeAgent(site.operator, { email: cleoMail ?? '', name: 'Cleo' })).id;
  ada = await app.signIn(site.admin.email);
  ben = await app.signIn(benMail ?? '', PASSWORD);
  cleo = await app.signIn(cleoMail ?? '', PASSWORD);
  teamId = (await ok(ada, 'teams.create', { name: 'Returns', member_ids: [benId] })).id;
});

const refusal = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.reason];
const GONE = [404, 'not_found', undefined];

async function ok(cookie: string, operation: string, input: object = {}): Promise<Json> {
  const answer = await app.desk(cookie, operation, input);
  expect([operation, ...refusal(answer)]).toEqual([operation, 200, undefined, undefined]);
  return answer.body.data;
}
const refused = async (cookie: string, operation: string, input: object): Promise<unknown[]> =>
  refusal(await app.desk(cookie, operation, input));

const actions = [
  { type: 'set_priority', priority: 'urgent' },
  { type: 'note', body: 'Ours.' },
];
const macro = (cookie: string, parts: object): Promise<Macro> =>
  ok(cookie, 'macros.create', { name: 'Refund', actions, ...parts });
const TICKETS = { tickets: { filter: { priority: 'urgent' }, sort: '-created' } };
const view = (cookie: string, parts: object): Promise<InboxView> =>
  ok(cookie, 'inbox_views.create', { name: 'Urgent', ...TICKETS, ...parts });
const ofTeam = () => ({ visibility: 'team', team_id: teamId });
const macroNames = async (cookie: string): Promise<string[]> =>
  (await ok(cookie, 'macros.list')).map(({ name }: Macro) => name).sort();
const viewNames = async (cookie: string): Promise<string[]> =>
  (await ok(cookie, 'inbox_views.list')).views.map(({ name }: InboxView) => name).sort();

async function ticket(): Promise<number> {
  const asked = { subject: 'The lamp', body: 'It broke.', requester: { key: 'user_1', name: 'Priya' } };
  return (await app.rest(site.write, 'POST', '/v1/tickets', asked)).body.data.id;
}
const priorityOf = async (id: number): Promise<string> =>
  (await ok(ada, 'tickets.list', { id })).ticket?.priority ??
  (await ok(ada, 'tickets.list', { id })).priority;

/** Every entry point of a macro, with its response to this agent. */
const doorsOfMacro = async (cookie: string, id: number): Promise<[string, unknown[]][]> => {
  const ticket_id = await ticket();
  const change = { action: 'apply_macro', macro_id: id };
  const tries: [string, object][] = [
    ['macros.list', { id }],
    ['macros.update', { id, name: 'Mine now' }],
    ['macros.update', { id, visibility: 'everyone' }],
    ['macros.delete', { id }],
    ['macros.apply', { macro_id: id, ticket_id }],
    ['macros.note_use', { id }],
    ['tickets_bulk.change', { ids: [ticket_id], ...change }],
  ];
  const answers: [string, unknown[]][] = [];
  for (const [name, input] of tries) answers.push([name, await refused(cookie, name, input)]);
  return answers;
};

test('a team’s macros and views are visible to its members and admins, and to nobody else', async () => {
  const { id } = await macro(ben, ofTeam());
  const { id: viewId } = await view(ben, ofTeam());
  const all = await macro(ada, { name: 'For all' });
  expect(all).toMatchObject({ visibility: 'everyone', team_id: null });
  expect(await ok(ada, 'macros.list', { id })).toMatchObject(ofTeam());
  for (const cookie of [ada, ben]) {
    expect(await macroNames(cookie)).toEqual(['For all', 'Refund']);
    expect(await viewNames(cookie)).toEqual(['Urgent']);
  }
  expect([await macroNames(cleo), await viewNames(cleo)]).toEqual([['For all'], []]);
  expect((await ok(cleo, 'macros.uses')).macros.map((use: Json) => use.id)).toEqual([all.id]);
  const doors = await doorsOfMacro(cleo, id);
  expect(doors).toEqual(doors.map(([name]) => [name, GONE]));
  for (const [operation, input] of [
    ['inbox_views.update', { id: viewId, name: 'Mine now' }],
    ['inbox_views.update', { id: viewId, visibility: 'everyone' }],
    ['inbox_views.delete', { id: viewId }],
    ['saved_views.list', { id: viewId }],
    ['saved_views.update', { id: viewId, name: 'Mine now' }],
    ['saved_views.delete', { id: viewId }],
    ['tickets.list', { view: viewId }],
    ['inbox.filtered', { view: viewId }],
    ['inbox.search', { view: viewId, q: 'lamp' }],
    ['bulk_changes.count', { of: { search: { view: viewId } } }],
  ] as const)
    expect([operation, await refused(cleo, operation, input)]).toEqual([operation, GONE]);
  // Members use, change and delete it, and admins too.
  const ticket_id = await ticket();
  expect(await ok(ben, 'macros.apply', { macro_id: id, ticket_id })).toMatchObject({ priority: 'urgent' });
  expect(await ok(ada, 'macros.update', { id, name: 'Refund it' })).toMatchObject(ofTeam());
  await ok(ada, 'inbox_views.update', { id: viewId, name: 'Most urgent' });
  expect(await macroNames(ben)).toEqual(['For all', 'Refund it']);
  await ok(ben, 'macros.delete', { id });
  await ok(ben, 'inbox_views.delete', { id: viewId });
});

test('a private macro is its agent’s alone at every entry point, and needs no permission', async () => {
  const role = await ok(ada, 'roles.create', { name: 'Reader', permissions: [] });
  await ok(ada, 'agents.set_role', { id: benId, role: 'agent', custom_role_id: role.id });
  const own = await macro(ben, { visibility: 'private' });
  expect(own).toMatchObject({ visibility: 'private', team_id: null });
  await ok(ben, 'macros.update', { id: own.id, name: 'Mine' });
  for (const cookie of [ada, cleo]) {
    expect(await macroNames(cookie)).toEqual([]);
    const doors = await doorsOfMacro(cookie, own.id);
    expect(doors).toEqual(doors.map(([name]) => [name, GONE]));
  }
  const path = `/v1/macros?id=${own.id}`;
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const)
    expect((await app.rest(site.write, method, path, body)).status).toBe(404);
  const bulk = { ids: [await ticket()], action: 'apply_macro', macro_id: own.id };
  expect((await app.rest(site.write, 'POST', '/v1/tickets_bulk', bulk)).status).toBe(404);
  expect(refusal(await app.desk(ben, 'macros.update', { id: own.id, visibility: 'private' }))[0]).toBe(400);
  for (const input of [{ visibility: 'everyone' }, ofTeam()])
    expect(await refused(ben, 'macros.update', { id: own.id, ...input })).toEqual([
      403,
      'insufficient_scope',
      'role_refuses',
    ]);
  expect(await refused(ben, 'macros.create', { name: 'All', actions })).toEqual([
    403,
    'insufficient_scope',
    'role_refuses',
  ]);
  // Its name stays free for others, and no log has it until it is shared.
  await macro(ada, { name: 'Mine' });
  await ok(ben, 'macros.delete', { id: own.id });
  const labels = async () =>
    (await ok(ada, 'audit.list')).map((entry: Json) => [entry.action, entry.actor.name, entry.label]);
  const cleos = await macro(cleo, { name: 'Secret', visibility: 'private' });
  expect(JSON.stringify(await labels())).not.toMatch(/Secret|"Refund"|"Ben","Mine"/);
  await ok(cleo, 'macros.update', { id: cleos.id, visibility: 'everyone' });
  expect(await labels()).toContainEqual(['macros.create', 'Cleo', 'Secret']);
  expect(await macroNames(ben)).toEqual(['Mine', 'Secret']);
});

test('agents share with their own teams, admins and tokens with any, and nobody with an archived one', async () => {
  const notIn = [403, 'insufficient_scope', 'not_in_team'];
  expect(await refused(cleo, 'macros.create', { name: 'x', actions, ...ofTeam() })).toEqual(notIn);
  expect(await refused(cleo, 'inbox_views.create', { name: 'x', ...TICKETS, ...ofTeam() })).toEqual(notIn);
  const rest = async (path: string, body: object) => (await app.rest(site.write, 'POST', path, body)).status;
  expect(await rest('/v1/macros', { name: 'By token', actions, ...ofTeam() })).toBe(201);
  expect(await rest('/v1/saved_views', { name: 'By token', ...ofTeam() })).toBe(201);
  expect(await rest('/v1/macros', { name: 'x', actions, visibility: 'private' })).toBe(400);
  expect(await rest('/v1/saved_views', { name: 'x', visibility: 'private' })).toBe(400);
  expect(await rest('/v1/macros', { name: 'x', actions, visibility: 'team' })).toBe(400);
  expect(await rest('/v1/macros', { name: 'x', actions, team_id: teamId })).toBe(400);
  expect([await macroNames(ben), await viewNames(ben)]).toEqual([['By token'], ['By token']]);
  expect([await macroNames(cleo), await viewNames(cleo)]).toEqual([[], []]);
  const other = await app.makeSite();
  const foreign = await app.desk(await app.signIn(other.admin.email), 'teams.create', { name: 'Theirs' });
  const theirs = { visibility: 'team', team_id: foreign.body.data.id };
  expect(await refused(ada, 'macros.create', { name: 'x', actions, ...theirs })).toEqual(GONE);
  // An archived team keeps its macros and views, and gets nothing new.
  await ok(ada, 'teams.update', { id: teamId, archived: true });
  expect([await macroNames(ben), await viewNames(ben)]).toEqual([['By token'], ['By token']]);
  expect(await refused(ada, 'macros.create', { name: 'x', actions, ...ofTeam() })).toEqual(GONE);
});

test('a team with macros or views can’t be deleted, and loses none of them', async () => {
  const { id } = await macro(ben, ofTeam());
  const shares = [409, 'conflict', 'team_shares'];
  expect(await refused(ada, 'teams.delete', { id: teamId })).toEqual(shares);
  await ok(ada, 'macros.update', { id, visibility: 'everyone' });
  const { id: viewId } = await view(ben, ofTeam());
  expect(await refused(ada, 'teams.delete', { id: teamId })).toEqual(shares);
  await ok(ada, 'inbox_views.update', { id: viewId, visibility: 'everyone' });
  await ok(ada, 'teams.delete', { id: teamId });
  expect([await macroNames(cleo), await viewNames(cleo)]).toEqual([['Refund'], ['Urgent']]);
});

test('an agent who leaves the team no longer sees them, and they stay for the others', async () => {
  await macro(ben, ofTeam());
  await view(ben, ofTeam());
  await ok(ada, 'teams.update', { id: teamId, member_ids: [cleoId] });
  expect([await macroNames(ben), await viewNames(ben)]).toEqual([[], []]);
  expect([await macroNames(cleo), await viewNames(cleo)]).toEqual([['Refund'], ['Urgent']]);
});

test('an agent has a limited number of private macros, even by calls at once, and may share any number', async () => {
  await sql`insert into macros (site_id, name, actions, owner_id)
    select ${site.site.id}, 'm' || n, '[]', ${benId}::bigint from generate_series(2, ${PRIVATE_MACROS_MAX}) n`.execute(
    site.operator.db,
  );
  const several = await Promise.all(
    [1, 2, 3].map((n) => app.desk(ben, 'macros.create', { name: `x${n}`, actions, visibility: 'private' })),
  );
  const full = [409, 'conflict', 'private_macros_full'];
  expect(several.map(refusal).toSorted()).toEqual([[200, undefined, undefined], full, full]);
  await macro(ben, ofTeam());
  await macro(cleo, { visibility: 'private' });
});

test('shared macros and views stay when their agent is removed; private ones are deleted', async () => {
  await macro(ben, ofTeam());
  await macro(ben, { name: 'Own', visibility: 'private' });
  await view(ben, { name: 'Own', visibility: 'private' });
  await ok(ada, 'agents.remove', { id: benId });
  expect(await macroNames(ada)).toEqual(['Refund']);
  const { rows } = await sql<{ name: string }>`
    select name from macros where site_id = ${site.site.id}
    union all select name from saved_views where site_id = ${site.site.id}`.execute(site.operator.db);
  expect(rows).toEqual([{ name: 'Refund' }]);
});

test('members apply their team’s macro to many tickets, and nobody else does', async () => {
  const { id } = await macro(ada, ofTeam());
  const ticket_id = await ticket();
  const of = { tickets: [ticket_id], sessions: [] };
  const start = { of, change: { action: 'apply_macro', macro_id: id } };
  expect(await refused(cleo, 'bulk_changes.start', start)).toEqual(GONE);
  await ok(ben, 'bulk_changes.start', start);
  await until(async () => (await priorityOf(ticket_id)) === 'urgent');
});

test('the archive of the site has shared macros and views, and nothing private', async () => {
  await macro(ben, ofTeam());
  await macro(ben, { name: 'Own', visibility: 'private' });
  let state = newArchive('a');
  while (!state.done) ({ state } = await nextStep(site.operator, state, '0'));
  expect(state.rows.macros).toBe(1);
});

test('the audit log records when a macro or view is shared with a team', async () => {
  const { id } = await macro(ada, {});
  await ok(ada, 'macros.update', { id, ...ofTeam() });
  const [entry] = await ok(ada, 'audit.list');
  expect(entry).toMatchObject({ action: 'macros.update', changes: { team_id: [null, teamId] } });
});
