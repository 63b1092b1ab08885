import { randomUUID } from 'node:crypto';
import type { PollAnswer, ServerFrame } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
});
afterAll(() => app.close());

const read = async (response: Promise<Response>): Promise<Json> => (await response).json();
const poll = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${app.url}/widget/poll?site=${site.publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** As the widget does it: one request fetches, others send. */
class Poller {
  readonly frames: ServerFrame[] = [];
  id = '';
  closed: PollAnswer['closed'] = null;

  static async open(hello: object = {}): Promise<Poller> {
    const poller = new Poller();
    const first = { type: 'hello', key: `anon_${randomUUID()}`, ...hello };
    poller.#take(await read(poll({ poll: null, frames: [JSON.stringify(first)], wait: true })));
    return poller;
  }

  async send(...frames: object[]): Promise<void> {
    await poll({ poll: this.id, frames: frames.map((frame) => JSON.stringify(frame)), wait: false });
  }

  async next<T extends ServerFrame['type']>(type: T): Promise<Extract<ServerFrame, { type: T }>> {
    for (;;) {
      const at = this.frames.findIndex((frame) => frame.type === type);
      const [frame] = at < 0 ? [] : this.frames.splice(at, 1);
      if (frame) return frame as Extract<ServerFrame, { type: T }>;
      if (this.closed) throw new Error(`closed ${this.closed.code}`);
      this.#take(await read(poll({ poll: this.id, frames: [], wait: true })));
    }
  }

  #take(answer: PollAnswer): void {
    this.id = answer.poll;
    this.closed = answer.closed;
    this.frames.push(...answer.frames.map((frame) => JSON.parse(frame)));
  }
}

const send = (session_id: string | null, text: string, id = 1) => ({
  type: 'call',
  id,
  op: 'chat.send',
  input: { session_id, client_id: randomUUID(), text },
});

describe('a line over requests', () => {
  it('does everything that a socket does: greets, runs calls, delivers new and missed frames, in order', async () => {
    const visitor = await Poller.open();
    const welcome = await visitor.next('welcome');
    await visitor.send(send(null, 'Hello'));
    const { data } = (await visitor.next('result')) as { data: { session: { session_id: string } } };
    const id = data.session.session_id;

    const agent = await TestSocket.agent(app.url, await app.signIn(site.admin.email));
    await agent.call('sessions.accept', { session_id: id });
    await agent.subscribe(id);
    await visitor.send({ type: 'subscribe', id: 2, session_id: id, after_seq: 0 });
    await visitor.next('message');
    const text = async () => (await visitor.next('message')).message.text;
    while ((await text()) !== 'Ada joined the chat.');
    await agent.call('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'one' });
    await agent.call('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'two' });
    expect([await text(), await text()]).toEqual(['one', 'two']);
    agent.send({ type: 'typing', session_id: id, typing: true });
    expect(await visitor.next('typing')).toMatchObject({ from: 'agent', name: 'Ada' });
    await visitor.send({ type: 'typing', session_id: id, typing: true, text: 'Perhaps' }, { type: 'ping' });
    expect(await agent.next('typing')).toMatchObject({ from: 'visitor', text: 'Perhaps' });
    await visitor.next('pong');

    const back = await Poller.open({ token: welcome.token, key: welcome.visitor.key });
    expect((await back.next('welcome')).sessions.map(({ session_id }) => session_id)).toEqual([id]);
  });

  it('keeps frames while no request is open, also those of an aborted request', async () => {
    const visitor = await Poller.open();
    await visitor.next('welcome');
    const givenUp = new AbortController();
    const held = poll({ poll: visitor.id, frames: [], wait: true }, {}, givenUp.signal);
    givenUp.abort();
    await expect(held).rejects.toThrow();
    await visitor.send({ type: 'ping' });
    await visitor.next('pong');
  });

  it('asks to start over for an unknown line, and for another site’s', async () => {
    const visitor = await Poller.open();
    const other = await app.makeSite();
    const strange = await fetch(`${app.url}/widget/poll?site=${other.publicKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poll: visitor.id, frames: [], wait: true }),
    });
    expect(strange.status).toBe(404);
    expect((await poll({ poll: 'nowhere', frames: [], wait: true })).status).toBe(404);
  });

  it('refuses what a socket refuses: another page, no site, a first frame that is no hello, malformed frames', async () => {
    expect(
      (await poll({ poll: null, frames: [], wait: false }, { origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect((await poll({ poll: null, frames: 'x', wait: false })).status).toBe(400);
    const silent = await read(poll({ poll: null, frames: [JSON.stringify({ type: 'ping' })], wait: true }));
    expect(JSON.parse(silent.frames[0])).toMatchObject({ type: 'error', error: { code: 'unauthorized' } });
    const nowhere = await fetch(`${app.url}/widget/poll?site=pk_no`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poll: null, frames: [JSON.stringify({ type: 'hello' })], wait: true }),
    });
    const { frames, closed }: PollAnswer = await read(Promise.resolve(nowhere));
    expect(JSON.parse(frames[0] ?? '')).toMatchObject({ type: 'error', error: { code: 'not_found' } });
    expect(closed).toMatchObject({ code: 4001 });
    const visitor = await Poller.open();
    await poll({ poll: visitor.id, frames: ['{"type":"nothing"}'], wait: false });
    expect(await visitor.next('error')).toMatchObject({ error: { code: 'invalid_input' } });
  });
});
