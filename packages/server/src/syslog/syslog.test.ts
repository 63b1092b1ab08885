import tls from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { testDatabase, until } from '../../test/harness.ts';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { SELF_SIGNED } from '../../test/self-signed.ts';
import { type SyslogMessage, type SyslogServer, startSyslogServer } from '../../test/syslog-server.ts';
import { readSyslogAddress } from './address.ts';

// Two processes on one database, and one syslog server.

const BASE_URL = 'http://support.example.com';
let server: SyslogServer;
let receiver: Receiver;
let apps: [TestApp, TestApp];
let site: TestSite;
let cookie: string;

const startApps = async (
  url: string,
  options: Parameters<typeof startTestApp>[1] = {},
): Promise<[TestApp, TestApp]> => {
  const database = await testDatabase();
  const environment = { FOYER_SYSLOG_URL: url, FOYER_BASE_URL: BASE_URL };
  const first = await startTestApp(environment, options, database);
  return [first, await startTestApp(environment, options, { ...database, close: async () => undefined })];
};

const closeApps = async ([first, second]: [TestApp, TestApp]): Promise<void> => {
  await second.close();
  await first.close();
};

beforeAll(async () => {
  [server, receiver] = await Promise.all([startSyslogServer('tcp'), startReceiver()]);
  apps = await startApps(server.url);
  site = await apps[0].makeSite();
  cookie = await apps[0].signIn(site.admin.email);
});
afterAll(async () => {
  await closeApps(apps);
  await Promise.all([server.close(), receiver.close()]);
});

const actions = (messages: SyslogMessage[]): string[] => messages.map(({ event }) => event.action);
const byAction = (action: string) => (message: SyslogMessage) => message.id === action;

test('a sign-in, one with a wrong password, and a new token arrive once each, with who and from where', async () => {
  const [first, second] = apps;
  const headers = { 'content-type': 'application/json', origin: BASE_URL };
  const body = JSON.stringify({ email: site.admin.email, password: 'not the password' });
  await fetch(`${second.url}/app/auth/sign-in/email`, { method: 'POST', headers, body });
  await second.desk(cookie, 'api_tokens.create', { name: 'CRM für Ümlaute\n<13>1 forged', scopes: 'read' });
  const [failed] = await server.received(1, byAction('sign_in.failed'));
  expect(failed).toMatchObject({
    priority: 10 * 8 + 4,
    host: 'support.example.com',
    app: 'foyer',
    event: {
      site_id: site.site.id,
      severity: 'warning',
      action: 'sign_in.failed',
      subject: 'sign_in',
      subject_id: site.admin.agentId,
      actor: { kind: 'job', id: null },
      address: '127.0.0.1',
      changes: { attempts: [null, 1] },
    },
  });
  const [token] = await server.received(1, byAction('api_tokens.create'));
  expect(token).toMatchObject({
    priority: 10 * 8 + 5,
    event: {
      severity: 'notice',
      actor: { kind: 'agent', id: site.admin.agentId },
      label: 'CRM für Ümlaute\n<13>1 forged',
    },
  });
  await first.desk(cookie, 'api_tokens.create', { name: 'the last one', scopes: 'read' });
  await server.received(2, byAction('api_tokens.create'));
  const ids = server.messages.map(({ event }) => event.id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(actions(server.messages)).toContain('sign_in.password');
});

test('other events are not sent, and no secret is', async () => {
  const before = server.messages.length;
  await apps[0].desk(cookie, 'tags.create', { name: 'Refund' });
  await apps[0].desk(cookie, 'site.update', { greeting: 'Good day' });
  const made = (await apps[0].desk(cookie, 'api_tokens.create', { name: 'Secret', scopes: 'read' })).body
    .data;
  await server.received(1, ({ event }) => event.label === 'Secret');
  expect(server.messages.slice(before).map(({ event }) => event.label)).toEqual(['Secret']);
  expect(JSON.stringify(server.messages)).not.toContain(made.token);
});

test('the same events reach a webhook, and include changes of settings that protect the site', async () => {
  const input = { url: receiver.url, events: ['security_event'] };
  await apps[0].desk(cookie, 'webhook_subscriptions.create', input);
  await apps[1].desk(cookie, 'site.update', { greeting: 'Hello', allowed_origins: ['https://shop.example'] });
  const [, settings] = (await receiver.received(2)).map(({ body }) => JSON.parse(body));
  expect(settings).toMatchObject({
    event: 'security_event',
    site_id: site.site.id,
    severity: 'notice',
    action: 'site.update',
    changes: { allowed_origins: [[], ['https://shop.example']] },
  });
  const [message] = await server.received(1, ({ event }) => event.changes?.allowed_origins !== undefined);
  const { id: _id, event: _event, created_utc: _created, ...fields } = settings;
  expect(message?.event).toMatchObject(fields);
});

test('while the server is away events wait, and after a week they are dropped', async () => {
  let aheadMs = 0;
  const away = await startSyslogServer('tcp');
  const port = Number(new URL(away.url).port);
  const own = await startApps(away.url, { now: () => new Date(Date.now() + aheadMs) });
  const other = await own[0].makeSite();
  const session = await own[0].signIn(other.admin.email);
  await away.received(1, byAction('sign_in.password'));
  await away.close();
  const create = (name: string) => own[0].desk(session, 'api_tokens.create', { name, scopes: 'read' });
  await create('old');
  aheadMs = 7 * 86_400_000 + 60_000;
  const waiting = async (): Promise<number> => {
    const { rows } = await own[0].app.database.pool.query('select from security_outbox');
    return rows.length;
  };
  await until(async () => (await waiting()) === 0);
  aheadMs = 0;
  await create('first');
  await create('second');
  expect(await waiting()).toBe(2);
  const back = await startSyslogServer('tcp', port);
  await back.received(2);
  expect(back.messages.map(({ event }) => event.label)).toEqual(['first', 'second']);
  await until(async () => (await waiting()) === 0);
  await closeApps(own);
  await back.close();
});

const LONG = { role: ['x'.repeat(9_000), 'agent'] } as const;
const removal = { subject: 'agent', subjectId: 1, action: 'agents.remove', changes: LONG } as const;

test('datagrams arrive too; values that are too long for a message are omitted, names aren’t', async () => {
  const datagrams = await startSyslogServer('udp');
  const own = await startApps(datagrams.url);
  const { operator } = await own[0].makeSite();
  await operator.emit({ audit: removal });
  const [message] = await datagrams.received(1, byAction('agents.remove'));
  expect(message?.event).toMatchObject({ subject: 'agent', changed: ['role'] });
  expect(message?.event.changes).toBeUndefined();
  await closeApps(own);
  await datagrams.close();
});

test('a server over TLS gets nothing until its certificate is known', async () => {
  const stream = await startSyslogServer('tls');
  const lines: string[] = [];
  const own = await startApps(stream.url, {
    log: pino({ level: 'warn' }, { write: (line) => lines.push(line) }),
  });
  const { operator } = await own[0].makeSite();
  await operator.emit({ audit: removal });
  await until(async () => lines.some((line) => line.includes('could not be sent to the syslog server')));
  expect(stream.messages).toEqual([]);
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, SELF_SIGNED.cert]);
  try {
    await stream.received(1, byAction('agents.remove'));
  } finally {
    tls.setDefaultCACertificates(trusted);
  }
  expect(lines.join('')).toMatch(/self-signed/i);
  await closeApps(own);
  await stream.close();
});

test.each([
  ['udp://logs.example', { transport: 'udp', host: 'logs.example', port: 514 }],
  ['tls://[::1]', { transport: 'tls', host: '::1', port: 6514 }],
  ['tcp://10.0.0.1:1514/', { transport: 'tcp', host: '10.0.0.1', port: 1514 }],
])('reads %s', (value, address) => {
  expect(readSyslogAddress({ FOYER_SYSLOG_URL: value })).toEqual(address);
});

test.each(['logs.example', 'http://logs.example', 'udp://', 'tcp://a:0', 'tcp://a:70000', 'udp://u:p@host'])(
  'refuses %s',
  (value) => {
    expect(() => readSyslogAddress({ FOYER_SYSLOG_URL: value })).toThrow('FOYER_SYSLOG_URL');
  },
);
