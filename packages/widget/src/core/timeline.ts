import type { Message } from '@foyer/protocol';
import type { OutboxEntry } from './outbox.ts';

/** Messages of one author within this time are grouped. */
const GROUP_MS = 5 * 60_000;

export type TimelineRow =
  | { type: 'day'; key: string; utc: string }
  | { type: 'message'; key: string; message: Message; isFirst: boolean }
  | { type: 'pending'; key: string; entry: OutboxEntry; isFirst: boolean };

const dayOf = (utc: string): string => new Date(utc).toDateString();

/**
 * The rows of a part of a chat: days, grouped messages, then pending ones.
 * @param previous the message before the part
 */
export const buildTimeline = (
  messages: readonly Message[],
  pending: readonly OutboxEntry[] = [],
  previous?: Message,
): TimelineRow[] => {
  const rows: TimelineRow[] = [];
  let lastDay = previous ? dayOf(previous.created_utc) : '';
  const startDay = (utc: string) => {
    if (dayOf(utc) === lastDay) return;
    lastDay = dayOf(utc);
    rows.push({ type: 'day', key: `day ${lastDay}`, utc });
  };
  let before = previous;
  for (const message of messages) {
    startDay(message.created_utc);
    const isFirst = !before || !isSameGroup(before, message);
    // The key of its pending row, so that it doesn't flicker when it is acknowledged.
    rows.push({ type: 'message', key: message.client_id || `seq ${message.seq}`, message, isFirst });
    before = message;
  }
  for (const entry of pending) {
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

/** Messages drawn as one unit, which costs nothing if none of them has changed. */
export const PART = 5;

export interface TimelinePart {
  key: number;
  messages: Message[];
  previous: Message | undefined;
}

export const partsOf = (count: number): number => Math.ceil(count / PART);

/** The name of an article at the message that cites it. */
export const sourceKey = (seq: number, articleId: number): string => `source ${seq} ${articleId}`;

/** The part of the message that contains the control with this name; undefined if there is none. */
export const partWith = (messages: readonly Message[], key = ''): number | undefined => {
  const seq = Number(/^source (\d+) /.exec(key)?.[1]);
  const at = messages.findIndex((message) => message.seq === seq);
  return at < 0 ? undefined : Math.floor(at / PART);
};

/** The parts from `first` to `last`. Their boundaries never move. */
export const partsBetween = (messages: readonly Message[], first: number, last: number): TimelinePart[] => {
  const parts: TimelinePart[] = [];
  for (let key = first; key <= last && key * PART < messages.length; key++) {
    const from = key * PART;
    parts.push({ key, messages: messages.slice(from, from + PART), previous: messages[from - 1] });
  }
  return parts;
};

/** Entries that haven't come back as messages: their acknowledgement may be slower than the chat itself. */
export const notYetIn = (messages: readonly Message[], pending: readonly OutboxEntry[]): OutboxEntry[] => {
  if (pending.length === 0) return [];
  const known = new Set(messages.map((message) => message.client_id));
  return pending.filter((entry) => !known.has(entry.client_id));
};
