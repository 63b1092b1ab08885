import type { PortalTicket } from '@foyer/protocol';

/** The state of a ticket as its requester should hear it (shared with nobody: agents see the states by name). */
export const STATUS_WORDS: Record<
  PortalTicket['status'],
  { label: string; hint: string; tone: 'ours' | 'yours' | 'done' }
> = {
  new: { label: 'We have got it', hint: 'Somebody will look at it soon.', tone: 'ours' },
  open: { label: 'We are working on it', hint: 'You will see our answer here.', tone: 'ours' },
  pending: { label: 'Waiting for your answer', hint: 'We need something from you to go on.', tone: 'yours' },
  hold: {
    label: 'Waiting for somebody else',
    hint: 'We depend on another party, and go on as soon as they answer.',
    tone: 'ours',
  },
  solved: { label: 'Solved', hint: 'If it isn’t, write below and we take it up again.', tone: 'done' },
  closed: {
    label: 'Closed',
    hint: 'If you write again, a new request begins that refers to this one.',
    tone: 'done',
  },
};

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const two = (value: number): string => String(value).padStart(2, '0');

/** `1 March 2026, 09:30 UTC`: without JavaScript nobody knows where the reader is. */
export const timeText = (at: Date): string =>
  `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;

/** `312 bytes`, `24 KB`, `1.5 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  if (kilobytes < 1023.5) return `${Math.round(kilobytes)} KB`;
  return `${Math.round((kilobytes / 1024) * 10) / 10} MB`;
}
