import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSetupLink } from '../src/sites/sign-in/setup.ts';
import { makeAgent } from './accounts.ts';
import { type Answer, answerOf, type Json, PASSWORD, startTestApp, type TestApp } from './app.ts';
import { freePort } from './foyer-process.ts';

// An installation without FOYER_BASE_URL, whose owner sets its public address at the setup or later.

const PUBLIC = 'https://chat.example.com';

let app: TestApp;
let other: TestApp;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  const { databaseUrl: url } = app;
  other = await startTestApp({}, {}, { url, close: async () => undefined });
  const link = (await newSetupLink(app.app.database.db, 'http://localhost')) ?? '';
  const answer = await fetch(`${app.url}/app/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url },
    body: JSON.stringify({
      token: link.split('#')[1],
      name: 'Ada',
      email: 'ada@example.com',
      password: PASSWORD,
      site_name: 'Shop',
      public_url: `${PUBLIC}/`,
    }),
  });
  expect(answer.status).toBe(201);
  cookie = await app.signIn('ada@example.com');
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const invite = async (url: string, origin: string): Promise<Answer> =>
  answerOf(
    await fetch(`${url}/app/api/agents.invite`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie },
      body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, role: 'agent' }),
    }),
  );

test('the owner stays signed in where they are; links begin with the public address, and its pages may write', async () => {
  const answer = await invite(app.url, PUBLIC);
  expect(answer.status).toBe(200);
  expect(answer.body.data.url).toMatch(`${PUBLIC}/app/invitation#`);
  expect((await invite(app.url, 'https://evil.example')).status).toBe(403);
});

test('other processes use it without a restart', async () => {
  await expect.poll(async () => (await invite(other.url, PUBLIC)).status).toBe(200);
  expect((await invite(other.url, PUBLIC)).body.data.url).toMatch(`${PUBLIC}/app/invitation#`);
});

test('the API reference and the demo page name it', async () => {
  const reference = await app.rest(undefined, 'GET', '/v1/openapi.json');
  expect(reference.body.servers).toMatchObject([{ url: PUBLIC }]);
  expect(await (await fetch(`${app.url}/demo`)).text()).toContain(`${PUBLIC}/assets/js/visitor-sdk.js`);
});

describe('an admin changes it later', () => {
  const TUNNEL = 'https://shop.tunnel.example';
  const PATHS = /^https:\/\/[a-z.]+/;
  const linkOf = async (one: TestApp): Promise<string> => {
    const { body } = await invite(one.url, (await read(one)).url);
    return PATHS.exec(body.data.url)?.[0] ?? '';
  };
  const read = async (one: TestApp): Promise<Json> =>
    (await one.desk(cookie, 'public_address.get')).body.data;
  const set = (url: string, as = cookie): Promise<Answer> => app.desk(as, 'public_address.set', { url });

  test('for every process, without a restart, and it is in the audit log', async () => {
    expect(await read(app)).toEqual({ url: PUBLIC, set_by: 'admin' });
    const { status, body } = await set(` ${TUNNEL}/ `);
    expect([status, body.data]).toEqual([200, { url: TUNNEL, set_by: 'admin' }]);
    expect(await linkOf(app)).toBe(TUNNEL);
    await expect.poll(() => read(other)).toEqual({ url: TUNNEL, set_by: 'admin' });
    expect(await linkOf(other)).toBe(TUNNEL);
    // From its next start, the desk is only at the new address, and says so elsewhere.
    const { databaseUrl } = app;
    const restarted = await startTestApp({}, {}, { url: databaseUrl, close: async () => undefined });
    const refused = await restarted.desk(cookie, 'me.get');
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ reason: 'other_address', values: { name: TUNNEL } });
    await restarted.close();
    const { body: log } = await app.desk(cookie, 'audit.list', { subject: 'site' });
    expect(log.data[0]).toMatchObject({
      action: 'public_address.set',
      actor: { kind: 'agent', name: 'Ada' },
      changes: { public_address: [PUBLIC, TUNNEL] },
    });
  });

  test('but not to an invalid address, not as an agent, and not if other sites use it', async () => {
    for (const url of ['shop.example', 'ftp://shop.example', 'https://ada:pw@shop.example', `${PUBLIC}?a=b`])
      expect((await set(url)).status, url).toBe(400);
    const { db } = app.app.database;
    const { id } = await db.selectFrom('sites').select('id').executeTakeFirstOrThrow();
    const operator = app.app.contextFor({ id, plan: 'growth' }, { kind: 'operator' });
    await db.updateTable('sites').set({ plan: 'growth' }).execute();
    await makeAgent(operator, { email: 'ben@example.com', name: 'Ben', role: 'agent' });
    expect((await set(PUBLIC, await app.signIn('ben@example.com'))).status).toBe(403);
    await app.makeSite();
    expect(await read(app)).toEqual({ url: TUNNEL, set_by: 'operator' });
    expect((await set(PUBLIC)).status).toBe(409);
    expect(await read(app)).toEqual({ url: TUNNEL, set_by: 'operator' });
  });

  test('nor if the operator has set FOYER_BASE_URL', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const fixed = await startTestApp({ PORT: String(port), FOYER_BASE_URL: url });
    const site = await fixed.makeSite();
    const as = await fixed.signIn(site.admin.email);
    const ask = (operation: string, input = {}): Promise<Answer> => fixed.desk(as, operation, input);
    expect((await ask('public_address.get')).body.data).toEqual({ url, set_by: 'variable' });
    expect((await ask('public_address.set', { url: PUBLIC })).status).toBe(409);
    await fixed.close();
  });
});
