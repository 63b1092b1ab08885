import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const rest = (method: string, path: string, body?: object) => app.rest(site.write, method, path, body);
const create = (body: object) => rest('POST', '/v1/mailboxes', body);
const IMAP = { host: 'imap.shop.example', user: 'help', password: 'open sesame' };
let number = 0;
const address = () => `Help${++number}@Shop.Example`;

it('a mailbox keeps its password, encrypted, and never returns it', async () => {
  const made = await create({ address: address(), imap: IMAP });
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({
    address: `help${number}@shop.example`,
    imap: { host: IMAP.host, port: 993, security: 'tls', has_password: true, folder: 'INBOX', days: 0 },
  });
  const id = made.body.data.id;
  const { rows } = await app.app.database.pool.query('select * from mailboxes where id = $1', [id]);
  expect(site.operator.services.vault.open(rows[0].imap_password_cipher)).toBe('open sesame');
  const all = JSON.stringify([made.body, (await rest('GET', '/v1/mailboxes')).body, rows[0].problem]);
  expect(all).not.toContain('sesame');
  const audit = await app.desk(cookie, 'audit.list', { subject: 'mailbox' });
  expect(JSON.stringify(audit.body)).toContain('mailboxes.create');
  expect(JSON.stringify(audit.body)).not.toContain('sesame');
});

it('a password that is not entered again is sent to no other server', async () => {
  const { id } = (await create({ address: address(), imap: IMAP })).body.data;
  const imap = { host: IMAP.host, user: IMAP.user, folder: 'Support' };
  const path = `/v1/mailboxes?id=${id}`;
  expect((await rest('PATCH', path, { imap })).body.data.imap).toMatchObject({
    folder: 'Support',
    has_password: true,
  });
  const elsewhere = { ...imap, host: 'imap.attacker.example' };
  expect((await rest('PATCH', path, { imap: elsewhere })).status).toBe(409);
  expect((await app.desk(cookie, 'mailboxes.test', { id, imap: elsewhere })).status).toBe(409);
});

it('an address belongs to one mailbox of the installation', async () => {
  const own = address();
  await create({ address: own, imap: IMAP });
  const other = await app.makeSite();
  const twice = await app.rest(other.write, 'POST', '/v1/mailboxes', { address: own, imap: IMAP });
  expect(twice.status).toBe(409);
});

it('a mailbox needs a server to fetch mail from', async () => {
  expect((await create({ address: address() })).status).toBe(400);
});

it('agents may not see or change mailboxes', async () => {
  const email = `${address()}`.toLowerCase();
  await makeAgent(site.operator, { email, name: 'Ben' });
  const agent = await app.signIn(email);
  for (const [name, input] of [
    ['mailboxes.list', {}],
    ['mailboxes.create', { address: address(), imap: IMAP }],
  ] as const)
    expect((await app.desk(agent, name, input)).status).toBe(403);
});

it('new tickets belong to the mailbox’s team, unless it was archived or deleted meanwhile', async () => {
  const own = address().toLowerCase();
  const team = (await rest('POST', '/v1/teams', { name: 'Billing', emoji: '💳' })).body.data;
  const made = await create({ address: own, route: 'http', http: {}, team_id: team.id });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id, http } = made.body.data;
  const shown = { id: team.id, name: 'Billing', emoji: '💳' };
  expect(made.body.data.team).toEqual(shown);
  let count = 0;
  const teamOfNext = async (): Promise<unknown> => {
    const from = `maya${++count}@customer.example`;
    const mail = `From: ${from}\r\nTo: ${own}\r\nMessage-ID: <${from}>\r\nSubject: Invoice ${count}\r\n\r\nHello\r\n`;
    const query = new URLSearchParams({ from, to: own });
    const posted = await fetch(`${app.url}${new URL(http.url).pathname}?${query}`, {
      method: 'POST',
      body: mail,
      headers: { 'content-type': 'message/rfc822' },
    });
    expect(posted.status).toBe(200);
    const find = async () =>
      (await rest('GET', '/v1/tickets')).body.data.find(
        ({ subject }: { subject: string }) => subject === `Invoice ${count}`,
      );
    await until(async () => (await find()) !== undefined);
    return (await find()).team;
  };
  expect(await teamOfNext()).toEqual(shown);
  await rest('PATCH', `/v1/teams?id=${team.id}`, { archived: true });
  expect(await teamOfNext()).toBeNull();
  expect((await rest('PATCH', `/v1/mailboxes?id=${id}`, { team_id: team.id })).status).toBe(404);
  const other = (await rest('POST', '/v1/teams', { name: 'Sales' })).body.data;
  const changed = await rest('PATCH', `/v1/mailboxes?id=${id}`, { team_id: other.id });
  expect(changed.body.data.team).toMatchObject({ name: 'Sales' });
  expect((await rest('DELETE', `/v1/teams?id=${other.id}`)).status).toBe(200);
  expect((await rest('GET', `/v1/mailboxes?id=${id}`)).body.data.team).toBeNull();
  expect(await teamOfNext()).toBeNull();
});
