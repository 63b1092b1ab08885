import { randomBytes, randomUUID } from 'node:crypto';
import type { VisitorHere } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAgent } from './accounts.ts';
import { answerOf, startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { TestSocket } from './sockets.ts';
import { say } from './stand.ts';

// Reports of pages before the chat is opened, at the endpoint and in the desk's list.

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

test('a page that reports is in the list with everything it reported, and nothing of it is stored', async () => {
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

test('the desk is notified when somebody arrives and when they leave', async () => {
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

test('a visitor who opens the chat stays one row, with the whole visit', async () => {
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

test('a known visitor is listed by name, and shown as on the site in their profile', async () => {
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

test('the list can be paged in both directions, with each visitor once', async () => {
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

test('if live visitors are off, pages learn that from the response and nobody is listed', async () => {
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
  // Foyer's own pages, such as the demo and the help centre, are always allowed.
  expect((await report({}, { origin: app.url })).status).toBe(202);
  expect((await report({ tab: 'x' })).body.error.issues[0].path).toBe('tab');
  expect((await report({}, {}, 'pk_nobody')).status).toBe(404);
});

test('one address can report only so often, and another site’s pages behind it are not affected', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 610; at++) statuses.push((await report({ tab: newTab(), key: `anon_${at}` })).status);
  expect([statuses.filter((status) => status === 202).length, statuses.at(-1)]).toEqual([600, 429]);
  expect((await report({}, {}, (await app.makeSite()).publicKey)).status).toBe(202);
  expect([(await here()).length, await count()]).toEqual([50, 600]);
});

const start = (cookie: string, key: string, text = 'Can I help?', client_id: string = randomUUID()) =>
  app.desk(cookie, 'sessions.start', { key, client_id, text });
const stored = async (): Promise<number> => {
  const { rows } = await app.app.database.pool.query(
    `select (select count(*) from visitors where site_id = $1) + (select count(*) from visitor_pages where site_id = $1)
       + (select count(*) from conversations where site_id = $1) as n`,
    [site.site.id],
  );
  return Number(rows[0].n);
};
const reasonOf = ({ body }: Awaited<ReturnType<typeof start>>) => body.error?.reason;
/** As the page does when it is called. */
async function connect(key: string) {
  const connected = await TestSocket.visitor(app.url, site.publicKey, {
    key,
    page_url: 'https://shop.example/lamps',
  });
  await until(async () => (await here()).some(({ visitor, has_chat }) => has_chat && visitor.key === key));
  return connected;
}

describe('an agent writes to somebody who never opened the chat', () => {
  test('the page is called, connects, and gets the message as unread; before that nothing is stored', async () => {
    await report({ key: 'anon_quiet' });
    expect((await report({ key: 'anon_quiet' })).body.data).toEqual({ live: true });
    const client_id = randomUUID();
    expect(reasonOf(await start(admin, 'anon_quiet', 'Can I help?', client_id))).toBe('visitor_connecting');
    expect(await stored()).toBe(0);
    expect((await report({ key: 'anon_other' })).body.data).toEqual({ live: true, again_s: 15 });
    expect((await report({ key: 'anon_quiet' })).body.data).toEqual({ live: true, call: true, again_s: 15 });
    const { socket, welcome } = await connect('anon_quiet');
    const { body } = await start(admin, 'anon_quiet', 'Can I help?', client_id);
    expect(body.data).toMatchObject({ status: 'active', agent: { name: 'Ada' } });
    const { session } = await socket.next('session');
    expect(session).toMatchObject({ session_id: body.data.session_id });
    expect((await start(admin, 'anon_quiet', 'Can I help?', client_id)).body.data.session_id).toBe(
      session.session_id,
    );
    await say(socket, session.session_id, 'Yes, please');
    const back = await TestSocket.visitor(app.url, site.publicKey, {
      key: 'anon_quiet',
      token: welcome.token,
    });
    expect(back.welcome.sessions).toHaveLength(1);
    socket.cut();
    back.socket.cut();
  });

  test('a call that is not repeated ends', async () => {
    await report({ key: 'anon_quiet' });
    await start(admin, 'anon_quiet');
    time += 31_000;
    expect((await report({ key: 'anon_quiet' })).body.data.call).toBeUndefined();
    expect(await stored()).toBe(0);
  });

  test('a visitor who leaves before is reported as gone, known or not, and nothing is stored', async () => {
    await app.rest(site.write, 'POST', '/v1/visitors', { key: 'ada' });
    for (const key of ['anon_gone', 'ada']) {
      const tab = newTab();
      await report({ key, tab });
      expect(reasonOf(await start(admin, key))).toBe('visitor_connecting');
      await report({ key, tab, left: true });
      time += 11_000;
      await until(async () => reasonOf(await start(admin, key)) === 'visitor_left');
    }
    expect(await stored()).toBe(1);
  });

  test('if two agents write at once, one begins the chat and the other gets an error that says so', async () => {
    const email = `bob-${randomUUID()}@example.com`;
    await makeAgent(site.operator, { email, name: 'Bob', role: 'agent' });
    const bob = await app.signIn(email);
    const { socket } = await connect('anon_wanted');
    const answers = await Promise.all([start(admin, 'anon_wanted', 'Ada'), start(bob, 'anon_wanted', 'Bob')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.map(reasonOf)).toContain('visitor_in_chat');
    expect((await here())[0]?.chat).not.toBeNull();
    socket.cut();
  });

  test('a blocked visitor is not called', async () => {
    await app.rest(site.write, 'POST', '/v1/visitors', { key: 'eve' });
    await app.desk(admin, 'visitors.block', { key: 'eve' });
    await report({ key: 'eve' });
    expect(reasonOf(await start(admin, 'eve'))).toBe('visitor_blocked');
    expect((await report({ key: 'eve' })).body.data.call).toBeUndefined();
  });

  test('an erased visitor’s page connects as a stranger', async () => {
    const { socket } = await connect('anon_erased');
    await say(socket, null, 'Hello');
    socket.cut();
    expect((await app.rest(site.write, 'DELETE', '/v1/visitors?key=anon_erased')).status).toBe(200);
    await report({ key: 'anon_erased' });
    await until(async () => reasonOf(await start(admin, 'anon_erased')) === 'visitor_connecting');
    const again = await connect('anon_erased');
    const { body } = await start(admin, 'anon_erased');
    expect(body.data.visitor).toMatchObject({ key: 'anon_erased', name: null });
    again.socket.cut();
  });

  test('another site’s agents can’t call a visitor, and where live visitors are off nobody can', async () => {
    const other = await app.makeSite();
    const stranger = await app.signIn(other.admin.email);
    await report({ key: 'anon_quiet' });
    expect((await start(stranger, 'anon_quiet')).status).toBe(404);
    expect((await report({ key: 'anon_quiet' })).body.data.call).toBeUndefined();
    await start(admin, 'anon_quiet');
    await app.desk(admin, 'site.update', { live_visitors: false });
    expect((await report({ key: 'anon_quiet' })).body.data).toEqual({ live: false });
  });

  test('an agent can begin ten chats a minute, and a visitor gets no more than three without an answer', async () => {
    const statuses: (string | number)[] = [];
    const sockets: TestSocket[] = [];
    for (let at = 0; at < 11; at++) {
      sockets.push((await connect(`anon_${at}`)).socket);
      const answer = await start(admin, `anon_${at}`);
      statuses.push(reasonOf(answer) ?? answer.status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 'chats_too_fast']);
    time += 61_000;
    const outcomes: (string | number)[] = [];
    const { socket } = await connect('anon_pressed');
    for (let at = 0; at < 4; at++) {
      const answer = await start(admin, 'anon_pressed');
      outcomes.push(reasonOf(answer) ?? answer.status);
      if (answer.status === 200)
        await app.desk(admin, 'sessions.close', { session_id: answer.body.data.session_id });
    }
    expect(outcomes).toEqual([200, 200, 200, 'visitor_silent']);
    for (const one of [...sockets, socket]) one.cut();
  });
});
