import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Answer, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
});
afterAll(() => app.close());

const post = (resource: string, body: object): Promise<Answer> =>
  app.rest(site.write, 'POST', `/v1/${resource}`, body);
const get = (query: string): Promise<Answer> => app.rest(site.read, 'GET', `/v1/tickets?${query}`);

async function make(parts: object = {}): Promise<number> {
  const requester = { key: 'user_1', email: 'ann@example.com' };
  const { body, status } = await post('tickets', { subject: 'Lamp', body: 'Broken', requester, ...parts });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

test('a snooze ends automatically, never before its time', async () => {
  const id = await make({ tags: ['dozing'] });
  const due = new Date(Date.now() + 1_200);
  const snoozed = await post('ticket_snooze', { ticket_id: id, until_utc: due.toISOString() });
  expect([snoozed.status, snoozed.body.data.snoozed_until_utc]).toEqual([200, due.toISOString()]);
  expect((await get('tag=dozing')).body.data).toEqual([]);
  await until(async () => (await get('tag=dozing')).body.data.length === 1);
  const { data } = (await get(`id=${id}`)).body;
  expect(data).toMatchObject({ status: 'open', snoozed_until_utc: null });
  expect(Date.parse(data.updated_utc)).toBeGreaterThanOrEqual(due.getTime());
});

describe('the list’s parameters', () => {
  it('come as text and mean what they say', async () => {
    const id = await make({ assignee_id: site.admin.agentId, tags: ['asked'] });
    const found = async (query: string): Promise<number[]> =>
      (await get(`tag=asked&${query}`)).body.data.map((ticket: { id: number }) => ticket.id);
    for (const query of [
      `assignee_id=${site.admin.agentId}`,
      'snoozed=false',
      'sort=-priority&limit=1',
      'order=asc',
    ])
      expect(await found(query), query).toEqual([id]);
    for (const query of ['assignee_id=none', 'snoozed=true', 'status=solved', 'since=2999-01-01'])
      expect(await found(query), query).toEqual([]);
  });

  it.each([
    'assignee_id=nobody',
    'assignee_id=0',
    'assignee_id=1e0',
    'assignee_id=',
    'snoozed=1',
    'snoozed=TRUE',
    'status=lost',
    'priority=1',
    'sort=subject',
    'sort=created&order=asc',
    'since=yesterday',
    'updated_since=2026-02-30',
    'tag=',
    `q=${'x'.repeat(201)}`,
    'view=x',
    'id=0',
    'requester=1',
  ])('are refused: %s', async (query) => {
    const { status, body } = await get(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_input']);
  });

  it('name a view that exists', async () => {
    expect((await get('view=4711')).status).toBe(404);
    const view = await post('saved_views', { name: 'Mine', filter: { tag: 'viewed' }, sort: 'created' });
    const ids = [await make({ tags: ['viewed'] }), await make({ tags: ['viewed'], priority: 'low' })];
    const found = async (query: string) =>
      (await get(`view=${view.body.data.id}${query}`)).body.data.map((ticket: { id: number }) => ticket.id);
    expect(await found('')).toEqual(ids);
    expect(await found('&order=desc')).toEqual(ids.toReversed());
    expect(await found('&priority=low')).toEqual([ids[1]]);
    expect(await found('&tag=asked')).toEqual([]);
  });
});

test('the same Idempotency-Key creates one ticket', async () => {
  const body = { subject: 'Once', body: 'Text', requester: { email: 'once@example.com' }, tags: ['once'] };
  const send = () => app.rest(site.write, 'POST', '/v1/tickets', body, { 'idempotency-key': 'ticket-once' });
  const first = await send();
  expect((await send()).body.data).toEqual(first.body.data);
  expect((await get('tag=once')).body.data).toHaveLength(1);
});

test('unknown records in a body are not found', async () => {
  const id = await make();
  for (const body of [{ assignee_id: 4_711 }, { session_id: 'ses_AAAAAAAAAAAAAAAAAAAAAA' }]) {
    const requester = { key: 'user_1' };
    expect((await post('tickets', { subject: 'a', body: 'b', requester, ...body })).status).toBe(404);
  }
  const change = await app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, { assignee_id: 4_711 });
  expect([change.status, change.body.error.message]).toEqual([404, 'No such agent.']);
});
