import type { Session, TicketSummary } from '@foyer/protocol';
import { expect, test } from 'vitest';
import { chatItem, ticketItem } from './inbox-list.ts';
import { nextUnread, placeToGo } from './walk.ts';

const read = (id: string) => chatItem({ session_id: id, status: 'bot' } as Session, [0]);
const unread = (id: string) =>
  chatItem(
    {
      session_id: id,
      status: 'active',
      last_message: { sender: 'visitor' },
      last_seq: 2,
      agent_read_seq: 1,
    } as Session,
    [0],
  );
const items = [read('a'), unread('b'), read('c'), unread('d')];

test('moving goes down and up the list from the open row, and begins at the top', () => {
  expect(placeToGo(items, 'b', { key: 'b', at: 1 }, 1)).toBe(2);
  expect(placeToGo(items, 'b', { key: 'b', at: 1 }, -1)).toBe(0);
  expect(placeToGo(items, undefined, { key: undefined, at: 0 }, 1)).toBe(0);
  expect(placeToGo(items, 'elsewhere', { key: 'b', at: 2 }, 1)).toBe(0);
});

test('if the open row has left the list, the row in its place is the next', () => {
  const closed = { key: 'closed', at: 2 };
  expect(placeToGo(items, 'closed', closed, 1)).toBe(2);
  expect(placeToGo(items, 'closed', closed, -1)).toBe(1);
  expect(placeToGo(items, 'closed', { key: 'closed', at: 4 }, 1)).toBe(3);
  expect(placeToGo([], 'closed', closed, 1)).toBe(-1);
});

test('the next unread row is the first below, or else the first from the top', () => {
  expect(nextUnread(items, 'b')).toBe(3);
  expect(nextUnread(items, 'd')).toBe(1);
  expect(nextUnread(items, undefined)).toBe(1);
  expect(nextUnread([read('a'), unread('b')], 'b')).toBe(-1);
});

test('the server decides whether a ticket is unread; a chat is also unread if it was marked so', () => {
  const ticket = (unread: boolean) => ticketItem({ id: 1, status: 'new', unread } as TicketSummary, [0]);
  const marked = chatItem({ session_id: 'm', status: 'closed', marked_unread: true } as Session, [0]);
  expect(nextUnread([ticket(false), ticket(true)], undefined)).toBe(1);
  expect(nextUnread([read('a'), marked], 'a')).toBe(1);
});
