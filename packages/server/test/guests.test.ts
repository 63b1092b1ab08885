import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { TestSocket } from './sockets.ts';
import { say } from './stand.ts';

// A guest is a browser that has sent a hello and no message: it has no record.

let app: TestApp;
let site: TestSite;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
});

const enter = (hello: Parameters<typeof TestSocket.visitor>[2] = {}) =>
  TestSocket.visitor(app.url, site.publicKey, hello);
const count = async (table: 'visitors' | 'visitor_devices' | 'visitor_pages'): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where site_id = ${site.site.id}`.execute(
    app.app.database.db,
  );
  return rows[0]?.count ?? 0;
};
const records = async () => [await count('visitors'), await count('visitor_devices')];
const here = async () => (await app.desk(admin, 'visitors.here')).body.data;
const upload = (token: string, id: string) =>
  fetch(`${app.url}/widget/uploads/${id}?site=${site.publicKey}&name=a.txt`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: 'hello',
  });

describe('a guest', () => {
  test('gets a record with the first message, and is the same visitor after a reload', async () => {
    const { socket, welcome } = await enter({ key: 'anon_first' });
    expect(await records()).toEqual([0, 0]);
    const { session } = await say(socket, null, 'Good morning');
    expect(await records()).toEqual([1, 1]);
    const back = await enter({ key: 'anon_first', token: welcome.token });
    expect(back.welcome.token).toBe(welcome.token);
    expect(back.welcome.sessions.map(({ session_id }) => session_id)).toEqual([session?.session_id]);
  });

  test('that sends no key is the same visitor in each tab that has its token', async () => {
    const first = await enter({ key: undefined });
    const { token, visitor } = first.welcome;
    expect(visitor.key).toMatch(/^anon_[0-9a-f]{32}$/);
    const second = await enter({ key: undefined, token });
    expect(second.welcome).toMatchObject({ token, visitor: { key: visitor.key } });
  });

  test('that writes in many tabs at once is one visitor, and each tab shows all chats', async () => {
    const { welcome } = await enter({ key: 'anon_tabs' });
    const tabs = await Promise.all(
      Array.from({ length: 6 }, () => enter({ key: 'anon_tabs', token: welcome.token })),
    );
    const sent = await Promise.all(tabs.map(({ socket }, at) => say(socket, null, `From tab ${at}`)));
    expect(await records()).toEqual([1, 1]);
    for (const { session } of sent)
      for (const { socket } of tabs)
        await socket.next('session', (frame) => frame.session.session_id === session?.session_id);
  });

  test('sees in one tab what it writes in another', async () => {
    const quiet = await enter({ key: 'anon_pair' });
    const loud = await enter({ key: 'anon_pair', token: quiet.welcome.token });
    const { session } = await say(loud.socket, null, 'Anybody there?');
    const id = session?.session_id ?? '';
    await quiet.socket.next('session', (frame) => frame.session.session_id === id);
    await quiet.socket.subscribe(id);
    await quiet.socket.next('message', ({ message }) => message.text === 'Anybody there?');
    await say(quiet.socket, id, 'I am');
    expect(await records()).toEqual([1, 1]);
  });

  test('gets no record by a refused message', async () => {
    const { socket } = await enter({});
    await expect(
      socket.call('chat.send', {
        session_id: null,
        client_id: randomUUID(),
        text: 'With a file',
        attachments: [randomUUID()],
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(say(socket, `ses_${'a'.repeat(22)}`, 'Into another chat')).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await records()).toEqual([0, 0]);
  });

  test('gets a record by an upload, which its first message then attaches', async () => {
    const { socket, welcome } = await enter({ key: 'user_7' });
    const id = randomUUID();
    expect((await upload(welcome.token, id)).status).toBe(201);
    expect(await records()).toEqual([1, 1]);
    const sent = (await socket.call('chat.send', {
      session_id: null,
      client_id: randomUUID(),
      text: '',
      attachments: [id],
    })) as { message: { attachments: { name: string }[] } };
    expect(sent.message.attachments).toMatchObject([{ name: 'a.txt' }]);
    expect(await records()).toEqual([1, 1]);
    const { body } = await app.rest(site.read, 'GET', '/v1/visitors?key=user_7');
    expect(body.data.key).toBe('user_7');
  });

  test('has a token that is valid only for its site and key', async () => {
    const { welcome } = await enter({ key: 'user_7' });
    const other = await app.makeSite();
    const elsewhere = await TestSocket.visitor(app.url, other.publicKey, {
      key: 'user_7',
      token: welcome.token,
    });
    expect(elsewhere.welcome.token).not.toBe(welcome.token);
    const asAnother = await enter({ key: 'user_8', token: welcome.token });
    expect(asAnother.welcome.token).not.toBe(welcome.token);
    const cut = welcome.token.slice(0, -4);
    for (const token of [`${welcome.token}AAAA`, cut, 'vis_', `vis_${'A'.repeat(900)}`])
      expect((await upload(token, randomUUID())).status).toBe(401);
    expect(await records()).toEqual([0, 0]);
  });

  test('fills in the site’s form once, and agents see the answers', async () => {
    const pre_chat = [{ kind: 'email', required: true }];
    await app.desk(admin, 'site.update', { pre_chat });
    const { socket, welcome } = await enter({ key: 'anon_asked' });
    expect(welcome.pre_chat).toHaveLength(1);
    await socket.call('chat.introduce', { email: 'ann@a.example' });
    const back = await enter({ key: 'anon_asked', token: welcome.token });
    expect(back.welcome.pre_chat).toEqual([]);
    expect(back.welcome.visitor.email).toBe('ann@a.example');
    const stranger = await enter({ key: 'anon_asked' });
    expect(stranger.welcome.pre_chat).toHaveLength(1);
    expect(stranger.welcome.visitor.email).toBeNull();
    const { body } = await app.rest(site.read, 'GET', '/v1/visitors?key=anon_asked');
    expect(body.data.email).toBe('ann@a.example');
  });
});

describe('a guest who looks at a page', () => {
  const page_url = 'https://shop.example/lamps';

  test('is visible to agents while the page is open, and leaves nothing behind', async () => {
    const { socket, welcome } = await enter({ key: 'anon_looks', page_url, locale: 'de' });
    const tab = await enter({ key: 'anon_looks', page_url, token: welcome.token });
    await until(async () => (await count('visitor_pages')) === 2);
    expect(await here()).toMatchObject([
      { visitor: { key: 'anon_looks', name: null }, recorded: false, verified: false, page_url, tabs: 2 },
    ]);
    expect((await app.desk(admin, 'visitors.count_here')).body.data.count).toBe(1);
    for (const one of [socket, tab.socket]) one.cut();
    await until(async () => (await count('visitor_pages')) === 0);
    expect(await records()).toEqual([0, 0]);
  });

  test('keeps its pages once it writes', async () => {
    const { socket } = await enter({ key: 'anon_speaks', page_url });
    await until(async () => (await count('visitor_pages')) === 1);
    await say(socket, null, 'How much is it?');
    expect(await here()).toMatchObject([{ recorded: true, page_url, tabs: 1, chat: { status: 'bot' } }]);
    socket.send({ type: 'page', page_url: 'https://shop.example/cart' });
    await until(async () => (await here())[0]?.page_url === 'https://shop.example/cart');
    socket.cut();
    await until(async () => (await here()).length === 0);
    expect(await count('visitor_pages')).toBe(2);
  });

  test('can be written to first, and gets the message', async () => {
    const { socket, welcome } = await enter({ key: 'anon_shy', page_url });
    await until(async () => (await count('visitor_pages')) === 1);
    const start = { key: 'anon_shy', client_id: randomUUID(), text: 'May I help you?' };
    const { status, body } = await app.desk(admin, 'sessions.start', start);
    expect(status).toBe(200);
    const id = body.data.session_id;
    await socket.next('session', (frame) => frame.session.session_id === id);
    await socket.subscribe(id);
    await socket.next('message', ({ message }) => message.text === 'May I help you?');
    await say(socket, id, 'Yes, please');
    expect(await records()).toEqual([1, 1]);
    const back = await enter({ key: 'anon_shy', token: welcome.token });
    expect(back.welcome.sessions.map(({ session_id }) => session_id)).toEqual([id]);
  });
});
