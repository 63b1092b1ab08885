import type { Agent, CustomRole } from '@foyer/protocol';
import { PERMISSIONS } from '@foyer/protocol/values/sign-in/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAgent, PASSWORD } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { makeRecord } from '../../../test/examples.ts';
import { newEmail } from '../../../test/fixtures/sites.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { permissionFor } from '../../core/access/permissions.ts';
import { operations } from '../../registry.ts';

let app: TestApp;
let site: TestSite;
/** Cookies of an admin and of Ben, an agent. */
let ada: string;
let ben: string;
let benId: number;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite('growth');
  const email = newEmail();
  benId = (await makeAgent(site.operator, { email, name: 'Ben' })).id;
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email, PASSWORD)]);
});

const done = ({ status, body }: Answer): Json => {
  expect([status, body.error?.message]).toEqual([200, undefined]);
  return body.data;
};
const refusal = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.reason];
const create = async (permissions: readonly string[], name = 'Reader'): Promise<CustomRole> =>
  done(await app.desk(ada, 'roles.create', { name, permissions }));
const give = async (role: CustomRole | null, id = benId): Promise<Agent> =>
  done(await app.desk(ada, 'agents.set_role', { id, role: 'agent', custom_role_id: role?.id ?? null }));
const REFUSED = [403, 'insufficient_scope', 'role_refuses'];

describe('a custom role', () => {
  test('has permissions in their order and a name of its own; only admins change it', async () => {
    const made = await create(['reports', 'answer', 'reports']);
    expect(made).toMatchObject({ name: 'Reader', permissions: ['answer', 'reports'], agent_count: 0 });
    expect(refusal(await app.desk(ada, 'roles.create', { name: 'reader' }))).toEqual([
      409,
      'conflict',
      'name_taken',
    ]);
    expect(refusal(await app.desk(ada, 'roles.create', { name: 'X', permissions: ['agents'] }))[0]).toBe(400);
    for (const [name, input] of [
      ['roles.create', { name: 'Mine' }],
      ['roles.update', { id: made.id, permissions: [...PERMISSIONS] }],
      ['roles.delete', { id: made.id }],
    ] as const)
      expect(refusal(await app.desk(ben, name, input))).toEqual([403, 'insufficient_scope', 'admins_only']);
    expect(done(await app.desk(ben, 'roles.list')).roles).toEqual([made]);
  });

  test('of another site is neither assigned nor changed', async () => {
    const other = await app.makeSite('growth');
    const theirs = done(
      await app.desk(await app.signIn(other.admin.email), 'roles.create', { name: 'Theirs' }),
    );
    const set = { id: benId, role: 'agent', custom_role_id: theirs.id };
    expect(refusal(await app.desk(ada, 'agents.set_role', set))[0]).toBe(404);
    expect(refusal(await app.desk(ada, 'roles.update', { id: theirs.id, name: 'Mine' }))[0]).toBe(404);
    expect(refusal(await app.desk(ada, 'roles.delete', { id: theirs.id }))[0]).toBe(404);
  });

  test('is kept while somebody has it, and is not for an admin', async () => {
    const role = await create([]);
    expect(await give(role)).toMatchObject({
      custom_role: { id: role.id, name: 'Reader' },
      can_answer: false,
    });
    expect(refusal(await app.desk(ada, 'roles.delete', { id: role.id }))).toEqual([
      409,
      'conflict',
      'role_in_use',
    ]);
    const admin = { id: benId, role: 'admin', custom_role_id: role.id };
    expect(refusal(await app.desk(ada, 'agents.set_role', admin))[0]).toBe(400);
    expect(await give(null)).toMatchObject({ custom_role: null, can_answer: true });
    done(await app.desk(ada, 'roles.delete', { id: role.id }));
  });

  test('is free when its agent is removed, so that it can be deleted', async () => {
    const role = await create([]);
    await give(role);
    done(await app.desk(ada, 'agents.remove', { id: benId }));
    done(await app.desk(ada, 'roles.delete', { id: role.id }));
  });

  test('is in the audit log, with its agents', async () => {
    const role = await create(['reports']);
    await give(role);
    done(await app.desk(ada, 'roles.update', { id: role.id, permissions: ['audit'] }));
    const entries = done(await app.desk(ada, 'audit.list', { limit: 3 })) as Json[];
    expect(entries.map(({ action }) => action)).toEqual(['roles.update', 'agents.set_role', 'roles.create']);
    expect(entries[0].changes.permissions).toEqual([['reports'], ['audit']]);
  });
});

describe('an agent with a custom role', () => {
  test('without permissions is refused every operation at the desk that needs one', async () => {
    await give(await create([]));
    const needing = operations.filter(
      (one) =>
        (one.who.includes('agent') || one.who.includes('admin')) &&
        (permissionFor(one) !== null || !one.who.includes('agent')),
    );
    expect(needing.length).toBeGreaterThan(100);
    for (const { name } of needing)
      expect([name, ...refusal(await app.desk(ben, name, {}))]).toEqual([name, ...REFUSED]);
    expect(done(await app.desk(ben, 'me.get')).permissions).toEqual([]);
  });

  test('reads and notes, but answers nobody, at the desk and on a socket', async () => {
    await give(await create([]));
    const [chat, ticket] = [await makeRecord.session(app, site), await makeRecord.ticket(app, site)];
    const client_id = () => crypto.randomUUID();
    done(await app.desk(ben, 'sessions.get', { session_id: chat }));
    done(
      await app.desk(ben, 'sessions.note', { session_id: chat, client_id: client_id(), text: 'Call them' }),
    );
    const reply = (type: string) =>
      app.desk(ben, 'tickets.reply', { ticket_id: ticket, client_id: client_id(), type, text: 'Hello' });
    done(await reply('note'));
    expect(refusal(await reply('public'))).toEqual(REFUSED);
    const socket = await TestSocket.agent(app.url, ben);
    await expect(socket.call('sessions.accept', { session_id: chat })).rejects.toThrow();
    socket.cut();
    const told = done(await app.desk(ada, 'sessions.get', { session_id: chat }));
    expect(told.status).not.toBe('active');
  });

  test('who may not answer is assigned nothing', async () => {
    await give(await create(['reports']));
    const [chat, ticket] = [await makeRecord.session(app, site), await makeRecord.ticket(app, site)];
    const none = [409, 'conflict', 'role_cannot_answer'];
    expect(refusal(await app.desk(ada, 'tickets.update', { id: ticket, assignee_id: benId }))).toEqual(none);
    done(await app.desk(ada, 'sessions.accept', { session_id: chat }));
    const transfer = { session_id: chat, agent_id: benId };
    expect(refusal(await app.desk(ada, 'sessions.transfer', transfer))).toEqual(none);
  });

  test('does what otherwise only admins do, if the role allows it, and nothing else of it', async () => {
    await give(await create(['answer', 'integrations', 'delete']));
    const hook = { url: 'https://shop.example/hook', events: ['ticket_created'] };
    done(await app.desk(ben, 'webhook_subscriptions.create', hook));
    const ticket = await makeRecord.ticket(app, site);
    done(await app.desk(ben, 'tickets.delete', { id: ticket }));
    for (const name of ['agents.invite', 'api_tokens.create', 'retention.get', 'audit.list'])
      expect(refusal(await app.desk(ben, name, {})), name).toEqual(REFUSED);
  });

  test('changes the site but not how its agents must sign in', async () => {
    await give(await create(['site']));
    done(await app.desk(ben, 'site.update', { greeting: 'Hi' }));
    for (const rule of [{ two_factor_required: true }, { session_max_days: 1 }, { session_idle_hours: 2 }])
      expect(refusal(await app.desk(ben, 'site.update', rule))).toEqual(REFUSED);
  });

  test('loses their socket when the role changes, and the next call is refused', async () => {
    const role = await create(['audit']);
    await give(role);
    const socket = await TestSocket.agent(app.url, ben);
    done(await app.desk(ben, 'audit.list'));
    done(await app.desk(ada, 'roles.update', { id: role.id, permissions: [] }));
    expect(refusal(await app.desk(ben, 'audit.list'))).toEqual(REFUSED);
    expect((await socket.whenClosed()).code).toBe(4001);
  });
});
