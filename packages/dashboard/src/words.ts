import type { HandoffReason, MessageEvent, Session, SessionStatus } from '@foyer/protocol';
import { readSummaryLine } from '@foyer/protocol/values/summary-lines';
import { tCommon } from './t-common.ts';
import { agoInWords, lengthOf } from './times.ts';

interface Named {
  key: string | null;
  name: string | null;
  email: string | null;
}

/** The visitor's name, or address, or a placeholder that distinguishes them. */
export function visitorName(visitor: Named): string {
  if (visitor.name) return visitor.name;
  if (visitor.email) return visitor.email;
  if (visitor.key === null) return tCommon('visitor_erased');
  // The site's own key means something to the team; of a random one, the end is enough to distinguish two.
  if (!visitor.key.startsWith('anon_')) return visitor.key.replace(/^user_(?=.)/, '');
  return tCommon('visitor_unnamed', { end: visitor.key.slice(-4).toLowerCase() });
}

const names = new Intl.Collator(undefined, { numeric: true });

/** Sorts "Tag 9" before "Tag 10". */
export const byName = (one: { name: string }, other: { name: string }): number =>
  names.compare(one.name, other.name);

/** How much of a name fits into a sentence. */
const NAME_SHOWN_CHARS = 40;

/** A name within plain text: shortened, with its own text direction. */
export function nameWithin(name: string): string {
  const letters = [...name];
  const shown =
    letters.length > NAME_SHOWN_CHARS ? `${letters.slice(0, NAME_SHOWN_CHARS - 1).join('')}…` : name;
  return `\u2068${shown}\u2069`;
}

/** At most two letters, for an avatar. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [...name.trim()].slice(0, 1);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const second = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + second).toLocaleUpperCase();
}

/** A chat's status in the agent's language. */
export const statusWord = (status: SessionStatus): string => tCommon(`status_${status}`);

/** Why a chat was handed off, in the agent's language. */
export const reasonSentence = (reason: HandoffReason): string => tCommon(`reason_${reason}`);

/** A chat's state as a sentence that needs no context. */
export function stateSentence(session: Session, nowMs: number, myId: number): string {
  if (session.closes_utc) return tCommon('state_closing');
  if (session.status === 'waiting') {
    const since = session.waiting_since_utc ?? session.handoff?.created_utc ?? session.started_utc;
    const waitMs = nowMs - Date.parse(since);
    if (session.contact_email) return tCommon('state_left_email', { length: lengthOf(waitMs) });
    return waitMs < 10_000
      ? tCommon('state_waiting_now')
      : tCommon('state_waiting', { length: lengthOf(waitMs) });
  }
  if (session.status === 'bot') return tCommon('state_bot');
  if (session.status === 'active') {
    if (!session.agent) return tCommon('state_person');
    return session.agent.id === myId
      ? tCommon('state_mine')
      : tCommon('state_with', { name: session.agent.name });
  }
  const when = agoInWords(session.ended_utc ?? session.started_utc, nowMs);
  const { rating } = session;
  return rating === null
    ? tCommon('state_closed', { when })
    : tCommon('state_closed_rated', { when, rating });
}

/** A line of a message without markdown. */
export const plainText = (text: string): string =>
  text
    .replace(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>)\s/gm, '')
    .replace(/\[([^[\]]*)\]\([^)]{0,2000}\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Defaults for every line's placeholders. */
const NO_VALUES = { question: '', said: '', title: '', others: '', page: '', who: '' };

/** A line of a chat's summary in the agent's language. Lines that the server didn't write stay as they are. */
export function summaryWords(line: string): string {
  const read = readSummaryLine(line);
  return read ? tCommon(`summary_${read.name}`, { ...NO_VALUES, ...read.values }) : line;
}

/** Quoted lines of a reply, which somebody else wrote. */
const QUOTED_LINES = /^>.*$/gm;

/** What a list shows of a chat: its last message; why a waiting one waits; what a closed one was about. */
export function snippetOf(session: Session, myId: number): string {
  const { status, about, last_message: last } = session;
  if (status === 'closed' && about) return plainText(about);
  if (last?.sender !== 'visitor' && status === 'waiting' && session.handoff?.summary) {
    const lines = session.handoff.summary.split('\n');
    // In a line of 40 characters, the question says more than the reason before it.
    const asked = lines.findLast((line) => line.startsWith('“'))?.split('” – ')[0];
    return asked ? `${plainText(asked)}”` : plainText(summaryWords(lines[0] ?? ''));
  }
  if (!last) return tCommon('no_message');
  const text = plainText(last.text.replace(QUOTED_LINES, '')) || plainText(last.text);
  if (last.sender === 'bot') return tCommon('said_by_bot', { text });
  if (last.sender !== 'agent') return text;
  return tCommon(session.agent?.id === myId ? 'said_by_me' : 'said_by_team', { text });
}

/** The number of messages waiting to be read by a person. The bot's chats need nobody. */
export function unreadCount(session: Session): number {
  if (session.status !== 'waiting' && session.status !== 'active') return 0;
  const last = session.last_message?.sender;
  if (last === 'agent' || last === undefined) return 0;
  return Math.max(0, session.last_seq - session.agent_read_seq);
}

/** The text of a system message; `who` is its author. */
export function systemSentence(event: MessageEvent | null, who: string | null, text: string): string {
  switch (event) {
    case 'agent_joined':
    case 'given_back':
    case 'closed_by_agent':
      return tCommon(`event_${event}`, { name: who ?? tCommon('a_person') });
    case 'handed_off':
    case 'closed_by_visitor':
      return tCommon(`event_${event}`);
    case 'email_left':
      return text || tCommon('event_email_left');
    default:
      return text;
  }
}

/** An attribute's value as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return tCommon(value ? 'yes' : 'no');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(valueText).join(', ') : JSON.stringify(value);
}
