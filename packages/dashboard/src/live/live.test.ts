import type { ClientFrame, Message, ServerFrame } from '@foyer/protocol';
import type { SocketLike } from '@foyer/protocol/browser/line';
import { CLOSE_UNAUTHORIZED, SOCKET_BEAT_MS } from '@foyer/protocol/values/socket-line';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Live, type LiveState } from './live.ts';
import { MessageLog } from './message-log.ts';

const message = (seq: number): Message => ({
  id: seq,
  seq,
  sender: 'visitor',
  author: null,
  text: `message ${seq}`,
  attachments: [],
  sources: [],
  created_utc: '2026-03-10T12:00:00.000Z',
  client_id: `c${seq}`,
  event: null,
});

class FakeSocket implements SocketLike {
  sent: ClientFrame[] = [];
  closed = false;
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }
  close(): void {
    this.closed = true;
  }
  get(frame: ServerFrame | string): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }
  ready(): void {
    this.get({ type: 'ready', agent_id: 1, online_agent_ids: [1], away_agent_ids: [] });
  }
  breaks(code = 1006): void {
    this.onclose?.({ code });
  }
  of(type: ClientFrame['type']): ClientFrame[] {
    return this.sent.filter((frame) => frame.type === type);
  }
}

function setUp() {
  const sockets: FakeSocket[] = [];
  const states: LiveState[] = [];
  const frames: ServerFrame[] = [];
  const log = new MessageLog();
  const live = new Live({
    log,
    connect: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
  });
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };
  return { live, log, sockets, states, frames, last };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('it is online once the server has greeted, not before', () => {
  const { live, last } = setUp();
  live.start();
  expect(live.state).toBe('connecting');
  last().ready();
  expect(live.state).toBe('online');
});

test('after a reconnect each chat continues after its last message, with each message once', () => {
  const { live, log, last } = setUp();
  live.start();
  live.subscribe('ses_a');
  last().ready();
  expect(last().of('subscribe')).toMatchObject([{ session_id: 'ses_a', after_seq: 0 }]);
  last().get({ type: 'message', session_id: 'ses_a', message: message(1) });
  last().get({ type: 'message', session_id: 'ses_a', message: message(2) });
  last().breaks();
  expect(live.state).toBe('offline');
  vi.advanceTimersByTime(1000);
  last().ready();
  expect(last().of('subscribe')).toMatchObject([{ session_id: 'ses_a', after_seq: 2 }]);
  for (const seq of [2, 3, 4]) last().get({ type: 'message', session_id: 'ses_a', message: message(seq) });
  expect(log.get('ses_a').map((one) => one.seq)).toEqual([1, 2, 3, 4]);
});

test('after a gap the missing messages are requested', () => {
  const { live, log, last } = setUp();
  live.start();
  last().ready();
  live.subscribe('ses_a');
  last().get({ type: 'message', session_id: 'ses_a', message: message(1) });
  last().get({ type: 'message', session_id: 'ses_a', message: message(4) });
  expect(last().of('subscribe').at(-1)).toMatchObject({ after_seq: 1 });
  expect(log.lastSeq('ses_a')).toBe(1);
});

test('a shown chat is read again from a given message, one that was left is not', () => {
  const { live, last } = setUp();
  live.start();
  last().ready();
  const leave = live.subscribe('a');
  for (const seq of [1, 2, 3]) last().get({ type: 'message', session_id: 'a', message: message(seq) });
  live.readAgain('a', 2);
  expect(last().of('subscribe').at(-1)).toMatchObject({ session_id: 'a', after_seq: 1 });
  leave();
  live.readAgain('a', 2);
  expect(last().of('subscribe')).toHaveLength(2);
});

test('a chat that is unavailable for a moment is requested again, one that does not exist is not', () => {
  const { live, last } = setUp();
  live.start();
  last().ready();
  live.subscribe('ses_a');
  const refuse = (code: 'unavailable' | 'not_found'): void => {
    const frame = last().of('subscribe').at(-1);
    if (frame?.type !== 'subscribe') throw new Error('not subscribed');
    last().get({ type: 'error', id: frame.id, error: { code, message: '', request_id: 'r' } });
    vi.advanceTimersByTime(3000);
  };
  refuse('unavailable');
  expect(last().of('subscribe')).toHaveLength(2);
  refuse('not_found');
  expect(last().of('subscribe')).toHaveLength(2);
});

test('a chat that is shown in two places is subscribed once, and unsubscribed when neither shows it', () => {
  const { live, last } = setUp();
  live.start();
  last().ready();
  const leaveFirst = live.subscribe('ses_a');
  const leaveSecond = live.subscribe('ses_a');
  expect(last().of('subscribe')).toHaveLength(1);
  leaveFirst();
  leaveFirst();
  expect(last().of('unsubscribe')).toHaveLength(0);
  leaveSecond();
  expect(last().of('unsubscribe')).toHaveLength(1);
});

test('a chat that is no longer shown is not resumed', () => {
  const { live, last } = setUp();
  live.start();
  last().ready();
  live.subscribe('ses_a')();
  last().breaks();
  vi.advanceTimersByTime(1000);
  last().ready();
  expect(last().of('subscribe')).toHaveLength(0);
});

test('a silent connection is replaced by one that answers, and everything shown is loaded again', () => {
  const { live, sockets, states, last } = setUp();
  live.start();
  live.subscribe('ses_a');
  last().ready();
  vi.advanceTimersByTime(SOCKET_BEAT_MS + 1_600);
  expect(sockets).toHaveLength(2);
  expect(live.state).toBe('online');
  last().ready();
  expect(sockets[0]?.closed).toBe(true);
  expect(states).toEqual(['online', 'offline', 'online']);
  expect(last().of('subscribe')).toMatchObject([{ session_id: 'ses_a' }]);
});

test('a connection on which nothing answers is lost', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().ready();
  vi.advanceTimersByTime(12_000);
  expect(sockets[0]?.closed).toBe(true);
  expect(live.state).toBe('offline');
});

test('a connection on which the server answers is kept', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().ready();
  for (let at = 0; at < 10; at += 1) {
    vi.advanceTimersByTime(SOCKET_BEAT_MS);
    last().get({ type: 'pong' });
  }
  expect(sockets).toHaveLength(1);
  expect(live.state).toBe('online');
});

test('a handshake that never ends is aborted', () => {
  const { live, sockets } = setUp();
  live.start();
  vi.advanceTimersByTime(31_000);
  expect(sockets[0]?.closed).toBe(true);
  expect(sockets.length).toBeGreaterThan(4);
  live.stop();
});

test('it reconnects at once when the network is back', () => {
  const { live, sockets, last } = setUp();
  live.start();
  for (let at = 0; at < 6; at += 1) {
    last().breaks();
    const tried = sockets.length;
    while (sockets.length === tried) vi.advanceTimersByTime(100);
  }
  last().breaks();
  const tried = sockets.length;
  live.wake();
  expect(sockets).toHaveLength(tried + 1);
});

test('it is offline as soon as the browser reports that the network is gone', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().ready();
  live.networkGone();
  expect(live.state).toBe('offline');
  expect(sockets[0]?.closed).toBe(true);
  live.wake();
  last().ready();
  expect(live.state).toBe('online');
});

test('a session that has ended is not tried again', () => {
  const { live, sockets, states, last } = setUp();
  live.start();
  last().ready();
  last().breaks(CLOSE_UNAUTHORIZED);
  vi.advanceTimersByTime(60_000);
  live.wake();
  expect(sockets).toHaveLength(1);
  expect(states.at(-1)).toBe('signed_out');
});

test('it reconnects if the session turns out to be valid after all', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().breaks(CLOSE_UNAUTHORIZED);
  live.again();
  vi.advanceTimersByTime(1000);
  last().ready();
  expect(sockets).toHaveLength(2);
  expect(live.state).toBe('online');
});

test('invalid frames are ignored', () => {
  const { live, frames, last } = setUp();
  live.start();
  last().ready();
  for (const text of ['not json', 'null', '42', '{"no":"type"}']) last().get(text);
  expect(frames).toHaveLength(1);
  expect(live.state).toBe('online');
});

test('after a reconnect it reports again that the page is idle', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().ready();
  live.idle(true);
  last().breaks();
  vi.advanceTimersByTime(1000);
  last().ready();
  expect(sockets[1]?.of('idle')).toEqual([{ type: 'idle', idle: true }]);
  live.idle(false);
  expect(sockets[1]?.of('idle')).toHaveLength(2);
});

test('a stopped connection stays stopped', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().ready();
  live.stop();
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
  expect(sockets[0]?.closed).toBe(true);
});

test('two signs of life at once are no proof that the line is dead', () => {
  const { live, sockets, last } = setUp();
  live.start();
  last().ready();
  live.wake();
  live.wake();
  expect(live.state).toBe('online');
  expect(sockets).toHaveLength(1);
  expect(sockets[0]?.closed).toBe(false);
});
