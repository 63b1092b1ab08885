import type { ClientFrame, ServerFrame } from '@foyer/protocol';
import type { SocketLike } from '@foyer/protocol/browser/line';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testSite } from '../../test/sites.ts';
import { createConnection, type Line } from './connection.ts';

class FakeSocket implements SocketLike {
  readonly sent: ClientFrame[] = [];
  isClosed = false;
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.isClosed = true;
  }
  get(frame: ServerFrame) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const NO_HOURS = { team: [], open: true, next_opening_utc: null, hours: null, mails: false };
const WELCOME: ServerFrame = {
  type: 'welcome',
  token: 't',
  visitor: { key: 'anon_1', name: null, email: null, verified: false },
  site: testSite('S'),
  pre_chat: [],
  sessions: [],
  agents_online: false,
  ...NO_HOURS,
};

const make = () => {
  const sockets: FakeSocket[] = [];
  const polls: FakeSocket[] = [];
  const browser = { isOffline: false, isBlocked: false };
  const lines: Line[] = [];
  const frames: ServerFrame[] = [];
  const refused = vi.fn();
  const onWelcome = vi.fn();
  const connection = createConnection({
    open() {
      if (browser.isBlocked) throw new Error('no socket may be opened');
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    async openPoll() {
      if (browser.isBlocked) throw new Error('the code of requests did not load');
      const poll = new FakeSocket();
      polls.push(poll);
      return poll;
    },
    isOffline: () => browser.isOffline,
    hello: () => ({ type: 'hello' }),
    onFrame(frame) {
      frames.push(frame);
      if (frame.type === 'welcome') onWelcome();
    },
    onLine: (line) => lines.push(line),
    onRefused: refused,
  });
  const latest = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };
  const greet = () => {
    latest().onopen?.();
    latest().get(WELCOME);
  };
  return { connection, sockets, polls, browser, lines, frames, latest, greet, refused, onWelcome };
};

test('it sends the hello first and is online from the welcome on', () => {
  const { connection, latest, lines } = make();
  connection.start();
  latest().onopen?.();
  expect(latest().sent).toEqual([{ type: 'hello' }]);
  expect(lines).toEqual(['connecting']);
  latest().get(WELCOME);
  expect(lines).toEqual(['connecting', 'online']);
});

test('each call gets its own answer', async () => {
  const { connection, latest, greet } = make();
  connection.start();
  greet();
  const first = connection.call('a', {});
  const second = connection.call('b', {});
  latest().get({ type: 'result', id: 2, data: 'two' });
  latest().get({ type: 'error', id: 1, error: { code: 'conflict', message: 'no', request_id: 'r' } });
  await expect(second).resolves.toBe('two');
  await expect(first).rejects.toMatchObject({ code: 'conflict' });
});

test('a call without a connection, and one whose connection breaks, fail as disconnected', async () => {
  const { connection, latest, greet } = make();
  await expect(connection.call('a', {})).rejects.toMatchObject({ code: 'disconnected' });
  connection.start();
  greet();
  const call = connection.call('a', {});
  latest().onclose?.({ code: 1006 });
  await expect(call).rejects.toMatchObject({ code: 'disconnected' });
});

test('a broken connection is restored automatically, with growing pauses', async () => {
  const { connection, latest, sockets, polls, lines, greet } = make();
  connection.start();
  greet();
  latest().onclose?.({ code: 1012 });
  expect(lines.at(-1)).toBe('connecting');
  await vi.advanceTimersByTimeAsync(500);
  expect(sockets).toHaveLength(2);
  latest().onclose?.({ code: 1006 });
  expect(lines.at(-1)).toBe('reconnecting');
  await vi.advanceTimersByTimeAsync(999);
  expect(polls).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sockets.length + polls.length).toBe(3);
});

test('a silent connection is replaced by one opened beside it, which answers first', async () => {
  const { connection, latest, sockets, lines, greet } = make();
  connection.start();
  greet();
  const call = connection.call('a', {});
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sockets).toHaveLength(2);
  expect(sockets[0]?.isClosed).toBe(false);
  const lost = expect(call).rejects.toMatchObject({ code: 'disconnected' });
  greet();
  await lost;
  expect(sockets[0]?.isClosed).toBe(true);
  // Calls that were lost with the old one can be repeated at once.
  void connection.call('b', {}).catch(() => undefined);
  expect(latest().sent.at(-1)).toMatchObject({ op: 'b' });
  expect(lines).toEqual(['connecting', 'online', 'online']);
});

test('a silent connection that recovers stays, and gets more time', async () => {
  const { connection, sockets, greet } = make();
  connection.start();
  greet();
  await vi.advanceTimersByTimeAsync(4_000);
  sockets[0]?.get({ type: 'pong' });
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(4_500);
  expect(sockets).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(500);
  expect(sockets).toHaveLength(3);
});

test('a connection that was slow three times is still checked within 8 s', async () => {
  const { connection, sockets, greet } = make();
  connection.start();
  greet();
  for (let doubt = 2; doubt <= 4; doubt++) {
    while (sockets.length < doubt) await vi.advanceTimersByTimeAsync(100);
    sockets[0]?.get({ type: 'pong' });
  }
  await vi.advanceTimersByTimeAsync(6_500);
  expect(sockets).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(5);
});

test('if nothing answers, seven more are tried beside a silent connection within 8 s, then it is lost', async () => {
  const { connection, latest, sockets, polls, lines, greet } = make();
  connection.start();
  greet();
  const silentSince = Date.now();
  while (sockets.length + polls.length < 8) {
    await vi.advanceTimersByTimeAsync(50);
    // The server accepts it, but is too busy for a welcome.
    latest().onopen?.();
  }
  expect(polls).toHaveLength(0);
  expect(sockets.some(({ isClosed }) => isClosed)).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  expect(Date.now() - silentSince).toBeLessThan(8_000);
  expect(sockets.every(({ isClosed }) => isClosed)).toBe(true);
  expect(lines.at(-1)).toBe('connecting');
});

test('a slow server is not flooded with attempts', async () => {
  const { connection, sockets, polls, lines } = make();
  connection.start();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(sockets.length + polls.length).toBe(3);
  sockets[0]?.onopen?.();
  sockets[0]?.get(WELCOME);
  expect(lines.at(-1)).toBe('online');
  expect([...sockets, ...polls].map(({ isClosed }) => isClosed)).toEqual([false, true, true]);
});

test('a connection on which the server answers is kept, and pings now and then', async () => {
  const { connection, latest, sockets, greet } = make();
  connection.start();
  greet();
  for (let beat = 0; beat < 24; beat++) {
    await vi.advanceTimersByTimeAsync(2_500);
    latest().get({ type: 'pong' });
  }
  expect(sockets).toHaveLength(1);
  expect(latest().sent.filter(({ type }) => type === 'ping').length).toBeGreaterThan(2);
});

test('waking up finds a dead connection within seconds', async () => {
  const { connection, sockets, greet } = make();
  connection.start();
  greet();
  for (let at = 0; at < 3; at++) sockets[0]?.get({ type: 'pong' });
  vi.setSystemTime(Date.now() + 3_600_000);
  connection.check();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sockets).toHaveLength(2);
});

test('without a network it is offline at once, and reconnects with it', async () => {
  const { connection, sockets, lines, browser, greet } = make();
  connection.start();
  greet();
  browser.isOffline = true;
  connection.lose();
  expect(lines.at(-1)).toBe('offline');
  connection.check();
  expect(sockets).toHaveLength(2);
  greet();
  expect(lines.at(-1)).toBe('online');
});

test('a socket that never opens is closed', async () => {
  const { connection, sockets, polls } = make();
  connection.start();
  await vi.advanceTimersByTimeAsync(30_500);
  expect(sockets[0]?.isClosed).toBe(true);
  expect(sockets.length + polls.length).toBe(5);
});

test('a token that the server refuses is reported', () => {
  const { connection, latest, refused } = make();
  connection.start();
  latest().onclose?.({ code: 4001 });
  expect(refused).toHaveBeenCalledOnce();
});

test('a refused token does not count against sockets: the next attempt uses one', async () => {
  const { connection, latest, sockets, polls } = make();
  connection.start();
  latest().onopen?.();
  latest().onclose?.({ code: 4001 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([sockets.length, polls.length]).toEqual([2, 0]);
});

test('frames of an old socket are ignored', () => {
  const { connection, sockets, frames, greet } = make();
  connection.start();
  greet();
  connection.restart();
  const before = frames.length;
  sockets[0]?.get({ type: 'availability', agents_online: true, ...NO_HOURS });
  expect(frames).toHaveLength(before);
});

test('a frame that is not JSON is ignored', () => {
  const { connection, latest, frames, greet } = make();
  connection.start();
  greet();
  latest().onmessage?.({ data: '{' });
  expect(frames).toHaveLength(1);
});

const refuse = (socket: FakeSocket | undefined) => socket?.onclose?.({ code: 1006 });
const welcome = (socket: FakeSocket | undefined) => {
  socket?.onopen?.();
  socket?.get(WELCOME);
};

/** Two sockets are refused, so that the next attempt uses requests. */
const makeRefused = async () => {
  const made = make();
  made.connection.start();
  refuse(made.sockets[0]);
  await vi.advanceTimersByTimeAsync(500);
  refuse(made.sockets[1]);
  await vi.advanceTimersByTimeAsync(1_000);
  return made;
};

test('if no socket gets through it uses requests, and later tries a socket again beside them', async () => {
  const { connection, sockets, polls, lines, frames } = await makeRefused();
  expect([sockets.length, polls.length]).toEqual([2, 1]);
  welcome(polls[0]);
  expect(lines.at(-1)).toBe('online');
  const pongs = setInterval(() => polls[0]?.get({ type: 'pong' }), 2_500);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(sockets).toHaveLength(3);
  expect(polls[0]?.isClosed).toBe(false);
  sockets[2]?.onopen?.();
  expect(sockets[2]?.sent).toEqual([{ type: 'hello' }]);
  welcome(sockets[2]);
  clearInterval(pongs);
  expect(polls[0]?.isClosed).toBe(true);
  connection.send({ type: 'ping' });
  expect(sockets[2]?.sent.at(-1)).toEqual({ type: 'ping' });
  expect(frames.filter(({ type }) => type === 'welcome')).toHaveLength(2);
});

test.each([1000, 1001, 1005, 1008])(
  'two sockets that open and are closed with %i before a welcome are enough to switch to requests',
  async (code) => {
    const { connection, sockets, polls, lines } = make();
    connection.start();
    for (const at of [0, 1]) {
      sockets[at]?.onopen?.();
      sockets[at]?.onclose?.({ code });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect([sockets.length, polls.length]).toEqual([2, 1]);
    welcome(polls[0]);
    expect(lines.at(-1)).toBe('online');
  },
);

test('closing by the server itself, or after a welcome, does not count against sockets', async () => {
  for (const code of [1011, 1012, 1013, 4008]) {
    const { connection, sockets, polls } = make();
    connection.start();
    for (const at of [0, 1, 2]) {
      sockets[at]?.onopen?.();
      sockets[at]?.onclose?.({ code });
      // The pauses grow; a socket that is left waiting would count as silently dropped.
      while (sockets.length + polls.length < at + 2) await vi.advanceTimersByTimeAsync(100);
    }
    expect(polls, String(code)).toEqual([]);
    connection.stop();
  }
  const { connection, sockets, polls } = make();
  connection.start();
  for (const at of [0, 1, 2]) {
    welcome(sockets[at]);
    sockets[at]?.onclose?.({ code: 1000 });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(polls).toEqual([]);
});

test('a socket that opens and then drops all frames counts as blocked at once', async () => {
  const { connection, sockets, polls } = make();
  connection.start();
  sockets[0]?.onopen?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect([sockets.length, polls.length]).toEqual([1, 1]);
  welcome(polls[0]);
  expect(sockets[0]?.isClosed).toBe(true);
});

test('after a socket has worked, three in a row must be dropped: the server may be busy', async () => {
  const { connection, latest, sockets, polls, greet } = make();
  connection.start();
  greet();
  latest().onclose?.({ code: 1006 });
  for (let at = 1; polls.length === 0; at++) {
    while (sockets.length + polls.length === at) await vi.advanceTimersByTimeAsync(100);
    sockets[at]?.onopen?.();
  }
  expect([sockets.length, polls.length]).toEqual([4, 1]);
});

test('if requests fail too, the server is at fault: sockets are tried again', async () => {
  const { sockets, polls } = await makeRefused();
  refuse(polls[0]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([sockets.length, polls.length]).toEqual([3, 1]);
});

test('a broken connection over requests is restored over requests', async () => {
  const { sockets, polls } = await makeRefused();
  welcome(polls[0]);
  refuse(polls[0]);
  await vi.advanceTimersByTimeAsync(500);
  expect([sockets.length, polls.length]).toEqual([2, 2]);
});

test('a call whose response is lost on a live connection fails within 45 s, so that it can be repeated', async () => {
  const { connection, latest, greet } = make();
  connection.start();
  greet();
  const call = connection.call('a', {});
  const pongs = setInterval(() => latest().get({ type: 'pong' }), 2_500);
  const lost = expect(call).rejects.toMatchObject({ code: 'disconnected' });
  await vi.advanceTimersByTimeAsync(45_000);
  clearInterval(pongs);
  await lost;
});

test('a page that goes to sleep closes its connection, and reconnects when it wakes', () => {
  const { connection, sockets, greet } = make();
  connection.start();
  greet();
  connection.rest();
  expect(sockets[0]?.isClosed).toBe(true);
  connection.check();
  expect(sockets).toHaveLength(2);
});

test('a connection that is not started is never opened', async () => {
  const { connection, sockets, lines } = make();
  const touch = () => {
    connection.check();
    connection.lose();
    connection.restart();
  };
  touch();
  expect(lines).toEqual([]);
  connection.start();
  connection.stop();
  touch();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual(['connecting', 'idle']);
  expect(sockets).toHaveLength(1);
});

test('a connection that is stopped by its welcome is not online', () => {
  const { connection, lines, greet, onWelcome } = make();
  onWelcome.mockImplementation(connection.stop);
  connection.start();
  greet();
  expect(lines).toEqual(['connecting', 'idle']);
});

test('a restart begins from the first pause, even while stopped', async () => {
  const { connection, lines, latest } = make();
  connection.start();
  refuse(latest());
  connection.stop();
  connection.restart();
  connection.start();
  refuse(latest());
  expect(lines.slice(-3)).toEqual(['idle', 'connecting', 'connecting']);
});

test('if nothing can be opened it tries again, with growing pauses', async () => {
  const { connection, sockets, polls, lines, browser } = make();
  browser.isBlocked = true;
  connection.start();
  expect(lines).toEqual(['connecting', 'connecting']);
  await vi.advanceTimersByTimeAsync(500);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lines.slice(2)).toEqual(['reconnecting', 'reconnecting']);
  browser.isBlocked = false;
  await vi.advanceTimersByTimeAsync(1_999);
  expect(sockets.length + polls.length).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sockets.length + polls.length).toBe(1);
});

test('no socket is tried after a connection over requests was stopped', async () => {
  const { connection, sockets, polls } = await makeRefused();
  welcome(polls[0]);
  connection.stop();
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect([sockets.length, polls.length]).toEqual([2, 1]);
});
