import type { HandoffReason, MessageEvent, Session, SessionStatus, WebhookEvent } from '@foyer/protocol';
import { ago, lengthOf } from './times.ts';

interface Named {
  key: string | null;
  name: string | null;
  email: string | null;
}

/** The visitor's name, else the address, else a stand-in that tells one from another. */
export function visitorName(visitor: Named): string {
  if (visitor.name) return visitor.name;
  if (visitor.email) return visitor.email;
  if (visitor.key === null) return 'Erased visitor';
  // The site's own key means something to the team; the end of a random one only tells two apart.
  if (!visitor.key.startsWith('anon_')) return visitor.key.replace(/^user_(?=.)/, '');
  return `Visitor ${visitor.key.slice(-4).toLowerCase()}`;
}

/** Two letters at most, for the round picture of a person. */
export function initials(name: string): string {
  const words = name.split(/[\s@._-]+/u).filter(Boolean);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const second = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + second).toLocaleUpperCase();
}

export const STATUS_WORDS: Record<SessionStatus, string> = {
  bot: 'With the bot',
  waiting: 'Waiting',
  active: 'Active',
  closed: 'Closed',
};

export const REASON_WORDS: Record<HandoffReason, string> = {
  visitor_request: 'The visitor asked for a person.',
  low_confidence: 'The bot was not sure of its answer.',
  no_answer: 'The bot had no answer, twice.',
  agent_takeover: 'A person of the team took the chat over.',
  rule: 'A rule of this site hands such chats to a person.',
};

/** A chat's state as a sentence that needs no context. */
export function stateSentence(session: Session, nowMs: number, myId: number): string {
  if (session.status === 'waiting') {
    const since = session.waiting_since_utc ?? session.handoff?.created_utc ?? session.started_utc;
    const wait = lengthOf(nowMs - Date.parse(since));
    if (session.contact_email) return `left an e-mail address ${wait} ago`;
    return /^\d s$/.test(wait) ? 'waiting for a person' : `waiting ${wait} for a person`;
  }
  if (session.status === 'bot') return 'talking with the bot';
  if (session.status === 'active') {
    if (!session.agent) return 'with a person';
    return session.agent.id === myId ? 'with you' : `with ${session.agent.name}`;
  }
  const rated = session.rating === null ? '' : `, rated ${session.rating} of 5`;
  const closed = ago(session.ended_utc ?? session.started_utc, nowMs);
  return closed === 'now' ? `closed just now${rated}` : `closed ${closed} ago${rated}`;
}

/** A line of a message without the marks of its markdown. */
export const plainText = (text: string): string =>
  text
    .replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What a list shows of a chat: its last words; of one that waits, why. */
export function snippetOf(session: Session, myId: number): string {
  const last = session.last_message;
  if (!last) return 'No message yet';
  if (last.sender === 'system' && session.status === 'waiting' && session.handoff?.summary) {
    const lines = session.handoff.summary.split('\n');
    // In a line of 40 characters the question itself says more than the reason before it.
    const asked = lines.findLast((line) => line.startsWith('“'))?.split('” – ')[0];
    return asked ? `${plainText(asked)}”` : plainText(lines[0] ?? '');
  }
  const own = session.agent?.id === myId ? 'You: ' : 'Team: ';
  const by = { visitor: '', bot: 'Bot: ', agent: own, system: '' }[last.sender];
  return by + plainText(last.text);
}

/** Messages that wait for a person to read them; the bot's chats need nobody. */
export function unreadCount(session: Session): number {
  if (session.status !== 'waiting' && session.status !== 'active') return 0;
  const last = session.last_message?.sender;
  if (last === 'agent' || last === undefined) return 0;
  return Math.max(0, session.last_seq - session.agent_read_seq);
}

/** What a system message says; `who` is its author. */
export function systemSentence(event: MessageEvent | null, who: string | null, text: string): string {
  switch (event) {
    case 'handed_off':
      return 'The bot handed the chat to the team';
    case 'agent_joined':
      return `${who ?? 'A person'} joined the chat`;
    case 'given_back':
      return `${who ?? 'A person'} gave the chat back to the bot`;
    case 'email_left':
      return text || 'The visitor left an e-mail address';
    case 'closed_by_visitor':
      return 'The visitor ended the chat';
    case 'closed_by_agent':
      return `${who ?? 'A person'} closed the chat`;
    default:
      return text;
  }
}

export const EVENT_WORDS: Record<WebhookEvent, string> = {
  handoff: 'A chat is handed to a person',
  feedback: 'A visitor rates a chat',
  conversation_started: 'A chat starts',
  conversation_closed: 'A chat is closed',
  message_created: 'A message is written',
  ticket_created: 'A ticket is made',
  ticket_updated: 'A ticket changes',
  ticket_replied: 'A ticket is answered',
  visitor_identified: 'A visitor says who they are',
  segment_entered: 'A visitor comes into a segment',
  segment_left: 'A visitor leaves a segment',
  ping: 'A test from this page',
};

/** `1 article`, `2 articles`; the plural only where it is irregular. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;

/** An attribute's value as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return JSON.stringify(value);
}
