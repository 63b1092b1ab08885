import { randomUUID } from 'node:crypto';
import type { FirstSteps } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { ONE_PIXEL_PNG } from '../../test/examples.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';
import { openChat } from '../../test/stand.ts';
import { importSampleKnowledge } from '../knowledge/sample.ts';

const MAIL_SERVER = {
  host: 'mail.shop.example',
  port: 587,
  security: 'starttls',
  user: null,
  from_name: null,
  from_address: 'help@shop.example',
};

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});

const ask = async (operation: string, input: object = {}) =>
  (await app.desk(cookie, operation, input)).body.data;
const firstSteps = (): Promise<FirstSteps> => ask('first_steps.get');
const doneSteps = async (): Promise<string[]> =>
  (await firstSteps()).steps.filter(({ done }) => done).map(({ step }) => step);
const configFor = (origin?: string) =>
  fetch(`${app.url}/widget/config?site=${site.publicKey}`, { headers: origin ? { origin } : {} });

test('a new site has done nothing, and each step is done by doing it', async () => {
  expect(await firstSteps()).toEqual({
    steps: ['snippet', 'look', 'article', 'chat', 'team', 'hours', 'mail', 'alerts'].map((step) => ({
      step,
      done: false,
    })),
    snippet: null,
    put_away: false,
  });
  await ask('site.update', { greeting: 'Good day' });
  await ask('articles.create', { title: 'Returns', body: 'Within 30 days.', status: 'Published' });
  await ask('agents.invite', { email: `${randomUUID()}@example.com` });
  const weekday = [{ from: '09:00', to: '17:00' }];
  const weekly = {
    monday: weekday,
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  };
  await ask('site.update', { office_hours: { time_zone: 'Europe/Berlin', weekly } });
  await ask('mail.set', MAIL_SERVER);
  await ask('notification_settings.update', { quiet_away: false });
  expect(await doneSteps()).toEqual(['look', 'article', 'team', 'hours', 'mail', 'alerts']);
});

test('email is set up for a site as soon as the installation has a mail server, and no longer without one', async () => {
  await ask('mail.set', MAIL_SERVER);
  await ask('mail.clear');
  expect(await doneSteps()).toEqual([]);
  const settings = { SMTP_URL: 'smtp://127.0.0.1', FOYER_MAIL_FROM: 'help@shop.example' };
  const mailing = await startTestApp(settings);
  const elsewhere = await mailing.makeSite();
  const { body } = await mailing.desk(await mailing.signIn(elsewhere.admin.email), 'first_steps.get');
  await mailing.close();
  expect(body.data.steps).toContainEqual({ step: 'mail', done: true });
});

test('a draft is no published article, and archiving the article opens the step again', async () => {
  const { id } = await ask('articles.create', { title: 'Returns', body: 'Soon.' });
  expect(await doneSteps()).toEqual([]);
  await ask('articles.update', { id, status: 'Published' });
  expect(await doneSteps()).toEqual(['article']);
  await ask('articles.update', { id, status: 'Archived' });
  expect(await doneSteps()).toEqual([]);
});

test('sample articles count when a teammate has edited one', async () => {
  await importSampleKnowledge(site.operator);
  expect(await doneSteps()).toEqual([]);
  const [{ id }] = await ask('articles.list', { limit: 1 });
  await ask('articles.update', { id, body: 'In our own words.' });
  expect(await doneSteps()).toEqual(['article']);
});

test('a chat counts once a person has answered it, and for an agent only their own', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await ask('sessions.accept', { session_id: id });
  expect(await doneSteps()).toEqual([]);
  await ask('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'Good morning!' });
  expect(await doneSteps()).toEqual(['chat']);
  const email = `${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  cookie = await app.signIn(email);
  expect((await firstSteps()).steps).toEqual([
    { step: 'chat', done: false },
    { step: 'picture', done: false },
    { step: 'alerts', done: false },
  ]);
  await ask('me.set_picture', { content: ONE_PIXEL_PNG });
  expect(await doneSteps()).toEqual(['picture']);
  socket.cut();
});

test('the snippet is seen when a page of another origin loads the launcher, and then its address is known', async () => {
  await configFor();
  await configFor(app.url);
  await configFor('null');
  await configFor('https://shop.example');
  await until(async () => (await firstSteps()).snippet !== null);
  expect((await firstSteps()).snippet).toMatchObject({
    origin: 'https://shop.example',
    page_url: null,
    allowed: true,
  });
  const page_url = 'https://shop.example/lamps?order=secret#top';
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, { page_url });
  await until(async () => (await firstSteps()).snippet?.page_url === 'https://shop.example/lamps');
  expect(await doneSteps()).toEqual(['snippet']);
  socket.cut();
});

test('a page that the site does not allow is shown, and doesn’t count as installed', async () => {
  await ask('site.update', { allowed_origins: ['https://shop.example'] });
  await configFor('https://elsewhere.example');
  await until(async () => (await firstSteps()).snippet !== null);
  expect((await firstSteps()).snippet).toMatchObject({ origin: 'https://elsewhere.example', allowed: false });
  expect(await doneSteps()).toEqual([]);
});

test('of invented origins only a few are kept', async () => {
  const kept = async (): Promise<string[]> => {
    const rows = await app.app.database.db
      .selectFrom('widget_installs_seen')
      .select('origin')
      .where('site_id', '=', site.site.id)
      .execute();
    return rows.map(({ origin }) => origin);
  };
  for (let at = 0; at < 60; at++) await configFor(`https://shop${at}.example`);
  // Of the sixty a process writes forty, and the last twenty of these stay.
  await until(async () => (await kept()).includes('https://shop39.example') && (await kept()).length === 20);
  expect(await kept()).not.toContain('https://shop40.example');
});

test('each agent dismisses the list for themselves, and restores it', async () => {
  await ask('first_steps.put_away', { put_away: true });
  expect((await firstSteps()).put_away).toBe(true);
  await ask('first_steps.put_away', { put_away: false });
  expect((await firstSteps()).put_away).toBe(false);
});

test('with a plan for one there is nobody to invite', async () => {
  site = await app.makeSite('free');
  cookie = await app.signIn(site.admin.email);
  expect((await firstSteps()).steps.map(({ step }) => step)).not.toContain('team');
});
