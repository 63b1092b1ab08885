import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSetupLink } from '../src/sites/sign-in/setup.ts';
import { type Answer, answerOf, PASSWORD, startTestApp, type TestApp } from './app.ts';

// An installation without FOYER_BASE_URL, whose owner gives its public address at the setup.

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

test('other processes learn of it without a restart', async () => {
  await expect.poll(async () => (await invite(other.url, PUBLIC)).status).toBe(200);
  expect((await invite(other.url, PUBLIC)).body.data.url).toMatch(`${PUBLIC}/app/invitation#`);
});

test('the API reference and the demo page name it', async () => {
  const reference = await app.rest(undefined, 'GET', '/v1/openapi.json');
  expect(reference.body.servers).toMatchObject([{ url: PUBLIC }]);
  expect(await (await fetch(`${app.url}/demo`)).text()).toContain(`${PUBLIC}/assets/js/visitor-sdk.js`);
});
