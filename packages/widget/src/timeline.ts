import type { Message } from '@foyer/protocol';
import type { OutboxEntry } from './outbox.ts';

/** Messages of one author that follow each other faster than this are drawn as one group. */
const GROUP_MS = 5 * 60_000;

export type TimelineRow =
  | { type: 'day'; key: string; utc: string }
  | { type: 'message'; key: string; message: Message; isFirst: boolean }
  | { type: 'pending'; key: string; entry: OutboxEntry; isFirst: boolean };

const dayOf = (utc: string): string => new Date(utc).toDateString();

/** What stands under each other in a chat: days, messages in groups, then what is on its way. */
export const buildTimeline = (messages: Message[], pending: OutboxEntry[]): TimelineRow[] => {
  const rows: TimelineRow[] = [];
  let lastDay = '';
  const startDay = (utc: string) => {
    if (dayOf(utc) === lastDay) return;
    lastDay = dayOf(utc);
    rows.push({ type: 'day', key: `day ${lastDay}`, utc });
  };
  let before: Message | undefined;
  for (const message of messages) {
    startDay(message.created_utc);
    const isFirst = !before || !isSameGroup(before, message);
    // The key of its pending form, so that it does not flicker when it is acknowledged.
    rows.push({ type: 'message', key: message.client_id || `seq ${message.seq}`, message, isFirst });
    before = message;
  }
  const known = new Set(messages.map((message) => message.client_id));
  for (const entry of pending) {
    if (known.has(entry.client_id)) continue;
    startDay(entry.created_utc);
    const isFirst = rows.at(-1)?.type !== 'pending' && before?.sender !== 'visitor';
    rows.push({ type: 'pending', key: entry.client_id, entry, isFirst });
  }
  return rows;
};

const isSameGroup = (one: Message, other: Message): boolean =>
  one.sender === other.sender &&
  one.author?.id === other.author?.id &&
  dayOf(one.created_utc) === dayOf(other.created_utc) &&
  Date.parse(other.created_utc) - Date.parse(one.created_utc) < GROUP_MS;
