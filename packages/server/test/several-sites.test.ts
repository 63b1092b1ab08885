import { randomUUID } from 'node:crypto';
import { CLOSE_UNAUTHORIZED } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent } from '../src/sites/agents/agents.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from './app.ts';
import { TestSocket } from './sockets.ts';

// One person who works for several sites: each call, socket and file belongs to the site that its tab shows.

let app: TestApp;
let first: TestSite;
let second: TestSite;
/** The cookie of the first site's admin, who is an agent of the second. */
let cookie: string;

beforeAll(async () => {
  app = await startTestApp({ FOYER_PLAN: 'starter' });
  first = await app.makeSite();
  second = await app.makeSite();
  await addAgent(second.operator, { email: first.admin.email, name: 'Ada', role: 'agent' });
  cookie = await app.signIn(first.admin.email);
});
afterAll(() => app.close());

const dataOf = async (operation: string, input?: object, site?: number): Promise<Json> => {
  const { body } = await app.desk(cookie, operation, input, site);
  if (!body.ok) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
};

const refusal = async (site: number | string): Promise<Json> => {
  const { status, body } = await app.desk(cookie, 'me.get', {}, site);
  const { request_id: _, ...error } = body.error;
  return { status, ...error };
};

describe('a call of the desk', () => {
  it('works on the site that it names, with the rights of its agent there', async () => {
    await dataOf('tags.create', { name: 'wholesale' }, second.site.id);
    const namesAt = async (site: number): Promise<string[]> =>
      (await dataOf('tags.list', {}, site)).map(({ name }: Json) => name);
    expect(await namesAt(second.site.id)).toEqual(['wholesale']);
    expect(await namesAt(first.site.id)).toEqual([]);
    const update = await app.desk(cookie, 'site.update', { name: 'Taken over' }, second.site.id);
    expect([update.status, update.body.error.reason]).toEqual([403, 'admins_only']);
  });

  it('works on the first site of the person if it names none', async () => {
    const me = await dataOf('me.get');
    expect(me.site.id).toBe(first.site.id);
    expect(me.sites.map(({ id }: Json) => id)).toEqual([first.site.id, second.site.id]);
  });

  it('is refused in the same way for a site that the person doesn’t work for and for one that doesn’t exist', async () => {
    const foreign = await app.makeSite();
    const refused = await refusal(foreign.site.id);
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope', reason: 'site_left' });
    for (const site of [999_999, 0, -1, 'first', `${first.site.id}, ${second.site.id}`])
      expect(await refusal(site), String(site)).toEqual(refused);
  });

  it('of a person who isn’t signed in needs a sign-in, whatever it names', async () => {
    const answer = await app.desk('', 'me.get', {}, first.site.id);
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
  });
});

describe('a socket', () => {
  it('gets only the messages of its own site', async () => {
    const [desk, other] = await Promise.all([
      TestSocket.agent(app.url, cookie, second.site.id),
      TestSocket.agent(app.url, cookie, first.site.id),
    ]);
    const say = async ({ publicKey }: TestSite, text: string): Promise<string> => {
      const { socket } = await TestSocket.visitor(app.url, publicKey);
      const said = { session_id: null, client_id: randomUUID(), text };
      const { session } = (await socket.call('chat.send', said)) as Json;
      socket.cut();
      return session.session_id;
    };
    const here = await say(second, 'Do you bake rye bread?');
    const there = await say(first, 'Do you sell lamps?');
    await desk.next('session_changed', ({ session }) => session.session_id === here);
    await other.next('session_changed', ({ session }) => session.session_id === there);
    const seenBy = ({ frames }: TestSocket): Set<string> =>
      new Set(
        frames.flatMap((frame) => (frame.type === 'session_changed' ? [frame.session.session_id] : [])),
      );
    expect(seenBy(desk)).toEqual(new Set([here]));
    expect(seenBy(other)).toEqual(new Set([there]));
    desk.cut();
    other.cut();
  });

  it('is refused at a site that the person doesn’t work for', async () => {
    const foreign = await app.makeSite();
    const address = `${app.url}/app/socket?site=${foreign.site.id}`;
    const socket = await TestSocket.open(address, { cookie, origin: app.url });
    expect((await socket.whenClosed()).code).toBe(CLOSE_UNAUTHORIZED);
    expect(socket.frames).toEqual([]);
  });
});

it('a file for a reply is stored at the site that its address names', async () => {
  const upload = randomUUID();
  const answer = await fetch(`${app.url}/app/uploads/${upload}?name=a.txt&site=${second.site.id}`, {
    method: 'PUT',
    headers: { cookie, origin: app.url, 'content-type': 'text/plain' },
    body: 'rye',
  });
  expect(answer.status).toBe(201);
  const { rows } = await app.app.database.pool.query('select site_id from attachments where name = $1', [
    'a.txt',
  ]);
  expect(rows.map(({ site_id }) => Number(site_id))).toEqual([second.site.id]);
});

describe('a new site', () => {
  it('has its creator as admin, their browser’s language and time zone, and the plan of the installation', async () => {
    const input = { name: 'Bakery', time_zone: 'Europe/Vienna', languages: ['xx', 'de-AT', 'en'] };
    const { id } = await dataOf('sites.create', input);
    const me = await dataOf('me.get', {}, id);
    expect(me.agent).toMatchObject({ name: 'Ada', role: 'admin' });
    expect(me.site).toMatchObject({
      id,
      name: 'Bakery',
      language: 'de',
      time_zone: 'Europe/Vienna',
      plan: 'starter',
    });
    expect(me.sites.map(({ name }: Json) => name)).toContain('Bakery');
    expect(await dataOf('tickets.list', {}, id)).toEqual([]);
  });

  it('is in the audit log of both sites', async () => {
    const { id } = await dataOf('sites.create', { name: 'Audited' });
    for (const site of [first.site.id, id]) {
      const [entry] = await dataOf('audit.list', { subject: 'site' }, site);
      expect(entry).toMatchObject({
        action: 'sites.create',
        label: 'Audited',
        subject_id: id,
        actor: { kind: 'agent', name: 'Ada' },
      });
    }
  });

  it('needs an admin, and a name', async () => {
    const asAgent = await app.desk(cookie, 'sites.create', { name: 'Bakery' }, second.site.id);
    expect([asAgent.status, asAgent.body.error.reason]).toEqual([403, 'admins_only']);
    const unnamed = await app.desk(cookie, 'sites.create', { name: ' ' });
    expect(unnamed.body.error.issues.map(({ path }: Json) => path)).toEqual(['name']);
  });

  it('is refused to an admin of fifty, also when the last two are created at once', async () => {
    const own = await app.makeSite();
    const theirs = await app.signIn(own.admin.email);
    await app.app.database.pool.query(
      `with made as (insert into sites (name, plan, public_key, greeting)
         select 'Site ' || n, 'free', 'pk_fifty_' || n, '' from generate_series(1, 48) n returning id)
       insert into agents (site_id, user_id, name, role)
       select made.id, a.user_id, 'Ada', 'admin' from made, agents a where a.id = $1`,
      [own.admin.agentId],
    );
    const created = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => app.desk(theirs, 'sites.create', { name })),
    );
    expect(created.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { body } = await app.desk(theirs, 'me.get');
    expect(body.data.sites).toHaveLength(50);
  });
});

it('an agent who was removed from a site keeps working at the others', async () => {
  const theirs = await app.signIn(second.admin.email);
  const third = (await app.desk(theirs, 'sites.create', { name: 'Third' })).body.data;
  const operator = app.app.contextFor({ id: third.id, plan: 'starter' }, { kind: 'operator' });
  const agent = await addAgent(operator, { email: first.admin.email, name: 'Ada', role: 'agent' });
  const desk = await TestSocket.agent(app.url, cookie, third.id);
  expect((await app.desk(theirs, 'agents.remove', { id: agent.id }, third.id)).status).toBe(200);
  expect((await desk.whenClosed()).code).toBe(CLOSE_UNAUTHORIZED);
  expect(await refusal(third.id)).toMatchObject({ status: 403, reason: 'site_left' });
  expect((await dataOf('me.get', {}, first.site.id)).site.id).toBe(first.site.id);
  expect((await dataOf('me.get')).sites.map(({ id }: Json) => id)).not.toContain(third.id);
});
