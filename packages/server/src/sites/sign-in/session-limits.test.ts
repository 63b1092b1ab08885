import { CLOSE_UNAUTHORIZED } from '@foyer/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { findDue } from '../../../test/find-due.ts';
import { silentLog, TEST_SECRET, until } from '../../../test/harness.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { type App, createApp } from '../../app/app.ts';
import { readConfig } from '../../config.ts';
import { sessionClock } from './session-limits.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
/** Another process on the same database. */
let second: App;
let secondUrl: string;
let ahead = 0;
const now = (): Date => new Date(Date.now() + ahead);
beforeAll(async () => {
  app = await startTestApp({}, { now });
  second = await createApp({
    config: readConfig({ PORT: '0' }),
    databaseUrl: app.databaseUrl,
    secret: TEST_SECRET,
    log: silentLog,
    now,
  });
  secondUrl = await second.listen();
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const limit = async (site: TestSite, cookie: string, limits: object): Promise<void> => {
  const { status, body } = await app.desk(cookie, 'site.update', limits, site.site.id);
  expect([status, body.error]).toEqual([200, undefined]);
};
const statusOf = async (cookie: string): Promise<number> => (await app.desk(cookie, 'me.get')).status;
/** One look of the worker, which may be another process. */
async function lookForOver(): Promise<void> {
  const { db } = app.app.database;
  for (const { siteId, id } of await findDue(sessionClock, db, now(), 100)) {
    await sessionClock.run(app.app.contextFor({ id: siteId, plan: 'growth' }, { kind: 'job' }), id);
  }
}

it('ends a session after the hours without use, unless somebody uses it', async () => {
  const site = await app.makeSite();
  const [used, left] = [await app.signIn(site.admin.email), await app.signIn(site.admin.email)];
  await limit(site, used, { session_idle_hours: 2 });
  expect(await statusOf(left)).toBe(200);
  for (let hour = 0; hour < 3; hour++) {
    ahead += HOUR_MS;
    expect(await statusOf(used)).toBe(200);
    // An unused desk reconnects its socket and loads data automatically.
    await TestSocket.open(`${app.url}/app/socket`, { cookie: left, origin: app.url });
    const headers = {
      'content-type': 'application/json',
      origin: app.url,
      cookie: left,
      'x-foyer-idle': '1',
    };
    const alone = await fetch(`${app.url}/app/api/me.get`, { method: 'POST', headers, body: '{}' });
    expect(alone.status).toBe(hour === 0 ? 200 : 401);
  }
  const { data } = (await app.desk(used, 'audit.list', { subject: 'site' })).body;
  expect(data[0].changes).toMatchObject({ session_idle_hours: [null, 2] });
});

it('ends a session after the days in any case, with its sockets on every process', async () => {
  const site = await app.makeSite();
  const old = await app.signIn(site.admin.email);
  await limit(site, old, { session_max_days: 1 });
  const [here, there] = [await TestSocket.agent(app.url, old), await TestSocket.agent(secondUrl, old)];
  ahead += 20 * HOUR_MS;
  expect(await statusOf(old)).toBe(200);
  const young = await app.signIn(site.admin.email);
  await lookForOver();
  expect([here.closed, there.closed]).toEqual([undefined, undefined]);
  ahead += 5 * HOUR_MS;
  await lookForOver();
  await until(async () => here.closed !== undefined && there.closed !== undefined);
  expect([here.closed?.code, there.closed?.code]).toEqual([CLOSE_UNAUTHORIZED, CLOSE_UNAUTHORIZED]);
  expect([await statusOf(old), await statusOf(young)]).toEqual([401, 200]);
});

it('checks the session of a call itself, before the worker has looked', async () => {
  const site = await app.makeSite();
  const [cookie, late] = [await app.signIn(site.admin.email), await app.signIn(site.admin.email)];
  await limit(site, cookie, { session_max_days: 1 });
  ahead += 25 * HOUR_MS;
  const socket = await TestSocket.open(`${app.url}/app/socket`, { cookie: late, origin: app.url });
  await until(async () => socket.closed !== undefined);
  const answer = await app.desk(cookie, 'me.get', {}, site.site.id);
  expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
  expect(await statusOf(await app.signIn(site.admin.email))).toBe(200);
});

it('ignores sites without limits, and refuses values out of range', async () => {
  const [site, other] = [await app.makeSite(), await app.makeSite()];
  const theirs = await app.signIn(other.admin.email);
  const cookie = await app.signIn(site.admin.email);
  await limit(site, cookie, { session_idle_hours: 1, session_max_days: 1 });
  ahead += 72 * HOUR_MS;
  await lookForOver();
  expect([await statusOf(cookie), await statusOf(theirs)]).toEqual([401, 200]);
  for (const wrong of [{ session_idle_hours: 0 }, { session_idle_hours: 721 }, { session_max_days: 366 }])
    expect((await app.desk(theirs, 'site.update', wrong)).status).toBe(400);
});

it('an admin signs a colleague out on all devices; nobody else does', async () => {
  const site = await app.makeSite();
  const agent = await makeAgent(site.operator, { email: 'grace@example.com', name: 'Grace' });
  const [admin, first, other] = [
    await app.signIn(site.admin.email),
    await app.signIn('grace@example.com'),
    await app.signIn('grace@example.com'),
  ];
  const socket = await TestSocket.agent(secondUrl, other);
  expect((await app.desk(first, 'agents.sign_out', { id: site.admin.agentId })).status).toBe(403);
  const stranger = await app.signIn((await app.makeSite()).admin.email);
  expect((await app.desk(stranger, 'agents.sign_out', { id: agent.id })).status).toBe(404);
  expect((await app.desk(admin, 'agents.sign_out', { id: agent.id })).status).toBe(200);
  await until(async () => socket.closed !== undefined);
  expect([await statusOf(admin), await statusOf(first), await statusOf(other)]).toEqual([200, 401, 401]);
  const { data } = (await app.desk(admin, 'audit.list', { subject: 'agent' })).body;
  expect(data[0]).toMatchObject({ action: 'agents.sign_out', subject_id: agent.id });
});
