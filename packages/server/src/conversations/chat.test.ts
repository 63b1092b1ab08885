import { randomUUID } from 'node:crypto';
import type { VisitorSession } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
});
afterAll(() => app.close());

const say = (socket: TestSocket, session_id: string | null, text: string, client_id = randomUUID()) =>
  socket.call('chat.send', { session_id, client_id, text }) as Promise<{
    session: { session_id: string } | null;
    message: { seq: number; id: number };
  }>;

describe('a visitor’s messages', () => {
  it('are numbered 1, 2, 3 in a chat that the first one begins', async () => {
    const { socket } = await TestSocket.visitor(app.url, site.publicKey);
    const first = await say(socket, null, 'one');
    const id = first.session?.session_id ?? '';
    expect(id).toMatch(/^ses_/);
    await socket.subscribe(id);
    await Promise.all([say(socket, id, 'two'), say(socket, id, 'three')]);
    await socket.next('message', ({ message }) => message.sender === 'visitor' && message.text === 'three');
    const seqs = socket.messagesOf(id).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it('are stored once when they are sent twice, at once or later, and use no second number', async () => {
    const { socket } = await TestSocket.visitor(app.url, site.publicKey);
    const clientId = randomUUID();
    const [a, b] = await Promise.all([
      say(socket, null, 'hi there you', clientId),
      say(socket, null, 'hi there you', clientId),
    ]);
    expect(b.message.id).toBe(a.message.id);
    expect(b.session?.session_id).toBe(a.session?.session_id);
    const id = a.session?.session_id ?? '';
    const twice = randomUUID();
    const sent = await Promise.all(Array.from({ length: 5 }, () => say(socket, id, 'again', twice)));
    expect(new Set(sent.map(({ message }) => message.id)).size).toBe(1);
    const transcript = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id}`);
    const own = transcript.body.data.messages.filter((m: { sender: string }) => m.sender === 'visitor');
    expect(own.map((m: { text: string }) => m.text)).toEqual(['hi there you', 'again']);
    const all = transcript.body.data.messages.map((m: { seq: number }) => m.seq);
    expect(all).toEqual(all.map((_: number, index: number) => index + 1));
  });

  it('of many visitors at once are all stored, in fewer transactions than messages, a repeated one once', async () => {
    const own = await app.makeSite();
    const chats = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { socket } = await TestSocket.visitor(app.url, own.publicKey);
        return { socket, id: (await say(socket, null, 'hello')).session?.session_id ?? '' };
      }),
    );
    const { pool } = app.app.database;
    await pool.query(`update conversations set status = 'active' where site_id = $1`, [own.site.id]);
    const [first] = chats;
    const known = randomUUID();
    if (first) await say(first.socket, first.id, 'said before', known);
    const sent = await Promise.all([
      ...chats.flatMap(({ socket, id }) => [1, 2, 3, 4].map((count) => say(socket, id, `Message ${count}`))),
      ...(first ? [say(first.socket, first.id, 'said before', known)] : []),
    ]);
    expect(new Set(sent.map(({ message }) => message.id)).size).toBe(4 * 12 + 1);
    const { rows } = await pool.query(
      `select count(*)::int as stored, count(distinct seq)::int as numbers, min(seq) as first, max(seq) as last,
         array_agg(xmin::text) as transactions
       from messages where site_id = $1 and text like 'Message _' group by conversation_id`,
      [own.site.id],
    );
    expect(rows.map(({ stored, numbers, first, last }) => [stored, numbers, last - first])).toEqual(
      Array.from({ length: 12 }, () => [4, 4, 3]),
    );
    expect(new Set(rows.flatMap(({ transactions }) => transactions)).size).toBeLessThan(4 * 12);
  });

  it('to a person are sent to a receiver of every message from its subscription on', async () => {
    const own = await app.makeSite();
    const { pool } = app.app.database;
    const told = async (): Promise<number> => {
      const { rows } = await pool.query(
        `select count(*)::int as told from webhook_events where site_id = $1 and event = 'message_created'`,
        [own.site.id],
      );
      return rows[0].told;
    };
    const { socket } = await TestSocket.visitor(app.url, own.publicKey);
    const id = (await say(socket, null, 'one')).session?.session_id ?? '';
    await pool.query(`update conversations set status = 'active' where session_id = $1`, [id]);
    await say(socket, id, 'nobody is told of this');
    expect(await told()).toBe(0);
    await app.rest(own.write, 'POST', '/v1/webhook_subscriptions', {
      url: 'http://127.0.0.1:9/',
      events: ['message_created'],
    });
    await say(socket, id, 'and of this a receiver');
    expect(await told()).toBe(1);
  });

  it('after the end begin a new chat', async () => {
    const { socket } = await TestSocket.visitor(app.url, site.publicKey);
    const id = (await say(socket, null, 'one')).session?.session_id ?? '';
    const ended = (await socket.call('chat.end', { session_id: id })) as VisitorSession;
    // The list shows ended chats by their last message.
    expect(ended.last_message).toMatchObject({ sender: expect.stringMatching(/visitor|bot/) });
    const next = await say(socket, id, 'one more thing');
    expect(next.session?.session_id).toMatch(/^ses_/);
    expect(next.session?.session_id).not.toBe(id);
    const before = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id}`);
    expect(before.body.data.status).toBe('closed');
    expect(before.body.data.messages.some((m: { text: string }) => m.text === 'one more thing')).toBe(false);
  });

  it('of another visitor can be neither read nor written, and look as if they did not exist', async () => {
    const [{ socket }, { socket: stranger }] = await Promise.all([
      TestSocket.visitor(app.url, site.publicKey),
      TestSocket.visitor(app.url, site.publicKey),
    ]);
    const id = (await say(socket, null, 'mine')).session?.session_id ?? '';
    for (const [op, input] of [
      ['chat.send', { session_id: id, client_id: randomUUID(), text: 'yours?' }],
      ['chat.request_person', { session_id: id, client_id: randomUUID() }],
      ['chat.leave_email', { session_id: id, email: 'a@example.com' }],
      ['chat.end', { session_id: id }],
      ['chat.rate', { session_id: id, rating: 1 }],
      ['chat.mark_read', { session_id: id, seq: 1 }],
    ] as const) {
      await expect(stranger.call(op, input), op).rejects.toMatchObject({ code: 'not_found' });
    }
    stranger.send({ type: 'subscribe', id: 99, session_id: id, after_seq: 0 });
    expect((await stranger.next('error', (frame) => frame.id === 99)).error.code).toBe('not_found');
    expect(stranger.messagesOf(id)).toEqual([]);
  });
});

describe('after a lost connection', () => {
  it('a visitor gets every message once and in order', async () => {
    const cookie = await app.signIn(site.admin.email);
    const agent = await TestSocket.agent(app.url, cookie);
    const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey);
    const id = (await say(socket, null, 'hello, is anybody there')).session?.session_id ?? '';
    await agent.call('sessions.accept', { session_id: id });
    await socket.subscribe(id);
    await socket.next('message', ({ message }) => message.event === 'agent_joined');
    const seen = socket.messagesOf(id).at(-1)?.seq ?? 0;
    socket.cut();
    for (const text of ['a', 'b', 'c'])
      await agent.call('sessions.reply', { session_id: id, client_id: randomUUID(), text });
    const back = await TestSocket.visitor(app.url, site.publicKey, {
      token: welcome.token,
      key: welcome.visitor.key,
    });
    expect(back.welcome.sessions.map(({ session_id }) => session_id)).toContain(id);
    await back.socket.subscribe(id, seen);
    await agent.call('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'd' });
    await back.socket.next('message', ({ message }) => message.text === 'd');
    expect(back.socket.messagesOf(id).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a malformed frame', () => {
  it('gets an error, and the connection stays open', async () => {
    const { socket } = await TestSocket.visitor(app.url, site.publicKey);
    for (const bad of ['not json', '[]', '{"type":"call"}', '{"type":"nonsense"}', Buffer.from([1, 2, 3])]) {
      const before = socket.frames.length;
      socket.sendRaw(bad);
      await socket.next('error', (frame) => socket.frames.indexOf(frame) >= before);
    }
    const said = await say(socket, null, 'still here');
    expect(said.message.seq).toBe(1);
    await expect(socket.call('sessions.list', { queue: 'all' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      socket.call('chat.send', { session_id: null, client_id: 'x', text: ' ' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});
