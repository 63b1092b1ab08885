import type { Session, TicketSummary } from '@foyer/protocol';
import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../../../language.ts';
import { turnLook, turnOfChat, turnOfTicket, turnWords } from './turn.ts';

beforeAll(() => speak('en'));

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const before = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();
const chat = (change: Partial<Session>): Session =>
  ({
    status: 'active',
    closes_utc: null,
    unanswered_since_utc: null,
    last_message: null,
    ...change,
  }) as Session;
const ticket = (change: Partial<TicketSummary>): TicketSummary =>
  ({ status: 'open', unanswered_since_utc: null, replied_utc: null, ...change }) as TicketSummary;
const said = (turn: ReturnType<typeof turnOfChat>): string | undefined => turn && turnWords(turn, NOW);

test('a row shows that the customer waits, since their first unanswered message', () => {
  expect(said(turnOfChat(chat({ unanswered_since_utc: before(47) })))).toBe('Waiting 47 min');
  expect(said(turnOfChat(chat({ unanswered_since_utc: before(0) })))).toBe('Waiting');
  expect(said(turnOfTicket(ticket({ status: 'new', unanswered_since_utc: before(180) })))).toBe(
    'Waiting 3 h',
  );
});

test('a row shows when the team replied, if the customer has not answered since', () => {
  const last_message = { sender: 'agent', text: 'Hi', created_utc: before(120) } as const;
  expect(said(turnOfChat(chat({ last_message })))).toBe('Replied 2 h ago');
  expect(said(turnOfTicket(ticket({ status: 'pending', replied_utc: before(120) })))).toBe('Replied 2 h ago');
});

test('it is nobody’s turn if the bot answers, if it is over, and if the team waits for somebody else', () => {
  const unanswered_since_utc = before(5);
  expect(turnOfChat(chat({ status: 'bot', unanswered_since_utc }))).toBeUndefined();
  expect(turnOfChat(chat({ status: 'closed', unanswered_since_utc }))).toBeUndefined();
  expect(turnOfChat(chat({ closes_utc: before(0), unanswered_since_utc }))).toBeUndefined();
  for (const status of ['pending', 'hold', 'solved', 'closed'] as const)
    expect(turnOfTicket(ticket({ status, unanswered_since_utc }))).toBeUndefined();
});

test('a wait stands out more the longer it lasts, and sooner in a chat than in a ticket', () => {
  const look = (minutes: number, of: 'chat' | 'ticket'): string =>
    turnLook({ kind: 'waiting', sinceMs: NOW - minutes * 60_000 }, of, NOW);
  expect(look(1, 'chat')).toContain('accent');
  expect(look(6, 'chat')).toContain('warn');
  expect(look(31, 'chat')).toContain('danger');
  expect(look(31, 'ticket')).toContain('accent');
  expect(look(2_000, 'ticket')).toContain('danger');
  expect(turnLook({ kind: 'replied', sinceMs: NOW }, 'chat', NOW)).toBe('text-faint');
});
