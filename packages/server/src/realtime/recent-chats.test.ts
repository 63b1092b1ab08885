import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecentChats } from './recent-chats.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a chat that came with its message is sent, unless desks have it with a later one', () => {
  const chats = new RecentChats();
  expect(chats.useOf('a', 3)).toBe('send');
  chats.sent('a', 3);
  expect([chats.useOf('a', 2), chats.useOf('a', 3), chats.useOf('a', 4), chats.useOf('b', 1)]).toEqual([
    'old',
    'send',
    'send',
    'send',
  ]);
});

test('after any other change it is loaded, as long as a statement may have read it before', () => {
  const chats = new RecentChats();
  vi.advanceTimersByTime(9_000);
  chats.changed('a');
  for (let second = 0; second < 10; second++) {
    expect(chats.useOf('a', 9)).toBe('load');
    chats.sent('a', second);
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(1);
  expect(chats.useOf('a', 9)).toBe('send');
});
