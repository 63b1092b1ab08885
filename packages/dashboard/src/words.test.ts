import type { Session } from '@foyer/protocol';
import { beforeAll, expect, test } from 'vitest';
import { speak } from './language.ts';
import {
  initials,
  nameWithin,
  plainText,
  snippetOf,
  stateSentence,
  summaryWords,
  systemSentence,
  unreadCount,
  visitorName,
} from './words.ts';

beforeAll(() => speak('en'));

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const session = (change: Partial<Session>): Session => ({
  session_id: 'ses_0000000000000000000000',
  status: 'waiting',
  agent: null,
  last_seq: 4,
  visitor_read_seq: 0,
  agent_read_seq: 1,
  waiting_since_utc: '2026-03-10T11:57:30.000Z',
  contact_email: null,
  rating: null,
  rating_requested: false,
  sla: null,
  last_message: { sender: 'visitor', text: 'Hello', created_utc: '2026-03-10T11:57:30.000Z' },
  started_utc: '2026-03-10T11:50:00.000Z',
  ended_utc: null,
  visitor: { id: 1, key: 'anon_abc4F2a', name: null, email: null, verified: false },
  team: null,
  fields: {},
  tags: [],
  page_url: null,
  ticket_id: null,
  closes_utc: null,
  snoozed_until_utc: null,
  spam: null,
  about: null,
  unanswered_since_utc: null,
  marked_unread: false,
  handoff: null,
  ...change,
});

test('a visitor without a name has the address or a friendly placeholder', () => {
  expect(visitorName({ key: 'anon_abc4F2a', name: null, email: null })).toBe('Visitor 4f2a');
  expect(visitorName({ key: 'u', name: null, email: 'mara@example.com' })).toBe('mara@example.com');
  expect(visitorName({ key: 'u', name: 'Mara', email: 'mara@example.com' })).toBe('Mara');
  expect(visitorName({ key: 'user_K-1204', name: null, email: null })).toBe('K-1204');
  expect(visitorName({ key: 'crm:77', name: null, email: null })).toBe('crm:77');
  expect(visitorName({ key: null, name: null, email: null })).toBe('Erased visitor');
});

test('states are sentences', () => {
  expect(stateSentence(session({}), NOW, 1)).toBe('Waiting 2 min');
  expect(stateSentence(session({ status: 'bot' }), NOW, 1)).toBe('With the bot');
  const agent = { id: 1, name: 'Nora', picture_url: null };
  expect(stateSentence(session({ status: 'active', agent }), NOW, 1)).toBe('With you');
  expect(stateSentence(session({ status: 'active', agent }), NOW, 2)).toBe('With Nora');
  const ended = { status: 'closed', ended_utc: '2026-03-10T09:00:00.000Z', rating: 4 } as const;
  expect(stateSentence(session(ended), NOW, 1)).toBe('Closed 3 h ago, rated 4 of 5');
});

test('only chats that need a person count unread messages', () => {
  expect(unreadCount(session({}))).toBe(3);
  expect(unreadCount(session({ status: 'bot' }))).toBe(0);
  expect(unreadCount(session({ status: 'closed' }))).toBe(0);
  expect(unreadCount(session({ agent_read_seq: 9 }))).toBe(0);
});

test('after an agent’s own answer nothing is unread', () => {
  const last_message = { sender: 'agent', text: 'Hi', created_utc: '2026-03-10T11:58:00.000Z' } as const;
  expect(unreadCount(session({ status: 'active', last_message }))).toBe(0);
});

test('a list shows the last message, without markdown syntax', () => {
  expect(plainText('- **iDEAL** and `cards`\n- [more](https://a.example)')).toBe('iDEAL and cards more');
  const said = { sender: 'bot', text: '1. Go **there**', created_utc: '2026-03-10T11:58:00.000Z' } as const;
  expect(snippetOf(session({ status: 'bot', last_message: said }), 1)).toBe('Bot: Go there');
  const quoting = { ...said, sender: 'agent' as const, text: '> Is it red?\n\nIt is.' };
  expect(snippetOf(session({ status: 'active', last_message: quoting }), 1)).toBe('Team: It is.');
});

test('for a waiting chat a list shows the reason', () => {
  const last_message = {
    sender: 'bot',
    text: 'I’m asking a person',
    created_utc: '2026-03-10T11:58:00.000Z',
  } as const;
  const handoff = {
    reason: 'no_answer',
    summary: 'Asked for a refund.',
    created_utc: '2026-03-10T11:58:00.000Z',
  } as const;
  expect(snippetOf(session({ last_message, handoff }), 1)).toBe('Asked for a refund.');
  const asked = {
    ...handoff,
    summary: 'A rule.\n“Is it red?” – the bot didn’t know.\n“Where is my lamp?” – no answer yet.\nAda',
  };
  expect(snippetOf(session({ last_message, handoff: asked }), 1)).toBe('“Where is my lamp?”');
});

test('for a closed chat a list shows its subject, or else the last message', () => {
  const about = 'Where is my **lamp**?';
  expect(snippetOf(session({ status: 'closed', about }), 1)).toBe('Where is my lamp?');
  expect(snippetOf(session({ status: 'active', about }), 1)).toBe('Hello');
  expect(snippetOf(session({ status: 'closed' }), 1)).toBe('Hello');
});

test('initials work for addresses and for other scripts', () => {
  expect(initials('Mara Lind')).toBe('ML');
  expect(initials('mara@example.com')).toBe('MC');
  expect(initials('ليلى حسن')).toBe('لح');
  expect(initials('<b>Ada</b> (Acme)')).toBe('BA');
  expect(initials('🎉 party')).toBe('P');
  expect(initials('🎉')).toBe('🎉');
  expect(initials('')).toBe('?');
});

test('a long name in a sentence is truncated and keeps its own direction', () => {
  expect(nameWithin('ליאה')).toBe('\u2068ליאה\u2069');
  expect(nameWithin('x'.repeat(200))).toBe(`\u2068${'x'.repeat(39)}…\u2069`);
});

test('system events are shown as sentences', () => {
  expect(systemSentence('agent_joined', 'Nora', '')).toBe('Nora joined the chat');
  expect(systemSentence('closed_by_visitor', null, '')).toBe('The visitor ended the chat');
  expect(systemSentence(null, null, 'As it is')).toBe('As it is');
});

test('a German desk translates a summary, and leaves quoted words and a model’s text as they are', async () => {
  await speak('de');
  expect(summaryWords('“Is it dimmable?” – the bot didn’t know.')).toBe(
    '“Is it dimmable?” – der Bot wusste es nicht.',
  );
  expect(summaryWords('Mira, mira@example.com, on example.com/lamps')).toBe(
    'Mira, mira@example.com, auf example.com/lamps',
  );
  expect(summaryWords('The customer wants a refund.')).toBe('The customer wants a refund.');
  await speak('en');
});
