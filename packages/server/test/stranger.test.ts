import { createHmac, randomUUID } from 'node:crypto';
import type { HelloFrame, ServerFrame } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rotateIdentitySecret } from '../src/sites/identity-secret.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { TestSocket } from './sockets.ts';
import { say } from './stand.ts';

// A stranger has nothing but the public key, which is in every page of the site.

type Welcome = Extract<ServerFrame, { type: 'welcome' }>;

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
});

const overSocket = async (hello: Omit<HelloFrame, 'type'>): Promise<Welcome> => {
  const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, hello);
  socket.cut();
  return welcome;
};

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const overPoll = async (hello: Omit<HelloFrame, 'type'>): Promise<Welcome> => {
  const frames = [JSON.stringify({ type: 'hello', ...hello })];
  const answer = await post(`/widget/poll?site=${site.publicKey}`, { poll: null, frames, wait: true });
  const { frames: sent } = (await answer.json()) as { frames: string[] };
  return JSON.parse(sent[0] ?? '{}');
};

const lines = [
  ['a socket', overSocket],
  ['held requests', overPoll],
] as const;

const hashOf = (secret: string, key: string) => createHmac('sha256', secret).update(key).digest('hex');
const maya = { key: 'user_42', name: 'Maya Private', email: 'maya@private.example', plan: 'pro' };
const makeMaya = () => app.rest(site.write, 'POST', '/v1/visitors', maya);
const setPreChat = async () => {
  const cookie = await app.signIn(site.admin.email);
  const pre_chat = [
    { kind: 'email', required: true },
    { kind: 'text', attribute: 'plan', label: 'Plan', required: false },
  ];
  const { status, body } = await app.desk(cookie, 'site.update', { pre_chat });
  if (status !== 200) throw new Error(JSON.stringify(body));
};
const visitorCount = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from visitors where site_id = ${site.site.id}`.execute(app.app.database.db);
  return rows[0]?.count ?? 0;
};
/** A welcome without the token, which is random for each browser. */
const withoutToken = ({ token: _, ...rest }: Welcome) => rest;
const asKey = (welcome: object, from: string) => JSON.parse(JSON.stringify(welcome).replaceAll(from, 'KEY'));

describe.each(lines)('a stranger who names a key over %s', (_line, greet) => {
  test.each([false, true])(
    'learns nothing, not even whether the key is known (secret: %s)',
    async (hasSecret) => {
      await setPreChat();
      await makeMaya();
      if (hasSecret) await rotateIdentitySecret(site.operator);
      const known = await greet({ key: maya.key });
      const unknown = await greet({ key: 'user_43' });
      expect(JSON.stringify(known)).not.toMatch(/maya@|Maya Private/);
      expect(known.visitor).toEqual({ key: maya.key, name: null, email: null, verified: false });
      expect(known.pre_chat).toHaveLength(2);
      expect(asKey(withoutToken(known), maya.key)).toEqual(asKey(withoutToken(unknown), 'user_43'));
      expect(known.token).toHaveLength(unknown.token.length);
    },
  );

  test('learns nothing with a wrong, empty, truncated or foreign hash', async () => {
    await makeMaya();
    const { secret } = await rotateIdentitySecret(site.operator);
    const right = hashOf(secret, maya.key);
    for (const user_hash of ['0'.repeat(64), '', right.slice(0, 32), hashOf(secret, 'user_43'), `${right}00`])
      expect((await greet({ key: maya.key, user_hash })).visitor).toMatchObject({
        name: null,
        email: null,
        verified: false,
      });
    expect((await greet({ key: maya.key, user_hash: right })).visitor).toEqual({
      key: maya.key,
      name: maya.name,
      email: maya.email,
      verified: true,
    });
  });

  test('gets back only its own values, for a known key as for another', async () => {
    await makeMaya();
    for (const key of [maya.key, 'user_43']) {
      const { visitor } = await greet({ key, attributes: { name: 'Mallory' } });
      expect(visitor).toEqual({ key, name: 'Mallory', email: null, verified: false });
    }
  });

  test('leaves no record', async () => {
    for (let at = 0; at < 5; at++) await greet({ key: `user_${at}`, page_url: 'https://shop.example/' });
    await greet({});
    expect(await visitorCount()).toBe(0);
  });
});

describe('a stranger who writes under a known key', () => {
  const intrude = async () => {
    const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, { key: maya.key });
    const { session } = await say(socket, null, 'Where is my order?');
    return { socket, welcome, id: session?.session_id ?? '' };
  };

  test.each([false, true])('learns nothing then or later (secret: %s)', async (hasSecret) => {
    await makeMaya();
    if (hasSecret) await rotateIdentitySecret(site.operator);
    const { socket, welcome, id } = await intrude();
    await socket.subscribe(id);
    await socket.call('chat.leave_email', { session_id: id, email: 'mallory@evil.example' });
    await socket.call('chat.mark_read', { session_id: id, seq: 1 });
    const back = await overSocket({ key: maya.key, token: welcome.token });
    expect(back.sessions.map(({ session_id }) => session_id)).toEqual([id]);
    expect(back.visitor).toMatchObject({ name: null, email: 'mallory@evil.example', verified: false });
    expect(JSON.stringify([...socket.frames, back])).not.toMatch(/maya@|Maya Private/);
    const { body } = await app.rest(site.read, 'GET', `/v1/visitors?key=${maya.key}`);
    expect(body.data).toMatchObject({ name: maya.name, email: maya.email });
  });

  test('is not merged into a verified person, nor can it merge an anonymous visitor into one', async () => {
    await makeMaya();
    await rotateIdentitySecret(site.operator);
    const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, { key: 'anon_stranger' });
    const { session } = await say(socket, null, 'I am nobody');
    const claimed = await overSocket({ token: welcome.token, key: maya.key });
    expect(claimed.sessions).toEqual([]);
    expect(claimed.token).not.toBe(welcome.token);
    await post(`/widget/collect?site=${site.publicKey}`, {
      key: maya.key,
      previous_key: 'anon_stranger',
      attributes: { plan: 'none' },
      events: [{ id: randomUUID(), name: 'looked', occurred_utc: new Date().toISOString() }],
    });
    const still = await app.rest(site.read, 'GET', '/v1/visitors?key=anon_stranger');
    expect(still.status).toBe(200);
    const { body } = await app.rest(site.read, 'GET', `/v1/visitors?key=${maya.key}`);
    expect(body.data.attributes).toEqual({ plan: 'pro' });
    expect(body.data.recent_events).toMatchObject([{ name: 'looked' }]);
    const back = await overSocket({ token: welcome.token, key: 'anon_stranger' });
    expect(back.sessions.map(({ session_id }) => session_id)).toEqual([session?.session_id]);
  });
});
