import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../../test/app.ts';
import { until } from '../../../../test/harness.ts';
import { type ImapServer, startImapServer } from '../../../../test/imap-server.ts';
import { MAIL_MAX_BYTES } from '../../../mime/limits.ts';
import { startImapFleet } from './fleet.ts';

let app: TestApp;
let site: TestSite;
let server: ImapServer;
beforeAll(async () => {
  app = await startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' });
});
beforeEach(async () => {
  site = await app.makeSite();
  server = await startImapServer();
});
afterEach(() => server.close());
afterAll(() => app.close());

let number = 0;
const mail = (subject: string): string =>
  `From: Maya <maya@example.com>\r\nTo: help@shop.example\r\nMessage-ID: <${++number}@example.com>\r\nSubject: ${subject}\r\n\r\nHello ${number}\r\n`;

async function connect(imap: object = {}): Promise<number> {
  const answer = await app.rest(site.write, 'POST', '/v1/mailboxes', {
    address: `box${++number}@shop.example`,
    imap: {
      host: '127.0.0.1',
      port: server.port,
      security: 'starttls',
      user: 'help',
      password: 'open',
      ...imap,
    },
  });
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}
const query = async (text: string, values: unknown[]) =>
  (await app.app.database.pool.query(text, values)).rows;
/** The mails with their UIDVALIDITY and UID. */
const stored = (id: number) =>
  query(
    `select split_part(source, '@', 1) as source, state, reason, raw from received_mails where mailbox_id = $1 order by id`,
    [id],
  );
const row = async (id: number) => (await query('select * from mailboxes where id = $1', [id]))[0];
const works = (id: number) => until(async () => (await row(id)).checked_at !== null);
const arrived = (id: number, count: number) => until(async () => (await stored(id)).length >= count);

it('a first connection reads no old mail, and then each new one once', async () => {
  for (let at = 0; at < 300; at++) server.add(mail('old'));
  const id = await connect();
  await works(id);
  expect(server.fetched).toEqual([]);
  const uid = server.add(mail('new'));
  await arrived(id, 1);
  expect((await stored(id)).map(({ source }) => source)).toEqual([`7:${uid}`]);
  expect((await row(id)).imap_last_uid).toBe(uid);
});

it('a first connection fetches the mail of the last days', async () => {
  server.add(mail('last year'), new Date(Date.now() - 365 * 86_400_000));
  const recent = server.add(mail('yesterday'), new Date(Date.now() - 86_400_000));
  const id = await connect({ days: 7 });
  await arrived(id, 1);
  expect(server.fetched).toEqual([recent]);
});

it('of the last days’ mail, a first connection fetches none that was copied there later and is older', async () => {
  const recent = server.add(mail('yesterday'), new Date(Date.now() - 86_400_000));
  server.add(mail('last year'), new Date(Date.now() - 365 * 86_400_000));
  const id = await connect({ days: 7 });
  await works(id);
  const fresh = server.add(mail('new'));
  await arrived(id, 2);
  expect(server.fetched).toEqual([recent, fresh]);
});

it('a connection that breaks in the middle of a message loses and repeats nothing', async () => {
  const id = await connect();
  await works(id);
  server.cutFetches(1);
  server.add(mail('one'));
  server.add(mail('two'));
  await until(async () => (await row(id)).problem !== null);
  await arrived(id, 2);
  expect((await stored(id)).map(({ source }) => source)).toEqual(['7:1', '7:2']);
  await until(async () => (await row(id)).problem === null);
}, 60_000);

it('renumbered messages are fetched again under their new ids', async () => {
  const id = await connect();
  await works(id);
  server.add(mail('old'));
  await arrived(id, 1);
  server.renumber(8);
  server.add(mail('new'));
  await until(async () => (await stored(id)).some(({ source }) => source === '8:2'));
  expect((await row(id)).imap_uid_validity).toBe(8);
}, 60_000);

it('messages that are older than the mailbox stay unread when they are renumbered', async () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  const old = Array.from({ length: 150 }, () => server.add(mail('old'), hourAgo));
  const id = await connect();
  await works(id);
  server.add(mail('known'));
  await arrived(id, 1);
  server.lock(true);
  server.cut();
  await until(async () => (await row(id)).problem !== null);
  // The server moved and its folder was copied while it was away.
  server.add(mail('missed'));
  server.renumber(8);
  server.lock(false);
  await until(async () => (await stored(id)).filter(({ state }) => state !== 'waiting').length === 3);
  expect((await stored(id)).map(({ source, state }) => [source, state])).toEqual([
    [`7:${old.length + 1}`, 'ticket'],
    [`8:${old.length + 1}`, 'duplicate'],
    [`8:${old.length + 2}`, 'ticket'],
  ]);
}, 60_000);

it('messages that are older than the mailbox stay unread whatever the order of their new numbers, also if the connection breaks meanwhile', async () => {
  const id = await connect();
  await works(id);
  server.add(mail('known'));
  await arrived(id, 1);
  server.lock(true);
  server.cut();
  await until(async () => (await row(id)).problem !== null);
  // The folder was moved: new mail came first, then the old one was copied.
  server.add(mail('missed'));
  server.add(mail('old'), new Date(Date.now() - 3_600_000));
  const last = server.add(mail('missed too'));
  server.renumber(8);
  server.fetched.length = 0;
  server.cutFetches(1, last);
  server.lock(false);
  await until(async () => server.fetched.includes(last));
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${id}`, { name: 'Again' });
  await until(async () => (await row(id)).imap_uid_validity === 8);
  const fresh = server.add(mail('new'));
  await until(async () => (await stored(id)).filter(({ state }) => state !== 'waiting').length === 5);
  expect((await stored(id)).map(({ source, state }) => [source, state])).toEqual([
    ['7:1', 'ticket'],
    ['8:1', 'duplicate'],
    ['8:2', 'ticket'],
    [`8:${last}`, 'ticket'],
    [`8:${fresh}`, 'ticket'],
  ]);
  expect(server.fetched).toEqual([1, 2, last, last, fresh]);
}, 60_000);

it('messages that are older than the switch to another server stay unread when they are renumbered', async () => {
  const id = await connect();
  await works(id);
  await query(`update mailboxes set created_at = created_at - interval '1 day' where id = $1`, [id]);
  const other = await startImapServer();
  onTestFinished(() => other.close());
  other.add(mail('old'), new Date(Date.now() - 3_600_000));
  const imap = { host: 'localhost', port: other.port, security: 'starttls', user: 'help', password: 'open' };
  const switched = await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${id}`, { imap });
  expect(switched.status).toBe(200);
  await until(async () => (await row(id)).imap_last_uid === 1);
  other.add(mail('new'));
  await arrived(id, 1);
  other.renumber(8);
  other.add(mail('newer'));
  await arrived(id, 3);
  expect((await stored(id)).map(({ source }) => source)).toEqual(['7:2', '8:2', '8:3']);
}, 60_000);

it('a switch to a folder with the same numbers loses no mail, whether it is new or of the last days', async () => {
  const id = await connect();
  await works(id);
  server.add(mail('one'));
  server.add(mail('two'));
  await arrived(id, 2);
  const other = await startImapServer();
  onTestFinished(() => other.close());
  other.add(mail('three'));
  const imap = { host: 'localhost', port: other.port, security: 'starttls', user: 'help', password: 'open' };
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${id}`, { imap: { ...imap, days: 1 } });
  await until(async () => (await row(id)).imap_last_uid === 1);
  other.add(mail('four'));
  await until(async () => (await row(id)).imap_last_uid === 2);
  expect((await stored(id)).map(({ source }) => source)).toEqual(['7:1', '7:2', '7:1', '7:2']);
}, 60_000);

it('a message that the server doesn’t deliver blocks no other, and is in the log', async () => {
  const id = await connect();
  await works(id);
  server.refuse(1);
  server.add(mail('broken'));
  server.add(mail('fine'));
  await arrived(id, 2);
  expect((await stored(id)).map(({ source, reason }) => [source, reason])).toEqual([
    ['7:1', 'unreadable'],
    ['7:2', null],
  ]);
}, 120_000);

it('a mail that is too large is logged as rejected, with its headers', async () => {
  const id = await connect();
  await works(id);
  server.add(Buffer.concat([Buffer.from(mail('huge')), Buffer.alloc(MAIL_MAX_BYTES, 'a')]));
  await arrived(id, 1);
  const [only] = await stored(id);
  expect(only).toMatchObject({ state: 'rejected', reason: 'too_large' });
  expect(only.raw.toString()).toContain('Subject: huge');
  expect(only.raw.length).toBeLessThan(1_000);
}, 60_000);

it('a wrong password is shown on the mailbox, until it works', async () => {
  server.lock(true);
  const id = await connect();
  await until(async () => (await row(id)).problem !== null);
  expect((await row(id)).problem).toMatch(/^Login: .*help.*Invalid credentials/);
  server.lock(false);
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${id}`, { name: 'Again' });
  await until(async () => (await row(id)).problem === null && (await row(id)).checked_at !== null);
}, 60_000);

it('two processes on one mailbox store each message once', async () => {
  const id = await connect();
  await works(id);
  const other = startImapFleet({
    db: app.app.database.db,
    log: site.operator.log,
    shares: { owns: () => true },
    guard: { allowPrivate: true },
    contextFor: async (siteId) => (siteId === site.site.id ? site.operator : undefined),
  });
  await until(async () => server.logins >= 2);
  for (let at = 0; at < 30; at++) server.add(mail('both'));
  await arrived(id, 30);
  await other.stop();
  expect((await stored(id)).map(({ source }) => source)).toEqual(
    Array.from({ length: 30 }, (_, at) => `7:${at + 1}`),
  );
}, 60_000);
