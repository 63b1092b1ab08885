import { randomBytes } from 'node:crypto';
import type { VisitorHere } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerOf, startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { TestSocket } from './sockets.ts';
import { say } from './stand.ts';

// What pages report before the chat is opened, at the entry point and in the desk's list.

let app: TestApp;
let site: TestSite;
let admin: string;
let time = Date.now();
beforeAll(async () => {
  app = await startTestApp({}, { now: () => new Date(time) });
});
afterAll(() => app.close());
beforeEach(async () => {
  time += 3_600_000;
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
});

const newTab = (): string => randomBytes(8).toString('hex');
const report = (body: object, headers: Record<string, string> = {}, publicKey = site.publicKey) =>
  fetch(`${app.url}/widget/live?site=${publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': 'Firefox', ...headers },
    body: JSON.stringify({ tab: newTab(), key: 'anon_1', page_url: 'https://shop.example/lamps', ...body }),
  }).then(answerOf);
const list = async (input: object = {}) => (await app.desk(admin, 'visitors.here', input)).body;
const here = async (): Promise<VisitorHere[]> => (await list()).data;
const count = async (): Promise<number> => (await app.desk(admin, 'visitors.count_here')).body.data.count;

test('a page that reports is in the list with all that it said, and nothing of it is stored', async () => {
  const answer = await report({
    page_url: 'https://shop.example/lamps?order=secret',
    page_title: 'Lamps',
    referrer: 'https://search.example/find?q=lamps',
    time_zone: 'Europe/Berlin',
  });
  expect([answer.status, answer.body.data]).toEqual([202, { live: true }]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await here()).toEqual([
    {
      page_url: 'https://shop.example/lamps',
      page_title: 'Lamps',
      referrer: 'https://search.example/find',
      page_since_utc: new Date(time).toISOString(),
      since_utc: new Date(time).toISOString(),
      visitor: { key: 'anon_1', name: null, email: null },
      recorded: false,
      verified: false,
      blocked: false,
      user_agent: 'Firefox',
      tabs: 1,
      pages: 1,
      country: 'DE',
      has_chat: false,
      chat: null,
    },
  ]);
  expect(await count()).toBe(1);
  const { rows } = await app.app.database.pool.query(
    `select (select count(*) from visitors where site_id = $1) + (select count(*) from visitor_pages where site_id = $1) as n`,
    [site.site.id],
  );
  expect(Number(rows[0].n)).toBe(0);
});

test('the desk is told when somebody comes and when they leave', async () => {
  const agent = await TestSocket.agent(app.url, admin);
  const tab = newTab();
  await report({ tab });
  await agent.next('visitors_here_changed');
  agent.frames.length = 0;
  await report({ tab, left: true });
  time += 11_000;
  await agent.next('visitors_here_changed');
  expect(await here()).toEqual([]);
  agent.cut();
});

test('somebody who opens the chat stays one row, with the visit since it began', async () => {
  const tab = newTab();
  await report({ tab, key: 'anon_chat', referrer: 'https://search.example/', time_zone: 'Europe/Paris' });
  const began = new Date(time).toISOString();
  time += 60_000;
  await report({ tab, key: 'anon_chat', page_url: 'https://shop.example/cart' });
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, {
    key: 'anon_chat',
    page_url: 'https://shop.example/cart',
    referrer: 'https://search.example/',
  });
  await until(async () => (await here())[0]?.has_chat === true);
  const expected = {
    since_utc: began,
    pages: 2,
    tabs: 1,
    country: 'FR',
    page_url: 'https://shop.example/cart',
  };
  expect(await here()).toMatchObject([{ ...expected, visitor: { key: 'anon_chat' }, recorded: false }]);
  const { session } = await say(socket, null, 'Hello');
  expect(await here()).toMatchObject([
    { ...expected, recorded: true, chat: { session_id: session?.session_id, status: 'bot' } },
  ]);
  expect(await count()).toBe(1);
  socket.cut();
});

test('a visitor whom the site knows is listed by name, and is on the site in their profile', async () => {
  await app.rest(site.write, 'POST', '/v1/visitors', {
    key: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@b.example',
  });
  await report({ key: 'ada' });
  expect(await here()).toMatchObject([
    { visitor: { key: 'ada', name: 'Ada Lovelace' }, recorded: true, verified: false, has_chat: false },
  ]);
  const profile = await app.desk(admin, 'visitors.open', { key: 'ada' });
  expect(profile.body.data.here).toMatchObject({ page_url: 'https://shop.example/lamps' });
});

test('the list is read page by page in both directions, each visitor once', async () => {
  const keys = ['anon_a', 'anon_b', 'anon_c', 'anon_d', 'anon_e'];
  for (const key of keys) {
    await report({ key });
    time += 1_000;
  }
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, {
    key: 'anon_f',
    page_url: 'https://shop.example/',
  });
  await until(async () => (await count()) === 6);
  for (const order of ['asc', 'desc'] as const) {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data, page } = await list({ limit: 2, order, ...(cursor && { cursor }) });
      seen.push(...data.map(({ visitor }: VisitorHere) => visitor.key));
      cursor = page.next_cursor ?? undefined;
      if (!cursor) break;
    }
    const all = [...keys, 'anon_f'];
    expect(seen).toEqual(order === 'asc' ? all : all.reverse());
  }
  socket.cut();
});

test('another site sees nothing of it, and cannot end it', async () => {
  const other = await app.makeSite();
  const tab = newTab();
  await report({ tab });
  await report({ tab, left: true }, {}, other.publicKey);
  time += 12_000;
  expect(await here()).toHaveLength(1);
  const stranger = await app.signIn(other.admin.email);
  expect((await app.desk(stranger, 'visitors.here')).body.data).toEqual([]);
});

test('where live visitors are off, pages are told so and nobody is listed', async () => {
  const config = async () =>
    (await answerOf(await fetch(`${app.url}/widget/config?site=${site.publicKey}`))).body.data;
  expect((await config()).live).toBe(true);
  expect((await app.desk(admin, 'site.update', { live_visitors: false })).body.data.live_visitors).toBe(
    false,
  );
  expect((await config()).live).toBe(false);
  expect((await report({})).body.data).toEqual({ live: false });
  expect(await here()).toEqual([]);
});

test('a page that the site doesn’t allow is refused, as are reports of another form and of no site', async () => {
  await app.desk(admin, 'site.update', { allowed_origins: ['https://shop.example'] });
  expect((await report({}, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await report({}, { origin: 'https://shop.example' })).status).toBe(202);
  // Foyer's own pages, such as the demo and the help centre, are always among them.
  expect((await report({}, { origin: app.url })).status).toBe(202);
  expect((await report({ tab: 'x' })).body.error.issues[0].path).toBe('tab');
  expect((await report({}, {}, 'pk_nobody')).status).toBe(404);
});

test('one address can report only so often, and another site’s pages behind it are not held up', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 610; at++) statuses.push((await report({ tab: newTab(), key: `anon_${at}` })).status);
  expect([statuses.filter((status) => status === 202).length, statuses.at(-1)]).toEqual([600, 429]);
  expect((await report({}, {}, (await app.makeSite()).publicKey)).status).toBe(202);
  expect([(await here()).length, await count()]).toEqual([50, 600]);
});
