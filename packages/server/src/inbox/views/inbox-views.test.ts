import { type InboxView, PRIVATE_VIEW_LIMIT, VIEW_LIMIT } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, PASSWORD } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { newArchive, nextStep } from '../../site-archive/write.ts';

let app: TestApp;
let site: TestSite;
/** Cookies of Ada, who runs the site, and of Ben. */
let ada: string;
let ben: string;
let benId: number;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  const email = `ben-${site.site.id}@example.com`;
  benId = (await makeAgent(site.operator, { email, name: 'Ben' })).id;
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email, PASSWORD)]);
});

const VIP = { list: { queue: 'open', sort: 'waiting', tag: 'vip' } };

async function made(cookie: string, input: object): Promise<InboxView> {
  const { status, body } = await app.desk(cookie, 'inbox_views.create', {
    name: 'VIP',
    visibility: 'everyone',
    ...input,
  });
  expect([status, body.error?.message]).toEqual([200, undefined]);
  return body.data;
}
const listed = async (cookie: string): Promise<InboxView[]> =>
  (await app.desk(cookie, 'inbox_views.list')).body.data.views;
const names = async (cookie: string): Promise<string[]> => (await listed(cookie)).map(({ name }) => name);
const update = (cookie: string, input: object): Promise<Answer> =>
  app.desk(cookie, 'inbox_views.update', input);
const refusal = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.reason];
const restViews = async (): Promise<Json[]> =>
  (await app.rest(site.read, 'GET', '/v1/saved_views')).body.data;
const auditLabels = async (): Promise<Json[]> =>
  (await app.desk(ada, 'audit.list')).body.data.map((entry: Json) => [entry.action, entry.label]);

async function ticket(parts: object = {}): Promise<number> {
  const requester = { key: 'user_1', email: 'priya@visitor.example', name: 'Priya' };
  const asked = { subject: 'The lamp', body: 'It broke.', requester, ...parts };
  return (await app.rest(site.write, 'POST', '/v1/tickets', asked)).body.data.id;
}

async function chat(tag?: string): Promise<string> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const sent = (await socket.call('chat.send', {
    session_id: null,
    client_id: crypto.randomUUID(),
    text: 'Hello',
  })) as { session: { session_id: string } };
  socket.cut();
  const { session_id } = sent.session;
  if (tag) expect((await app.desk(ada, 'sessions.set_tags', { session_id, tags: [tag] })).status).toBe(200);
  return session_id;
}

describe('a private view', () => {
  test('is seen by its agent alone, however another requests it', async () => {
    const view = await made(ben, { name: 'Ben’s own', visibility: 'private', ...VIP });
    expect(view).toMatchObject({ visibility: 'private', position: 0, list: VIP.list, tickets: null });
    expect(await names(ben)).toEqual(['Ben’s own']);
    expect(await names(ada)).toEqual([]);
    for (const answer of [
      await update(ada, { id: view.id, name: 'Mine now' }),
      await update(ada, { id: view.id, visibility: 'everyone' }),
      await app.desk(ada, 'inbox_views.delete', { id: view.id }),
      await app.desk(ada, 'saved_views.list', { id: view.id }),
      await app.desk(ada, 'saved_views.update', { id: view.id, name: 'Mine now' }),
      await app.desk(ada, 'saved_views.delete', { id: view.id }),
    ])
      expect(refusal(answer)).toEqual([404, 'not_found', undefined]);
    expect(await names(ben)).toEqual(['Ben’s own']);
  });

  test('is theirs under any role, while a shared one needs the permission to change shared lists', async () => {
    const shared = await made(ada, { name: 'Ours', ...VIP });
    const ofBens = await made(ben, { name: 'Was Ben’s', visibility: 'private', ...VIP });
    const role = (await app.desk(ada, 'roles.create', { name: 'Reader', permissions: [] })).body.data;
    await app.desk(ada, 'agents.set_role', { id: benId, role: 'agent', custom_role_id: role.id });
    const own = await made(ben, { name: 'Mine', visibility: 'private', ...VIP });
    expect((await update(ben, { id: own.id, name: 'My own' })).status).toBe(200);
    const refused = [
      await app.desk(ben, 'inbox_views.create', { name: 'All', visibility: 'everyone', ...VIP }),
      await update(ben, { id: own.id, visibility: 'everyone' }),
      await update(ben, { id: shared.id, name: 'Changed' }),
      await update(ben, { id: shared.id, position: 1 }),
      await app.desk(ben, 'inbox_views.delete', { id: shared.id }),
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => [403, 'insufficient_scope', 'role_refuses']));
    expect((await app.desk(ben, 'inbox_views.delete', { id: ofBens.id })).status).toBe(200);
    expect(await names(ben)).toEqual(['Ours', 'My own']);
  });

  test('does not exist for REST and MCP: in the list, by its id, and as the view of a list of tickets', async () => {
    const tickets = { filter: { priority: 'urgent' }, sort: '-created' };
    const { id } = await made(ben, { name: 'Ben’s own', visibility: 'private', tickets });
    expect(await restViews()).toEqual([]);
    for (const [method, path, body] of [
      ['GET', `/v1/saved_views?id=${id}`, undefined],
      ['PATCH', `/v1/saved_views?id=${id}`, { name: 'x' }],
      ['DELETE', `/v1/saved_views?id=${id}`, undefined],
      ['GET', `/v1/tickets?view=${id}`, undefined],
    ] as const)
      expect((await app.rest(site.write, method, path, body)).status).toBe(404);
    expect((await app.desk(ada, 'inbox.filtered', { view: id })).status).toBe(404);
    expect((await app.desk(ada, 'inbox.search', { view: id, q: 'lamp' })).status).toBe(404);
    expect((await app.desk(ada, 'bulk_changes.count', { of: { search: { view: id } } })).status).toBe(404);
    expect((await app.desk(ben, 'inbox.filtered', { view: id })).status).toBe(200);
  });

  test('leaves no trace in the audit log, until it is shared with the team', async () => {
    const { id } = await made(ben, { name: 'Secret', visibility: 'private', ...VIP });
    await update(ben, { id, name: 'Secret still' });
    const { id: other } = await made(ben, { name: 'Secret too', visibility: 'private', ...VIP });
    await app.desk(ben, 'inbox_views.delete', { id: other });
    expect(JSON.stringify(await auditLabels())).not.toContain('Secret');
    await update(ben, { id, name: 'For all', visibility: 'everyone' });
    expect(await auditLabels()).toContainEqual(['saved_views.create', 'For all']);
    expect(await names(ada)).toEqual(['For all']);
  });

  test('is not counted in the uses of its tag by a colleague', async () => {
    await app.desk(ada, 'tags.create', { name: 'vip' });
    await made(ben, { visibility: 'private', ...VIP });
    const uses = async (cookie: string) => (await app.desk(cookie, 'tags.uses')).body.data.tags[0].views;
    expect([await uses(ada), await uses(ben)]).toEqual([0, 1]);
  });

  test('is not in the archive of the site; a shared one is', async () => {
    await made(ben, { name: 'Secret', visibility: 'private', ...VIP });
    await made(ben, { name: 'Everybody’s', ...VIP });
    let state = newArchive('a');
    const rows: number[] = [];
    while (!state.done) {
      ({ state } = await nextStep(site.operator, state, '0'));
      rows.push(state.rows.saved_views ?? 0);
    }
    expect(rows.at(-1)).toBe(1);
  });

  test('is deleted with its agent, and shared ones stay', async () => {
    await made(ben, { name: 'Own', visibility: 'private', ...VIP });
    await made(ben, { name: 'Everybody’s', ...VIP });
    expect((await app.desk(ada, 'agents.remove', { id: benId })).status).toBe(200);
    const { rows } = await sql<{ name: string }>`
      select name from saved_views where site_id = ${site.site.id}`.execute(site.operator.db);
    expect(rows).toEqual([{ name: 'Everybody’s' }]);
    expect(await names(ada)).toEqual(['Everybody’s']);
  });

  test('is sent to its agent’s desks alone; a shared one to all', async () => {
    const [adas, bens] = await Promise.all([TestSocket.agent(app.url, ada), TestSocket.agent(app.url, ben)]);
    const news = (): number[] =>
      [adas, bens].map(({ frames }) => frames.filter(({ type }) => type === 'views_changed').length);
    const { id } = await made(ben, { visibility: 'private', ...VIP });
    await until(async () => news()[1] === 1);
    await update(ben, { id, visibility: 'everyone' });
    await until(async () => news()[1] === 2);
    await app.rest(site.write, 'POST', '/v1/saved_views', { name: 'By REST' });
    await until(async () => news()[1] === 3 && (news()[0] ?? 0) >= 2);
    expect(news()).toEqual([2, 3]);
    adas.cut();
    bens.cut();
  });
});

describe('REST', () => {
  test('has the shared views of tickets as before, and no other', async () => {
    const created = await app.rest(site.write, 'POST', '/v1/saved_views', {
      name: 'Returns',
      filter: { tag: 'returns' },
      sort: '-updated',
    });
    const { id } = created.body.data;
    const wire = { id, name: 'Returns', filter: { tag: 'returns' }, sort: '-updated', position: 0 };
    Object.assign(wire, { visibility: 'everyone', team_id: null, count: 0 });
    expect([created.status, created.body.data]).toEqual([201, wire]);
    const inbox = await made(ben, { name: 'Chats too', ...VIP });
    expect(await restViews()).toEqual([wire]);
    expect((await app.rest(site.read, 'GET', `/v1/saved_views?id=${inbox.id}`)).status).toBe(404);
    expect((await app.rest(site.read, 'GET', `/v1/tickets?view=${inbox.id}`)).status).toBe(404);
    const changed = await app.rest(site.write, 'PATCH', `/v1/saved_views?id=${id}`, { name: 'Back' });
    expect([changed.status, changed.body.data]).toEqual([200, { ...wire, name: 'Back' }]);
    expect(await listed(ben)).toMatchObject([
      { id, name: 'Back', list: null, tickets: { filter: wire.filter, sort: wire.sort } },
      { id: inbox.id, position: 1 },
    ]);
  });

  test('has what a desk changed in one of its views', async () => {
    const { id } = (await app.rest(site.write, 'POST', '/v1/saved_views', { name: 'Returns' })).body.data;
    const [view] = await listed(ben);
    const tickets = { filter: { priority: 'high' }, sort: 'created' };
    expect((await update(ben, { id, tickets, version: view?.version })).status).toBe(200);
    expect(await restViews()).toMatchObject([{ id, filter: tickets.filter, sort: tickets.sort }]);
    const list = VIP.list;
    expect(refusal(await update(ben, { id, list, version: (view?.version ?? 0) + 1 }))[0]).toBe(409);
  });
});

describe('a view of the inbox', () => {
  test('counts chats and tickets that its filter selects, if its queue has a count', async () => {
    await Promise.all([ticket({ tags: ['vip'] }), ticket({ tags: ['vip'], priority: 'urgent' }), ticket()]);
    await chat('vip');
    await chat();
    const count = async (list: object): Promise<number | null> =>
      (await made(ben, { visibility: 'private', list: { sort: 'newest', ...list } })).count;
    expect(await count({ queue: 'open' })).toBe(5);
    expect(await count({ queue: 'open', tag: 'vip' })).toBe(3);
    expect(await count({ queue: 'open', tag: 'VIP', channel: 'chat' })).toBe(1);
    expect(await count({ queue: 'open', tag: 'vip', channel: 'ticket' })).toBe(2);
    expect(await count({ queue: 'unassigned', priority: 'urgent' })).toBe(1);
    expect(await count({ queue: 'mine' })).toBe(0);
    expect(await count({ status: 'new' })).toBe(3);
    expect(await count({ status: 'bot' })).toBe(2);
    expect(await count({ queue: 'open', tag: 'nobody has it' })).toBe(0);
    expect(await count({ queue: 'closed', tag: 'vip' })).toBeNull();
    expect(await count({ tag: 'vip' })).toBeNull();
    expect(await count({ queue: 'open', status: 'solved' })).toBeNull();
  });

  test('says which tag, agent or segment of its filter is gone, and stays', async () => {
    await app.desk(ada, 'tags.create', { name: 'brief' });
    const rule = { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] };
    const segment = (await app.desk(ada, 'segments.create', { name: 'Pro', rule })).body.data.id;
    const list = { sort: 'oldest', tag: 'Brief', assignee_id: benId, segment };
    const { id, missing, version } = await made(ada, { list });
    expect(missing).toEqual([]);
    const tag = (await app.desk(ada, 'tags.list')).body.data[0].id;
    await app.desk(ada, 'tags.update', { id: tag, name: 'short' });
    expect(await listed(ada)).toMatchObject([{ list: { ...list, tag: 'short' }, missing: [] }]);
    for (const [operation, gone] of [
      ['tags.delete', tag],
      ['segments.delete', segment],
      ['agents.remove', benId],
    ] as const)
      expect((await app.desk(ada, operation, { id: gone })).status).toBe(200);
    expect(await listed(ada)).toMatchObject([{ missing: ['tag', 'assignee', 'segment'] }]);
    // Everything else of it can still be changed.
    const other = { ...list, tag: 'short', sort: 'newest' };
    expect((await update(ada, { id, list: other, version: version + 1 })).status).toBe(200);
    const strange = { ...other, assignee_id: 2 ** 40 };
    expect(refusal(await update(ada, { id, list: strange, version: version + 2 }))[0]).toBe(404);
  });

  test('is not overwritten by a colleague who has not seen its last change', async () => {
    const { id, version } = await made(ada, VIP);
    const list = (tag: string) => ({ id, list: { ...VIP.list, tag }, version });
    const answers = await Promise.all([update(ada, list('a')), update(ben, list('b'))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = answers.find(({ status }) => status === 409);
    expect(late && refusal(late)).toEqual([409, 'conflict', 'view_changed']);
    // Its name and position are independent of it.
    expect((await update(ben, { id, name: 'Renamed', position: 4 })).status).toBe(200);
    expect((await update(ben, { ...list('c'), version: version + 1 })).status).toBe(200);
    expect(await listed(ada)).toMatchObject([{ name: 'Renamed', list: { tag: 'c' }, version: version + 2 }]);
  });

  test('keeps a hostile name as it is, and refuses an empty one', async () => {
    const name = '<img src=x onerror=alert(1)> \u202e %s {{name}}';
    expect(await made(ben, { name, ...VIP })).toMatchObject({ name });
    for (const bad of ['', '   ', 'x'.repeat(300), 7])
      expect(
        (await app.desk(ben, 'inbox_views.create', { name: bad, visibility: 'private', ...VIP })).status,
      ).toBe(400);
  });

  test.each([
    ['nothing to show', {}],
    ['two things to show', { ...VIP, tickets: { filter: {}, sort: 'created' } }],
    ['mentions', { list: { queue: 'mentions', sort: 'newest' } }],
    ['an unknown order', { list: { sort: 'random' } }],
    ['an unknown filter', { list: { sort: 'newest', odd: 1 } }],
    ['no order', { list: { tag: 'vip' } }],
  ])('refuses %s', async (_what, shows) => {
    const answer = await app.desk(ben, 'inbox_views.create', { name: 'x', visibility: 'private', ...shows });
    expect(refusal(answer).slice(0, 2)).toEqual([400, 'invalid_input']);
  });

  test('of another site looks as if it did not exist', async () => {
    const { id } = await made(ben, VIP);
    const other = await app.makeSite();
    const stranger = await app.signIn(other.admin.email);
    expect((await update(stranger, { id, name: 'x' })).status).toBe(404);
    expect(await listed(stranger)).toEqual([]);
  });
});

describe('the maximum', () => {
  const fill = (owner: number | null, count: number) =>
    sql`insert into saved_views (site_id, name, owner_id)
      select ${site.site.id}, 'x', ${owner}::bigint from generate_series(1, ${count}) n`.execute(
      site.operator.db,
    );
  const several = async (input: object) => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.desk(ben, 'inbox_views.create', { name: 'x', ...VIP, ...input })),
    );
    return answers.map(refusal).sort();
  };

  test('of shared views holds however they are created; private ones have their own', async () => {
    await fill(null, VIEW_LIMIT - 2);
    const full = [409, 'conflict', 'shared_views_full'];
    const ok = [200, undefined, undefined];
    expect(await several({ visibility: 'everyone' })).toEqual([ok, ok, full, full, full]);
    const rest = await app.rest(site.write, 'POST', '/v1/saved_views', { name: 'x' });
    expect([rest.status, rest.body.error.message]).toEqual([
      409,
      `A site can have at most ${VIEW_LIMIT} saved views.`,
    ]);
    const { id } = await made(ben, { visibility: 'private', ...VIP });
    expect(refusal(await update(ben, { id, visibility: 'everyone' }))).toEqual(full);
    expect((await listed(ben)).find((view) => view.id === id)).toMatchObject({ visibility: 'private' });
  });

  test('of private views is per agent', async () => {
    await fill(benId, PRIVATE_VIEW_LIMIT - 1);
    const full = [409, 'conflict', 'private_views_full'];
    expect(await several({ visibility: 'private' })).toEqual([
      [200, undefined, undefined],
      full,
      full,
      full,
      full,
    ]);
    await made(ada, { visibility: 'private', ...VIP });
  });
});
