import type { Message } from '@foyer/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const seqs = (log: MessageLog, id = 's'): number[] => log.get(id).map((one) => one.seq);

test('messages are kept in order and each once', () => {
  const log = new MessageLog();
  expect([1, 2, 2, 1, 3].map((seq) => log.receive('s', message(seq)))).toEqual([
    'added',
    'added',
    'known',
    'known',
    'added',
  ]);
  expect(seqs(log)).toEqual([1, 2, 3]);
  expect(log.lastSeq('s')).toBe(3);
});

test('a message that is received again updates the links to its files, and keeps its place', () => {
  const log = new MessageLog();
  const file = { id: 1, name: 'lamp.png', size: 3, content_type: 'image/png', image: null };
  const withLink = (url: string): Message => ({ ...message(1), attachments: [{ ...file, url }] });
  log.receive('s', withLink('ended'));
  log.receive('s', message(2));
  expect(log.receive('s', withLink('good'))).toBe('known');
  expect(seqs(log)).toEqual([1, 2]);
  expect(log.get('s')[0]?.attachments[0]?.url).toBe('good');
});

test('a message that was redacted replaces the one that is known', () => {
  const log = new MessageLog();
  for (const seq of [1, 2]) log.receive('s', message(seq));
  expect(log.receive('s', { ...message(1), text: '[redacted]' })).toBe('known');
  expect(seqs(log)).toEqual([1, 2]);
  expect(log.get('s')[0]?.text).toBe('[redacted]');
});

test('a message after a gap is not added, so that nothing is shown out of order', () => {
  const log = new MessageLog();
  log.receive('s', message(1));
  expect(log.receive('s', message(3))).toBe('gap');
  expect(seqs(log)).toEqual([1]);
});

test('chats do not mix', () => {
  const log = new MessageLog();
  log.receive('a', message(1));
  expect(seqs(log, 'b')).toEqual([]);
  expect(log.lastSeq('b')).toBe(0);
});

test('a subscriber is notified of a change, and of nothing else', () => {
  const log = new MessageLog();
  const listener = vi.fn();
  const stop = log.subscribe('s', listener);
  log.receive('s', message(1));
  vi.runAllTimers();
  log.receive('s', message(1));
  log.receive('other', message(1));
  vi.runAllTimers();
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  log.receive('s', message(2));
  vi.runAllTimers();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a burst of messages notifies at its beginning and once more at its end', () => {
  const log = new MessageLog();
  const seen: number[] = [];
  log.subscribe('s', () => seen.push(log.lastSeq('s')));
  for (let seq = 1; seq <= 500; seq += 1) log.receive('s', message(seq));
  vi.runAllTimers();
  expect(seen).toEqual([1, 500]);
});

test('the same state is the same object, a changed one another', () => {
  const log = new MessageLog();
  expect(log.get('s')).toBe(log.get('s'));
  const before = log.get('s');
  log.receive('s', message(1));
  expect(log.get('s')).not.toBe(before);
});

test('chats that nobody looks at are dropped in the end, open ones are kept', () => {
  const log = new MessageLog();
  log.subscribe('open', () => {});
  log.receive('open', message(1));
  for (let at = 0; at < 100; at += 1) log.receive(`chat ${at}`, message(1));
  expect(seqs(log, 'open')).toEqual([1]);
  expect(seqs(log, 'chat 0')).toEqual([]);
  expect(seqs(log, 'chat 99')).toEqual([1]);
});
