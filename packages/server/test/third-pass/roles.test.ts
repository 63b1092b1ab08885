import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAgent, PASSWORD } from '../accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { makeRecord } from '../examples.ts';
import { newEmail } from '../fixtures/sites.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';

// An agent with a custom role wants more than it allows. Planned from the documentation alone.

let app: TestApp;
let site: TestSite;
let ada: string;
let ben: string;
let benId: number;
let mailbox: Mailbox;
beforeAll(async () => {
  [app, mailbox] = await Promise.all([startTestApp(), startMailbox()]);
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});
beforeEach(async () => {
  mailbox.received.length = 0;
  site = await app.makeSite();
  const email = newEmail();
  benId = (await makeAgent(site.operator, { email, name: 'Ben' })).id;
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email, PASSWORD)]);
});

const done = ({ status, body }: Answer): Json => {
  expect([status, body.error?.message]).toEqual([200, undefined]);
  return body.data;
};
const give = async (...permissions: string[]): Promise<void> => {
  const role = done(await app.desk(ada, 'roles.create', { name: randomUUID(), permissions }));
  done(await app.desk(ada, 'agents.set_role', { id: benId, role: 'agent', custom_role_id: role.id }));
};
const ownServer = (more: object = {}) => {
  const { hostname, port } = new URL(mailbox.url);
  return {
    host: hostname,
    port: Number(port),
    security: 'starttls',
    user: null,
    from_name: null,
    from_address: 'help@shop.example',
    ...more,
  };
};

describe('an agent who manages email', () => {
  it('gets no link to an admin’s password or an invitation through their own mail server', async () => {
    await give('email');
    for (const [name, input] of [
      ['mail.set', ownServer()],
      ['mail.clear', {}],
    ] as const)
      expect([name, (await app.desk(ben, name, input)).status]).toEqual([name, 403]);
    // They can still see whether mail is sent.
    expect(done(await app.desk(ben, 'mail.get')).source).toBeNull();
    const body = JSON.stringify({ email: site.admin.email });
    const headers = { 'content-type': 'application/json', origin: app.url };
    await fetch(`${app.url}/app/password/request`, { method: 'POST', headers, body });
    // Through the admin's server pending mail is sent, and only to its recipients.
    done(await app.desk(ada, 'mail.set', ownServer()));
    done(await app.desk(ada, 'mail.test'));
    expect(mailbox.received.flatMap(({ to }) => to)).toContain(site.admin.email);
  });

  it('or an admin learns no stored password by another host', async () => {
    done(
      await app.desk(
        ada,
        'mail.set',
        ownServer({ user: 'shop', password: 'very-secret-password', host: 'mail.example.com', port: 587 }),
      ),
    );
    expect((await app.desk(ada, 'mail.set', ownServer({ user: 'shop' }))).status).toBe(409);
  });
});

it.each([
  'site',
  'data',
  'workflow',
  'integrations',
  'bot',
  'email',
  'personal_data',
  'knowledge',
  'audit',
  'delete',
])('the permission %s makes nobody an admin', async (permission) => {
  await give(permission);
  const tries: [string, object][] = [
    ['agents.set_role', { id: benId, role: 'admin', custom_role_id: null }],
    ['agents.set_role', { id: benId, role: 'agent', custom_role_id: null }],
    ['agents.invite', { email: newEmail(), role: 'admin' }],
    ['agents.remove', { id: site.admin.agentId }],
    ['agents.reset_two_factor', { id: site.admin.agentId }],
    ['api_tokens.create', { name: 'x', scopes: 'read,write' }],
    ['browser_tokens.create', { name: 'x', allowed_origins: ['https://x.example'] }],
    ['identity_secret.rotate', {}],
    [
      'identity_providers.create',
      {
        name: 'x',
        issuer: 'https://x.example',
        client_id: 'a',
        client_secret: 'b',
        domains: ['example.com'],
      },
    ],
    ['site.set_plan', { plan: 'unlimited' }],
    ['roles.create', { name: 'x', permissions: ['audit'] }],
  ];
  for (const [name, input] of tries) {
    const { status } = await app.desk(ben, name, input);
    expect([name, status >= 400 && status < 500]).toEqual([name, true]);
  }
  const me = done(await app.desk(ben, 'me.get'));
  expect([me.agent.role, me.permissions]).toEqual(['agent', [permission]]);
});

it('an agent who manages the site’s settings changes nothing about how agents sign in', async () => {
  await give('site');
  for (const fields of [
    { require_two_factor: true },
    { two_factor_required: true },
    { session_idle_hours: 720 },
    { session_days: 365 },
    { session_max_days: null },
    { identity_secret: 'x' },
    { plan: 'unlimited' },
  ]) {
    const { status } = await app.desk(ben, 'site.update', fields);
    expect([JSON.stringify(fields), status >= 400]).toEqual([JSON.stringify(fields), true]);
  }
});

describe('a rule of an agent who may set up rules and nothing else', () => {
  const RULE = (actions: object[]) => ({
    name: randomUUID(),
    trigger: { on: 'ticket_created' },
    conditions: null,
    actions,
    enabled: true,
  });
  it('calls no webhook of another site and has no variable that isn’t in the list', async () => {
    await give('workflow');
    const other = await app.makeSite();
    const theirs = done(
      await app.desk(await app.signIn(other.admin.email), 'webhook_subscriptions.create', {
        url: 'http://127.0.0.1:9/',
        events: ['handoff'],
      }),
    );
    const calls = RULE([{ type: 'call_webhook', webhook_id: theirs.id }]);
    expect((await app.desk(ada, 'rules.create', calls)).status).toBe(404);
    // Setting up a rule needs the permissions of its actions.
    expect((await app.desk(ben, 'rules.create', calls)).status).toBe(403);
    for (const name of ['constructor', '__proto__', 'agent.email', 'site.secret', 'visitor.constructor'])
      expect(
        (await app.desk(ben, 'rules.create', RULE([{ type: 'reply', body: `{{${name}}}` }]))).status,
      ).toBe(400);
  });
});

it('an agent who may change shared lists, but not answer, changes no ticket by a macro, in bulk or by undoing', async () => {
  await give('shared');
  const ticket = await makeRecord.ticket(app, site);
  const chat = await makeRecord.session(app, site);
  const macro = done(
    await app.desk(ben, 'macros.create', {
      name: randomUUID(),
      actions: [{ type: 'set_priority', priority: 'urgent' }],
    }),
  );
  for (const [name, input] of [
    ['macros.apply', { macro_id: macro.id, ticket_id: ticket }],
    ['macros.apply_to_chat', { macro_id: macro.id, session_id: chat }],
    ['tickets.update', { id: ticket, priority: 'urgent' }],
    ['tickets_bulk.change', { ids: [ticket], action: 'set_priority', priority: 'urgent' }],
    ['bulk_changes.start', { of: { queue: 'open' }, change: { action: 'set_priority', priority: 'urgent' } }],
    ['tickets.merge', { into_id: ticket, ids: [] }],
    ['spam.set', { session_id: chat, spam: true }],
  ] as const)
    expect([name, (await app.desk(ben, name, input)).status]).toEqual([name, 403]);
  const { body } = await app.rest(site.read, 'GET', `/v1/tickets?id=${ticket}`);
  expect(body.data.priority).not.toBe('urgent');
});

it('a token gets no further by the operations of other kinds of token', async () => {
  const limited = done(await app.desk(ada, 'api_tokens.create', { name: 'limited', scopes: 'tags:read' }));
  for (const [method, path] of [
    ['GET', '/v1/tickets'],
    ['GET', '/v1/visitors'],
    ['GET', '/v1/usage'],
    ['GET', '/v1/processing_record'],
    ['GET', '/v1/reports?report=volume'],
    ['GET', '/v1/stream'],
    ['POST', '/v1/tags'],
    ['GET', '/v1/api.ashx?resource=tags&resource=tickets'],
    ['GET', '/v1/tickets?resource=tags'],
    ['GET', '/v1/api.ashx?resource=tickets&_=tags'],
  ] as const) {
    const answer = await app.rest(limited.token, method, path, method === 'POST' ? { name: 'x' } : undefined);
    expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
  }
  const answer = await fetch(`${app.url}/scim/v2/Users`, {
    headers: { authorization: `Bearer ${limited.token}` },
  });
  expect(answer.status).toBe(401);
});
