import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { noteProblem, noteWorking } from './state.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let site: TestSite;
let cookie: string;
let aheadMs = 0;
let own: string;
beforeAll(async () => {
  app = await startTestApp({ FOYER_ROLE: 'web' }, { now: () => new Date(Date.now() + aheadMs) });
});
beforeEach(async () => {
  aheadMs = 0;
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  own = `help-${crypto.randomUUID()}@shop.example`;
});
afterAll(() => app.close());

const create = async (address = own): Promise<number> => {
  const imap = { host: 'imap.shop.example', user: 'help', password: 'open' };
  return (await app.rest(site.write, 'POST', '/v1/mailboxes', { address, imap })).body.data.id;
};
const unseen = async (of = cookie) => {
  const { notifications } = (await app.desk(of, 'notifications.list', {})).body.data;
  return notifications.filter((one: { seen_utc: string | null }) => one.seen_utc === null);
};

it('admins are notified of a mailbox that fails for minutes, once, until it works again', async () => {
  const id = await create();
  const email = `${crypto.randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  await noteProblem(site.operator, id, 'Login: no.');
  aheadMs = 4 * MINUTE_MS;
  await noteProblem(site.operator, id, 'Login: no.');
  expect(await unseen()).toEqual([]);
  aheadMs = 5 * MINUTE_MS;
  await noteProblem(site.operator, id, 'Login: no.');
  expect(await unseen()).toMatchObject([
    { kind: 'mailbox_failing', session_id: null, ticket_id: null, text: own, count: 1 },
  ]);
  aheadMs = 6 * MINUTE_MS;
  await noteProblem(site.operator, id, 'Login: no.');
  expect(await unseen()).toMatchObject([{ count: 1 }]);
  expect(await unseen(await app.signIn(email))).toEqual([]);
  await noteWorking(site.operator, id);
  expect(await unseen()).toEqual([]);
});

it('a second mailbox keeps the notification, which ends when the last one is paused', async () => {
  const [one, two] = [await create(), await create(`two-${own}`)];
  for (const id of [one, two]) await noteProblem(site.operator, id, 'Port: closed.');
  aheadMs = 5 * MINUTE_MS;
  for (const id of [one, two]) await noteProblem(site.operator, id, 'Port: closed.');
  expect(await unseen()).toMatchObject([{ text: `${own}, two-${own}`, count: 2 }]);
  await noteWorking(site.operator, one);
  expect(await unseen()).toMatchObject([{ text: `two-${own}` }]);
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${two}`, { enabled: false });
  expect(await unseen()).toEqual([]);
});
