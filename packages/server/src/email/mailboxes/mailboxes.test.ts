import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';

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

it('a password that is not given again goes to no other server', async () => {
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

it('a mailbox needs a server that mail is fetched from', async () => {
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
