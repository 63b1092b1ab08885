import type { Message, TeamFace, VisitorSession } from '@foyer/protocol';
import { expect, test } from 'vitest';
import { testSite } from '../../test/sites.ts';
import {
  type ConversationEvent,
  initialState,
  lastSeq,
  reduce,
  unreadInAll,
  unreadOf,
} from './conversation.ts';
import type { OutboxEntry } from './outbox.ts';
import { asksForRating } from './survey.ts';
import { buildTimeline, notYetIn, PART, partsBetween, partsOf } from './timeline.ts';

const SESSION = 'ses_aaaaaaaaaaaaaaaaaaaaaa';
const OTHER = 'ses_bbbbbbbbbbbbbbbbbbbbbb';

const message = (seq: number, sender: Message['sender'] = 'bot', clientId = `c${seq}`): Message => ({
  id: seq,
  seq,
  sender,
  author: null,
  text: `message ${seq}`,
  attachments: [],
  sources: [],
  created_utc: `2026-01-01T10:0${seq}:00.000Z`,
  client_id: clientId,
  event: null,
});
const session = (id: string, fields: Partial<VisitorSession> = {}): VisitorSession => ({
  session_id: id,
  status: 'bot',
  agent: null,
  last_seq: 0,
  visitor_read_seq: 0,
  agent_read_seq: 0,
  waiting_since_utc: null,
  rating_requested: false,
  contact_email: null,
  rating: null,
  last_message: null,
  started_utc: '2026-01-01T10:00:00.000Z',
  ended_utc: null,
  ...fields,
});
const welcome = (key: string, sessions: VisitorSession[]): ConversationEvent => ({
  type: 'welcome',
  token: 't',
  visitor: { key, name: null, email: null, verified: false },
  site: testSite('Shop'),
  pre_chat: [],
  sessions,
  agents_online: true,
  team: [],
  open: true,
  next_opening_utc: null,
  hours: null,
  mails: false,
});
const entry = (clientId: string, chat: string): OutboxEntry => ({
  client_id: clientId,
  chat,
  session_id: null,
  kind: 'message',
  text: 'hi',
  page_url: '',
  created_utc: '2026-01-01T10:00:00.000Z',
});
const play = (...events: ConversationEvent[]) => events.reduce(reduce, initialState);
const got = (seq: number, sender?: Message['sender'], clientId?: string): ConversationEvent => ({
  type: 'message',
  session_id: SESSION,
  message: message(seq, sender, clientId),
});

test('the survey follows the chats that the site chose, and a rating stays', () => {
  const survey = { scale: 'stars', question: '', thanks: '' } as const;
  const asked = (
    ask: 'always' | 'after_team' | 'after_bot' | 'never',
    agent: boolean,
    rating: number | null = null,
    rating_requested = false,
  ) =>
    asksForRating(
      { survey: { ...survey, ask } },
      { rating, rating_requested, agent: agent ? { id: 1, name: 'Ada', picture_url: null } : null },
    );
  expect([asked('always', true), asked('always', false)]).toEqual([true, true]);
  expect([asked('after_team', true), asked('after_team', false)]).toEqual([true, false]);
  expect([asked('after_bot', true), asked('after_bot', false)]).toEqual([false, true]);
  expect([asked('never', true), asked('never', false)]).toEqual([false, false]);
  expect(asked('never', true, 4)).toBe(true);
  expect(asked('never', false, null, true)).toBe(true);
});

test('messages that arrive twice or late are shown once, in order', () => {
  const state = play(welcome('anon_1', [session(SESSION)]), got(2), got(1), got(2), got(3), got(1));
  expect(state.messages[SESSION]?.map((one) => one.seq)).toEqual([1, 2, 3]);
  expect(lastSeq(state, SESSION)).toBe(3);
});

test('a message that was redacted replaces the one that is shown', () => {
  const redacted = { ...message(1), text: '[redacted]' };
  const state = play(welcome('anon_1', [session(SESSION)]), got(1), got(2), {
    type: 'message',
    session_id: SESSION,
    message: redacted,
  });
  expect(state.messages[SESSION]).toEqual([redacted, message(2)]);
});

test('only unseen messages of bot and agents count as unread', () => {
  const state = play(
    welcome('anon_1', [session(SESSION, { visitor_read_seq: 1 })]),
    got(1, 'bot'),
    got(2, 'visitor'),
    got(3, 'agent'),
    got(4, 'system'),
    got(5, 'bot'),
  );
  expect(unreadOf(state, SESSION)).toBe(2);
  expect(unreadInAll(reduce(state, { type: 'read', session_id: SESSION, seq: 3 }))).toBe(1);
});

test('a session frame that was on its way does not mark read messages as unread', () => {
  const state = play(
    welcome('anon_1', [session(SESSION)]),
    got(1),
    { type: 'read', session_id: SESSION, seq: 1 },
    { type: 'session', session: session(SESSION, { visitor_read_seq: 0 }) },
  );
  expect(unreadOf(state, SESSION)).toBe(0);
});

test('the open chat gets its session id when its first message creates the session', () => {
  const state = play(
    welcome('anon_1', []),
    { type: 'view', view: { name: 'chat', chat: 'new:1' } },
    { type: 'pending', isFleeting: false, entries: [entry('c1', 'new:1'), entry('c9', 'new:1')] },
    got(1, 'visitor', 'c1'),
  );
  expect(state.view).toEqual({ name: 'chat', chat: SESSION, openedAs: 'new:1' });
  expect(state.pending.map((one) => [one.client_id, one.chat])).toEqual([['c9', SESSION]]);
});

test('moving a chat does not change another open chat', () => {
  const state = play(
    { type: 'view', view: { name: 'chat', chat: OTHER } },
    { type: 'moved', chat: 'new:1', session_id: SESSION },
  );
  expect(state.view).toEqual({ name: 'chat', chat: OTHER, openedAs: OTHER });
});

test('typing ends with the message or with time, but not with somebody else’s message', () => {
  const typing: ConversationEvent = {
    type: 'typing',
    session_id: SESSION,
    from: 'agent',
    name: 'Maya',
    typing: true,
    now: 1000,
  };
  const state = play(welcome('anon_1', [session(SESSION)]), typing);
  expect(reduce(state, got(1, 'visitor')).typing[SESSION]?.name).toBe('Maya');
  expect(reduce(state, got(1, 'agent')).typing).toEqual({});
  expect(reduce(state, { type: 'tick', now: 5000 }).typing[SESSION]).toBeDefined();
  expect(reduce(state, { type: 'tick', now: 60_000 }).typing).toEqual({});
});

test('the bot’s typing ends with the handoff, even if it still writes', () => {
  const answering: ConversationEvent = { type: 'answering', session_id: SESSION, text: 'Del', now: 1000 };
  const state = play(welcome('anon_1', [session(SESSION)]), answering);
  expect(state.typing[SESSION]?.from).toBe('bot');
  const called = reduce(state, { type: 'session', session: session(SESSION, { status: 'waiting' }) });
  expect(called.typing).toEqual({});
  expect(reduce(called, answering).typing).toEqual({});
});

test('the visitor’s own typing is not shown to them', () => {
  const state = play({
    type: 'typing',
    session_id: SESSION,
    from: 'visitor',
    name: null,
    typing: true,
    now: 0,
  });
  expect(state.typing).toEqual({});
});

test('another visitor sees nothing of the previous one', () => {
  const state = play(
    welcome('42', [session(SESSION)]),
    got(1),
    { type: 'view', view: { name: 'chat', chat: SESSION } },
    welcome('43', [session(OTHER)]),
  );
  expect(Object.keys(state.sessions)).toEqual([OTHER]);
  expect(state.messages).toEqual({});
  expect(state.view).toEqual({ name: 'home' });
});

test('a reset forgets the chats and keeps the site', () => {
  const state = play(welcome('42', [session(SESSION)]), got(1), { type: 'forget' });
  expect(state.sessions).toEqual({});
  expect(state.site?.name).toBe('Shop');
});

test('the timeline has a row for each day, groups one author’s messages, and puts pending ones last', () => {
  const next = { ...message(3), created_utc: '2026-01-03T10:00:00.000Z' };
  const messages = [message(1), message(2), next];
  const waits = notYetIn(messages, [entry('c2', SESSION), entry('c7', SESSION)]);
  const rows = buildTimeline(messages, waits);
  expect(rows.map((row) => row.type)).toEqual([
    'day',
    'message',
    'message',
    'day',
    'message',
    'day',
    'pending',
  ]);
  const firsts = rows.flatMap((row) => (row.type === 'message' ? [row.isFirst] : []));
  expect(firsts).toEqual([true, false, true]);
});

test('a long chat in parts has the same rows as in one', () => {
  const long = Array.from({ length: 130 }, (_, index) => message(index + 1));
  const rows = partsBetween(long, 0, partsOf(130)).flatMap(({ messages, previous }) =>
    buildTimeline(messages, [], previous),
  );
  expect(rows).toEqual(buildTimeline(long));
  expect(partsBetween(long, 8, 11).flatMap(({ messages }) => messages)).toEqual(
    long.slice(8 * PART, 12 * PART),
  );
});

test('a message to the team is delivered once somebody is online, and stays so when they leave', () => {
  const waiting = { ...session(SESSION), status: 'waiting' as const };
  const nobody = {
    type: 'availability',
    agents_online: false,
    team: [] as TeamFace[],
    open: true,
    next_opening_utc: null,
    hours: null,
    mails: false,
  } as const;
  const greeting = welcome('42', [waiting]);
  if (greeting.type !== 'welcome') throw new Error('no welcome');
  const before = play({ ...greeting, agents_online: false }, got(1));
  expect(before.delivered).toEqual({});
  const there = reduce(before, { ...nobody, agents_online: true });
  expect(there.delivered).toEqual({ [SESSION]: 1 });
  expect(reduce(reduce(there, nobody), got(2)).delivered).toEqual({ [SESSION]: 1 });
});
