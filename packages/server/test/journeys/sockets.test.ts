import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { SOCKET_FRAME_MAX_BYTES, TYPING_PREVIEW_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply as replyTo } from '../../src/conversations/desk.ts';
import { findAccount } from '../../src/sites/sign-in/accounts.ts';
import { makeAgent } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';
import { openChat, say } from '../stand.ts';

// What clients do to sockets, out of malice or because a phone enters a tunnel.

let app: TestApp;
let site: TestSite;
let other: TestSite;
let agent: TestSocket;
beforeAll(async () => {
  app = await startTestApp();
  [site, other] = await Promise.all([app.makeSite(), app.makeSite()]);
  agent = await TestSocket.agent(app.url, await app.signIn(site.admin.email));
});
afterAll(() => app.close());

const door = () => ({ url: app.url, publicKey: site.publicKey });
/** Sends like many desks at once: one socket may not send so fast. */
const reply = (id: string, text: string) => {
  const ada = { kind: 'agent', agentId: site.admin.agentId, name: 'Ada', role: 'admin' } as const;
  return replyTo(app.app.contextFor(site.site, ada), id, { clientId: randomUUID(), text });
};

/** A chat with an agent, in which nobody else writes. */
async function openTalk() {
  const chat = await openChat(door(), 'Good morning');
  await agent.call('sessions.accept', { session_id: chat.id });
  await chat.socket.next('message', ({ message }) => message.event === 'agent_joined');
  return chat;
}

const numbersOf = (socket: TestSocket, id: string) => socket.messagesOf(id).map(({ seq }) => seq);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('excessive frames', () => {
  it('over the size limit are refused and the connection stays; far over it, the connection ends', async () => {
    const { socket, id } = await openTalk();
    const text = 'x'.repeat(SOCKET_FRAME_MAX_BYTES);
    socket.send({ type: 'call', id: 4711, op: 'chat.send', input: { session_id: id, text } });
    const refused = await socket.next('error', (frame) => frame.id === 4711);
    expect(refused.error.code).toBe('payload_too_large');
    expect((await say(socket, id, 'still here')).message.text).toBe('still here');
    // More than network buffers hold: most of it is still unread when the server closes.
    socket.sendRaw('x'.repeat(SOCKET_FRAME_MAX_BYTES * 300));
    expect((await socket.whenClosed()).code).toBe(1009);
    // Others are not affected.
    expect((await openTalk()).id).toMatch(/^ses_/);
  });

  it('in a burst of a thousand are limited, each with an error, and the connection stays', async () => {
    const { socket, id } = await openTalk();
    for (let call = 1; call <= 1_000; call++)
      socket.send({
        type: 'call',
        id: 10_000 + call,
        op: 'chat.mark_read',
        input: { session_id: id, seq: 1 },
      });
    const answers = () =>
      socket.frames.flatMap((frame) =>
        (frame.type === 'error' || frame.type === 'result') && (frame.id ?? 0) > 10_000 ? [frame] : [],
      );
    await until(async () => answers().length === 1_000);
    const codes = new Set(answers().map((frame) => (frame.type === 'error' ? frame.error.code : 'done')));
    expect(codes).toEqual(new Set(['done', 'rate_limited']));
    await until(() => say(socket, id, 'calm again').then(Boolean, () => false));
    expect(socket.closed).toBeUndefined();
  });

  it('that are deep, odd or of the prototype are answered, and the connection stays', async () => {
    const { socket, id } = await openTalk();
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const frames = [
      `{"type":"call","id":1001,"op":"chat.send","input":${deep}}`,
      `{"type":"call","id":1002,"op":"__proto__","input":{}}`,
      `{"type":"call","id":1003,"op":"constructor","input":{"__proto__":{"session_id":"${id}"}}}`,
      `{"type":"subscribe","id":1004,"session_id":"${id}","after_seq":1e308}`,
      `{"type":"subscribe","id":1005,"session_id":"toString","after_seq":0}`,
      `{"type":"hello","key":"anon_again","id":1006}`,
      `{"type":"call","id":1007,"op":"chat.send","input":{"session_id":"${id}","client_id":"${randomUUID()}","text":"a\\u0000b"}}`,
      `{"type":"call","id":1008,"op":"chat.send","input":{"session_id":"${id}","client_id":"${randomUUID()}","text":"a\\ud800b"}}`,
    ];
    for (const frame of frames) socket.sendRaw(frame);
    for (const call of upTo(1008, 1001)) {
      const { error } = await socket.next('error', (frame) => frame.id === call);
      expect(error.code).not.toBe('internal');
    }
    await say(socket, id, 'still here');
  });
});

describe('a visitor’s unsent text', () => {
  it('is visible to agents, but not in the visitor’s other tab; it disappears when the visitor leaves', async () => {
    const { socket, id, welcome } = await openTalk();
    await agent.subscribe(id);
    const known = { token: welcome.token, key: welcome.visitor.key };
    const { socket: tab } = await TestSocket.visitor(app.url, site.publicKey, known);
    await tab.subscribe(id);
    socket.send({ type: 'typing', session_id: id, typing: true, text: 'Is my secret safe' });
    const isHere = ({ session_id }: { session_id: string }): boolean => session_id === id;
    expect(await agent.next('typing', isHere)).toMatchObject({ from: 'visitor', text: 'Is my secret safe' });
    expect(await tab.next('typing')).toMatchObject({ from: 'visitor', typing: true });
    agent.send({ type: 'typing', session_id: id, typing: true, text: 'Not an answer yet' });
    await socket.next('typing', ({ from }) => from === 'agent');
    socket.cut();
    expect(await agent.next('typing', (frame) => isHere(frame) && !frame.typing)).not.toHaveProperty('text');
    expect(JSON.stringify(tab.frames)).not.toContain('secret safe');
    expect(JSON.stringify(tab.frames)).not.toContain('Not an answer yet');
    tab.cut();
  });

  it('is not visible if the site has turned it off, whatever a client sends', async () => {
    const admin = await app.signIn(other.admin.email);
    await app.desk(admin, 'site.update', { typing_preview: false });
    const { socket, id, welcome } = await openChat({ url: app.url, publicKey: other.publicKey }, 'Hello');
    expect(welcome.site.typing_preview).toBe(false);
    const desk = await TestSocket.agent(app.url, admin);
    await desk.subscribe(id);
    socket.send({ type: 'typing', session_id: id, typing: true, text: 'Nobody reads this' });
    expect(await desk.next('typing', ({ from }) => from === 'visitor')).not.toHaveProperty('text');
    for (const one of [desk, socket]) one.cut();
  });

  it('is bounded', async () => {
    const { socket, id } = await openTalk();
    const text = 'x'.repeat(TYPING_PREVIEW_MAX + 1);
    socket.send({ type: 'typing', session_id: id, typing: true, text });
    expect((await socket.next('error')).error.code).toBe('invalid_input');
  });
});

describe('a handshake', () => {
  it('of an agent whose session ends meanwhile is closed', async () => {
    const { db } = app.app.database;
    const email = `ben-${randomUUID()}@example.com`;
    await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' });
    const cookie = await app.signIn(email);
    const account = await findAccount(db, email);
    const desk = await db.transaction().execute(async (holder) => {
      // The session has been read, but the agent can't be read yet.
      await sql`lock table agents in access exclusive mode`.execute(holder);
      const socket = await TestSocket.open(`${app.url}/app/socket`, { cookie, origin: app.url });
      const waiting = sql`select from pg_locks where relation = 'agents'::regclass and not granted`;
      await until(async () => (await waiting.execute(db)).rows.length > 0);
      app.app.live.endUser(account?.userId ?? '');
      return socket;
    });
    expect((await desk.whenClosed()).code).toBe(4001);
  });

  it('that never comes is closed, after a few other frames', async () => {
    const socket = await TestSocket.open(`${app.url}/widget/socket?site=${site.publicKey}`);
    for (let attempt = 0; attempt < 50; attempt++) socket.sendRaw('{"type":"ping"}');
    expect((await socket.whenClosed()).code).toBe(4008);
    expect(socket.frames.length).toBeLessThanOrEqual(10);
    expect(socket.frames.every((frame) => frame.type === 'error')).toBe(true);
  });

  it('with another site’s token makes a new visitor, who sees nothing of the old one', async () => {
    const { id, welcome } = await openTalk();
    const { token, visitor } = welcome;
    const stranger = await TestSocket.visitor(app.url, other.publicKey, { token, key: visitor.key });
    expect(stranger.welcome.sessions).toEqual([]);
    expect(stranger.welcome.token).not.toBe(token);
    stranger.socket.send({ type: 'subscribe', id: 7, session_id: id, after_seq: 0 });
    expect((await stranger.socket.next('error', (frame) => frame.id === 7)).error.code).toBe('not_found');
    stranger.socket.send({ type: 'typing', session_id: id, typing: true });
    await expect(say(stranger.socket, id, 'mine?')).rejects.toMatchObject({ code: 'not_found' });
    // The token is still valid for its own site.
    const back = await TestSocket.visitor(app.url, site.publicKey, { token, key: visitor.key });
    expect(back.welcome.sessions.map(({ session_id }) => session_id)).toContain(id);
  });
});

describe('a subscription', () => {
  it('ends when it is cancelled, and starts again after a given message', async () => {
    const { socket, id } = await openTalk();
    const before = numbersOf(socket, id).length;
    socket.send({ type: 'unsubscribe', session_id: id });
    await reply(id, 'unheard');
    // The response arrives after anything that the reply could have sent.
    await socket.call('chat.mark_read', { session_id: id, seq: 1 });
    expect(numbersOf(socket, id)).toHaveLength(before);
    await socket.subscribe(id, before);
    await socket.next('message', ({ message }) => message.text === 'unheard');
    expect(numbersOf(socket, id)).toEqual(upTo(before + 1));
  });

  it('that is made twice delivers each later message once', async () => {
    const { socket, id } = await openTalk();
    const seen = numbersOf(socket, id).length;
    await Promise.all([socket.subscribe(id, seen), socket.subscribe(id, seen), socket.subscribe(id, seen)]);
    await reply(id, 'once');
    await reply(id, 'twice');
    await socket.next('message', ({ message }) => message.text === 'twice');
    expect(numbersOf(socket, id)).toEqual(upTo(seen + 2));
  });

  it('from beyond the last message delivers the next one', async () => {
    const { socket, id } = await openTalk();
    await socket.subscribe(id, 1_000_000);
    await reply(id, 'after a restored backup');
    await socket.next('message', ({ message }) => message.text === 'after a restored backup');
  });

  it('that is made while messages pour in delivers each one once and in order', async () => {
    const { id, welcome } = await openTalk();
    const { token, visitor } = welcome;
    const connectAgain = () => TestSocket.visitor(app.url, site.publicKey, { token, key: visitor.key });
    const first = (await reply(id, 'first')).seq;
    const last = first + 200;
    let sent = 0;
    const write = async (): Promise<void> => {
      const { socket } = await connectAgain();
      while (sent < 200) {
        sent += 1;
        await say(socket, id, `message ${sent}`);
      }
    };
    const read = async (after: number): Promise<number[]> => {
      const { socket } = await connectAgain();
      await until(async () => sent >= after);
      await socket.subscribe(id, first);
      await socket.next('message', ({ message }) => message.seq === last);
      const numbers = numbersOf(socket, id);
      socket.cut();
      return numbers;
    };
    const readers = Array.from({ length: 20 }, (_, index) => read(index * 10));
    await Promise.all([write(), write(), write(), write()]);
    for (const numbers of await Promise.all(readers)) expect(numbers).toEqual(upTo(last, first + 1));
  });
});

const TOO_SLOW = Buffer.from([4002 >> 8, 4002 & 255]);

/** A visitor's raw socket, which can stop reading. */
async function openByHand(token: string, key: string) {
  const { hostname, port } = new URL(app.url);
  const line = connect(Number(port), hostname);
  line.write(
    `GET /widget/socket?site=${site.publicKey} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n` +
      'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(line, 'data');
  const tell = async (frame: object, answer: string): Promise<void> => {
    const body = Buffer.from(JSON.stringify(frame));
    const head = Buffer.from([0x81, 0x80 | 126, body.length >> 8, body.length & 255, 0, 0, 0, 0]);
    line.write(Buffer.concat([head, body]));
    for (let heard = ''; !heard.includes(answer); ) heard += String((await once(line, 'data'))[0]);
  };
  await tell({ type: 'hello', token, key }, '"welcome"');
  return { line, tell };
}

describe('a client that reads slowly', () => {
  it('gets a long chat completely, at its own pace', async () => {
    const { socket, id } = await openTalk();
    const first = numbersOf(socket, id).length;
    const count = 300;
    // A few at a time: all at once would exceed the time limit for a database connection.
    const together = 6;
    for (let sent = 0; sent < count; sent += together)
      await Promise.all(Array.from({ length: together }, () => reply(id, '語'.repeat(4_000))));
    await socket.next('message', ({ message }) => message.seq === first + count);
    // More than the limit of unsent bytes for one client.
    socket.frames.length = 0;
    await socket.subscribe(id, 0);
    await socket.next('message', ({ message }) => message.seq === first + count);
    expect(numbersOf(socket, id)).toEqual(upTo(first + count));
    expect(socket.closed).toBeUndefined();
  });

  it('or not at all is disconnected, and its unread frames are dropped', async () => {
    const { id, welcome } = await openTalk();
    const { line, tell } = await openByHand(welcome.token, welcome.visitor.key);
    await tell({ type: 'subscribe', id: 1, session_id: id, after_seq: 1_000 }, '"done":true');
    line.pause();
    const name = 'x'.repeat(64 * 1024);
    const count = 400;
    const frame = { type: 'typing', session_id: id, from: 'agent', name, typing: true } as const;
    for (let sent = 0; sent < count; sent++) app.app.live.hub.pass(site.site.id, id, frame);
    let bytes = 0;
    line.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.includes(TOO_SLOW)) line.end();
    });
    line.resume();
    await once(line, 'close');
    expect(bytes).toBeLessThan((count * name.length) / 2);
  });
});
