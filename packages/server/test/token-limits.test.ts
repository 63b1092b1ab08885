import { parseScopes, TOKEN_RESOURCES } from '@foyer/protocol/values/tokens/token-scopes';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../src/registry.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { type Mailbox, shown, startMailbox } from './mailbox.ts';
import { connectMcp } from './mcp-client.ts';

const DAY_MS = 86_400_000;

let mailbox: Mailbox;
let app: TestApp;
/** Another process on the same database, behind a trusted proxy. */
let other: TestApp;
let site: TestSite;
let cookie: string;
let aheadMs = 0;
beforeAll(async () => {
  mailbox = await startMailbox();
  const now = () => new Date(Date.now() + aheadMs);
  const variables = {
    SMTP_URL: mailbox.url,
    FOYER_MAIL_FROM: 'help@shop.example',
    FOYER_TRUST_PROXY: '127.0.0.1',
  };
  app = await startTestApp(variables, { now });
  other = await startTestApp(variables, { now }, { url: app.databaseUrl, close: async () => undefined });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await other.close();
  await Promise.all([app.close(), mailbox.close()]);
});

const later = (ms: number): string => new Date(Date.now() + aheadMs + ms).toISOString();
async function create(input: object): Promise<Json> {
  const { status, body } = await app.desk(cookie, 'api_tokens.create', { name: 'CRM', ...input });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
const change = (id: number, input: object): Promise<Answer> =>
  app.desk(cookie, 'api_tokens.update', { id, ...input });
const listed = async (id: number): Promise<Json> =>
  (await app.desk(cookie, 'api_tokens.list', {})).body.data.find((one: Json) => one.id === id);
const whoami = (token: string, from?: string, at = app): Promise<Answer> =>
  at.rest(token, 'GET', '/v1/whoami', undefined, from ? { 'x-forwarded-for': from } : {});

test('every resource that a token can use has scopes, and only those with a meaning', () => {
  const found = new Map<string, Set<string>>();
  for (const { who, rest, scope } of operations) {
    if (!who.includes('token') || !rest || rest.resource === 'whoami') continue;
    found.set(rest.resource, (found.get(rest.resource) ?? new Set()).add(scope));
  }
  const known = Object.entries(TOKEN_RESOURCES).map(([name, rights]) => [name, [...rights].sort()]);
  expect(Object.fromEntries(known)).toEqual(
    Object.fromEntries([...found].map(([name, rights]) => [name, [...rights].sort()])),
  );
});

test.each([
  ['read', ['read']],
  ['read,write', ['read', 'write']],
  [' visitors:read , tickets:write ', ['visitors:read', 'tickets:write']],
  ['tickets:write,read', ['read', 'tickets:write']],
  ['tickets:write,tickets:write', ['tickets:write']],
  ['write', undefined],
  ['read,write,tickets:write', undefined],
  ['usage:write', undefined],
  ['whoami:read', undefined],
  ['constructor:read', undefined],
  ['tickets:delete', undefined],
  ['tickets:read:write', undefined],
  ['', undefined],
])('scopes %j are %j', (text, scopes) => {
  expect(parseScopes(text)).toEqual(scopes);
});

test('a token limited to resources can do what they allow, and a refusal names the missing scope', async () => {
  const { token, id, scopes } = await create({ scopes: 'tickets:write,visitors:read' });
  expect(scopes).toEqual(['visitors:read', 'tickets:write']);
  const call = (method: string, path: string, body?: object) => app.rest(token, method, `/v1/${path}`, body);
  expect((await call('GET', 'visitors')).status).toBe(200);
  // Writing a resource includes reading it.
  expect((await call('GET', 'tickets')).status).toBe(200);
  const ticket = { subject: 'Lamp', body: 'Dark', requester: { key: 'user_42' } };
  expect((await call('POST', 'tickets', ticket)).status).toBe(201);
  for (const [method, path, needed] of [
    ['POST', 'visitors', 'visitors:write'],
    ['GET', 'transcripts', 'transcripts:read'],
    ['POST', 'ticket_reply', 'ticket_reply:write'],
    ['DELETE', 'webhook_subscriptions', 'webhook_subscriptions:write'],
  ] as const) {
    const { status, body } = await call(method, path);
    expect({ status, ...body.error, request_id: '' }).toEqual({
      status: 403,
      code: 'insufficient_scope',
      message: `This needs the scope ${needed}. The token has visitors:read, tickets:write.`,
      request_id: '',
    });
  }
  expect((await whoami(token)).body.data).toMatchObject({ scopes, expires_utc: null, allowed_addresses: [] });
  const { body } = await app.desk(cookie, 'audit.list', {});
  expect(JSON.stringify(body.data[0])).toContain('tickets:write');
  expect(body.data[0]).toMatchObject({ subject: 'api_token', subject_id: id });
});

test('a model sees and can use only the tools of the token’s resources', async () => {
  const { token } = await create({ scopes: 'read,tags:write' });
  const desk = await connectMcp(app.url, token);
  const names = (await desk.tools()).map(({ name }: Json) => name);
  expect(names).toEqual(expect.arrayContaining(['whoami', 'create_tag', 'list_tickets', 'search_knowledge']));
  expect(names).not.toContain('create_ticket');
  expect(names).not.toContain('apply_macro');
  const limited = await connectMcp(app.url, (await create({ scopes: 'tags:read' })).token);
  const few = (await limited.tools()).map(({ name }: Json) => name);
  expect(few.toSorted()).toEqual(['list_tags', 'whoami']);
  await Promise.all([desk.close(), limited.close()]);
});

test('changed scopes take effect at once in every process, and the secret stays', async () => {
  const { token, id } = await create({ scopes: 'read,write' });
  const tag = (at: TestApp, name: string) => at.rest(token, 'POST', '/v1/tags', { name });
  expect((await tag(app, 'one')).status).toBe(201);
  expect((await tag(other, 'two')).status).toBe(201);
  expect((await change(id, { scopes: 'tags:read', name: 'Tags' })).body.data).toMatchObject({
    name: 'Tags',
    scopes: ['tags:read'],
  });
  expect((await tag(app, 'three')).status).toBe(403);
  await until(async () => (await tag(other, 'four')).status === 403);
  expect((await app.rest(token, 'GET', '/v1/tags')).status).toBe(200);
  await change(id, { scopes: 'read' });
  expect((await app.rest(token, 'GET', '/v1/tickets')).status).toBe(200);
});

test('a token works only from its addresses, and use elsewhere does not count', async () => {
  const { token, id } = await create({
    scopes: 'read',
    allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'],
  });
  for (const from of ['203.0.113.7', '2001:db8::7']) expect((await whoami(token, from)).status).toBe(200);
  await until(async () => (await listed(id)).last_used_address === '2001:db8::7');
  const refused = await whoami(token, '198.51.100.9');
  expect(refused.status).toBe(403);
  expect(refused.body.error).toMatchObject({
    code: 'insufficient_scope',
    message: 'This token isn’t allowed from the address 198.51.100.9.',
  });
  expect(refused.headers.get('ratelimit-remaining')).toBeNull();
  expect((await whoami(token, '203.0.113.7')).body.data).toMatchObject({
    request_count: 3,
    allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'],
  });
  await change(id, { allowed_addresses: [] });
  expect((await whoami(token, '198.51.100.9')).status).toBe(200);
});

test('a token that has expired stops at that moment in every process, and works again once it is extended', async () => {
  const { token, id } = await create({ scopes: 'read', expires_utc: later(60_000) });
  expect((await whoami(token)).status).toBe(200);
  expect((await whoami(token, undefined, other)).status).toBe(200);
  const { expires_utc } = await listed(id);
  aheadMs += 60_000;
  for (const at of [app, other]) {
    const { status, headers, body } = await whoami(token, undefined, at);
    expect(status).toBe(401);
    expect(body.error.message).toBe(
      `This token expired at ${expires_utc}. An admin can extend it, or create another.`,
    );
    expect(headers.get('www-authenticate')).toContain('Bearer');
  }
  const rotated = await app.desk(cookie, 'api_tokens.rotate', { id });
  expect(rotated).toMatchObject({ status: 409, body: { error: { reason: 'token_expired' } } });
  expect((await change(id, { expires_utc: later(DAY_MS) })).status).toBe(200);
  expect((await whoami(token)).status).toBe(200);
  await until(async () => (await whoami(token, undefined, other)).status === 200);
});

test.each([
  ['api_tokens.create', { name: 'A', scopes: 'read', expires_utc: '2020-01-01' }, 'expires_utc'],
  ['api_tokens.create', { name: 'A', scopes: 'ticket:write' }, 'scopes'],
  [
    'api_tokens.create',
    { name: 'A', scopes: 'read', allowed_addresses: ['shop.example'] },
    'allowed_addresses.0',
  ],
  [
    'api_tokens.create',
    { name: 'A', scopes: 'read', allowed_addresses: ['10.0.0.0/33'] },
    'allowed_addresses.0',
  ],
])('%s of %j is refused at its field', async (operation, input, path) => {
  const { status, body } = await app.desk(cookie, operation, input);
  expect(status).toBe(400);
  expect(body.error.issues).toEqual([expect.objectContaining({ path, reason: expect.any(String) })]);
});

test('admins get a mail a week before a token expires and when it has, unless it was extended or revoked', async () => {
  const soon = await create({ name: 'Soon', scopes: 'read', expires_utc: later(8 * DAY_MS) });
  const extended = await create({ name: 'Extended', scopes: 'read', expires_utc: later(8 * DAY_MS) });
  const revoked = await create({ name: 'Revoked', scopes: 'read', expires_utc: later(8 * DAY_MS) });
  await change(extended.id, { expires_utc: later(90 * DAY_MS) });
  await app.desk(cookie, 'api_tokens.revoke', { id: revoked.id });
  mailbox.received.length = 0;
  aheadMs += 1.5 * DAY_MS;
  const told = () => mailbox.received.filter(({ headers }) => !headers.subject?.endsWith('CRM'));
  await until(async () => told().length > 0);
  aheadMs += 7 * DAY_MS;
  await until(async () => told().length > 1);
  const [before, after] = told();
  expect(before?.to).toEqual([site.admin.email]);
  expect(before?.headers.subject).toBe('API token expires soon: Soon');
  expect(before && shown(before)).toContain('/app/settings/tokens');
  expect(after?.headers.subject).toBe('API token expired: Soon');
  expect(told()).toHaveLength(2);
  expect((await whoami(soon.token)).status).toBe(401);
});

test('limits are refused while a process runs that would not apply them', async () => {
  const older = new pg.Client({ connectionString: app.databaseUrl, application_name: 'foyer jobs 135' });
  older.on('error', () => undefined);
  await older.connect();
  const ask = (input: object) =>
    app.desk(cookie, 'api_tokens.create', { name: 'CRM', scopes: 'read', ...input });
  for (const limit of [
    { scopes: 'tags:read' },
    { expires_utc: later(DAY_MS) },
    { allowed_addresses: ['::1'] },
  ])
    expect(await ask(limit)).toMatchObject({
      status: 409,
      body: { error: { reason: 'upgrade_unfinished' } },
    });
  expect((await ask({})).status).toBe(200);
  await older.end();
  await until(async () => (await ask({ scopes: 'tags:read' })).status === 200);
});
