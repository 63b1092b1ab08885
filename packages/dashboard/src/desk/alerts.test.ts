import type { Session } from '@foyer/protocol';
import { beforeAll, expect, test } from 'vitest';
import { speak } from '../language.ts';
import { Alerts } from './alerts.ts';

beforeAll(() => speak('en'));

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const SINCE = '2026-03-10T11:59:58.000Z';
const session = (change: Partial<Session> = {}): Session => ({
  session_id: 'ses_1',
  status: 'waiting',
  agent: null,
  last_seq: 3,
  visitor_read_seq: 0,
  agent_read_seq: 0,
  waiting_since_utc: SINCE,
  contact_email: null,
  rating: null,
  last_message: { sender: 'visitor', text: 'A person, please', created_utc: SINCE },
  started_utc: SINCE,
  ended_utc: null,
  visitor: { id: 1, key: 'k', name: 'Mara', email: null, verified: false },
  tags: [],
  page_url: null,
  ticket_id: null,
  handoff: { reason: 'visitor_request', summary: '', created_utc: SINCE },
  ...change,
});
const active = (change: Partial<Session> = {}): Session =>
  session({
    status: 'active',
    waiting_since_utc: null,
    agent: { id: 7, name: 'Nora', picture_url: null },
    ...change,
  });

test('a chat that begins to wait is told once, however often it changes', () => {
  const alerts = new Alerts();
  expect(alerts.of(session(), 7, NOW, false)?.title).toBe('Mara is waiting for a person');
  expect(alerts.of(session({ last_seq: 4 }), 7, NOW, false)).toBeUndefined();
});

test('a chat that has waited for long is no news after a reconnect', () => {
  const old = session({ waiting_since_utc: '2026-03-10T11:00:00.000Z' });
  expect(new Alerts().of(old, 7, NOW, false)).toBeUndefined();
});

test('the bot’s chats make no sound', () => {
  expect(new Alerts().of(session({ status: 'bot', waiting_since_utc: null }), 7, NOW, false)).toBeUndefined();
});

test('an answer in my chat is told when I look elsewhere, not when I see it', () => {
  expect(new Alerts().of(active(), 7, NOW, true)).toBeUndefined();
  expect(new Alerts().of(active(), 7, NOW, false)?.body).toBe('A person, please');
});

test('a colleague’s chat is theirs', () => {
  expect(new Alerts().of(active(), 8, NOW, false)).toBeUndefined();
});

test('my own message is no news', () => {
  const own = active({ last_message: { sender: 'agent', text: 'Hello', created_utc: SINCE } });
  expect(new Alerts().of(own, 7, NOW, false)).toBeUndefined();
});
