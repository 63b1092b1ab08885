import type { Message, Note, RoutingDecision, Sender } from '@foyer/protocol';
import { expect, test } from 'vitest';
import type { Outgoing } from '../../../live/outbox.ts';
import { timelineOf } from './timeline.ts';

const at = (minute: number, day = 10): string => new Date(2026, 2, day, 12, minute).toISOString();
const message = (seq: number, sender: Sender, minute: number, day = 10): Message => ({
  id: seq,
  seq,
  sender,
  author: null,
  text: `${seq}`,
  attachments: [],
  sources: [],
  created_utc: at(minute, day),
  client_id: `c${seq}`,
  event: null,
});
const note = (id: number, minute: number): Note => ({
  id,
  author: { id: 1, name: 'Nora' },
  text: 'note',
  mentions: [],
  created_utc: at(minute),
});
const outgoing = (client_id: string, change: Partial<Outgoing> = {}): Outgoing => ({
  client_id,
  place: 's',
  kind: 'reply',
  text: 'x',
  created_utc: at(30),
  state: 'pending',
  error: null,
  ...change,
});
const keys = (...input: Parameters<typeof timelineOf>): string[] =>
  timelineOf(...input).map((one) => one.key);

test('each day begins with its name', () => {
  expect(keys([message(1, 'visitor', 0, 9), message(2, 'visitor', 0), message(3, 'bot', 1)], [], [])).toEqual(
    ['dm1', 'm1', 'dm2', 'm2', 'm3'],
  );
});

test('notes are in order of time, and those after the last message at the end', () => {
  const messages = [message(1, 'visitor', 0), message(2, 'agent', 10)];
  expect(keys(messages, [note(2, 20), note(1, 5)], [])).toEqual(['dm1', 'm1', 'n1', 'm2', 'n2']);
});

test('consecutive messages of one author are grouped, unless some minutes or somebody else come between', () => {
  const list = [
    message(1, 'visitor', 0),
    message(2, 'visitor', 1),
    message(3, 'bot', 1),
    message(4, 'bot', 20),
  ];
  const firsts = timelineOf(list, [], []).flatMap((one) => (one.kind === 'message' ? [one.first] : []));
  expect(firsts).toEqual([true, false, true, true]);
});

test('pending messages are at the end, and only until they have arrived', () => {
  expect(keys([message(1, 'visitor', 0)], [], [outgoing('new')])).toEqual(['dm1', 'm1', 'onew']);
  expect(keys([message(1, 'agent', 0)], [], [outgoing('c1', { state: 'sent' })])).toEqual(['dm1', 'm1']);
});

test('a note that was sent is not shown twice', () => {
  expect(keys([], [], [outgoing('n', { kind: 'note', state: 'sent' })])).toEqual([]);
});

test('system messages are events', () => {
  expect(timelineOf([message(1, 'system', 0)], [], [])[1]?.kind).toBe('event');
});

test('messages of two agents in a row have two names', () => {
  const by = (id: number, seq: number): Message => ({
    ...message(seq, 'agent', 0),
    author: { id, name: `Agent ${id}`, picture_url: null },
  });
  const firsts = timelineOf([by(1, 1), by(2, 2), by(2, 3)], [], []).flatMap((one) =>
    one.kind === 'message' ? [one.first] : [],
  );
  expect(firsts).toEqual([true, true, false]);
});

test('a note of the same moment comes after its message, and of two notes the older first', () => {
  const messages = [message(1, 'visitor', 0), message(2, 'agent', 10)];
  expect(keys(messages, [note(2, 0), note(1, 0)], [])).toEqual(['dm1', 'm1', 'n1', 'n2', 'm2']);
});

test('messages exactly five minutes apart are separate, those a little closer are grouped', () => {
  const apart = (ms: number): Message => ({
    ...message(2, 'visitor', 0),
    created_utc: new Date(Date.parse(at(0)) + ms).toISOString(),
  });
  const first = (ms: number) => timelineOf([message(1, 'visitor', 0), apart(ms)], [], []).at(-1);
  expect(first(300_000)).toMatchObject({ first: true });
  expect(first(299_999)).toMatchObject({ first: false });
});

test('an assigned agent joins the chat with their first message, and not before', () => {
  const nora = { id: 7, name: 'Nora', picture_url: null };
  const given = (seq: number): Message => ({
    ...message(seq, 'system', seq),
    event: 'agent_joined',
    author: nora,
  });
  const said = (seq: number): Message => ({ ...message(seq, 'agent', seq), author: nora });
  const events = (messages: Message[], notes: Note[] = []): [string, boolean][] =>
    timelineOf(messages, notes, []).flatMap((one) =>
      one.kind === 'event' ? [[one.key, one.isAssignment] as [string, boolean]] : [],
    );
  expect(events([given(1), message(2, 'visitor', 2)])).toEqual([['m1', true]]);
  expect(events([given(1), message(2, 'visitor', 2), said(3), said(4)])).toEqual([
    ['m1', true],
    ['j3', false],
  ]);
  expect(events([given(1), said(2)]), 'one line says both').toEqual([['m1', false]]);
  const colleague = { ...said(2), author: { ...nora, id: 8 } };
  expect(events([given(1), colleague]), 'a colleague’s message').toEqual([['m1', true]]);
});

const decision = (id: number, minute: number, change: Partial<RoutingDecision> = {}): RoutingDecision => ({
  id,
  kind: 'nobody',
  agent: null,
  by: null,
  open_chats: null,
  language: 'de',
  tags: [],
  team: null,
  fell_back: false,
  created_utc: at(minute),
  ...change,
});

test('decisions of routing are in order of time, and an assignment is shown once, with its reasons', () => {
  const nora = { id: 7, name: 'Nora', picture_url: null };
  const joined: Message = { ...message(2, 'system', 5), event: 'agent_joined', author: nora };
  const reply: Message = { ...message(3, 'agent', 6), author: nora };
  const assigned = decision(2, 5, { kind: 'assigned', agent: { id: 7, name: 'Nora' }, by: 'least_busy' });
  const entries = timelineOf(
    [message(1, 'visitor', 0), joined, reply],
    [note(1, 1)],
    [],
    [decision(1, 1), assigned, decision(3, 9, { kind: 'agent_away' })],
  );
  expect(entries.map(({ key }) => key)).toEqual(['dm1', 'm1', 'n1', 'r1', 'm2', 'j3', 'm3', 'r3']);
  expect(entries.flatMap((one) => (one.kind === 'event' ? [one.decision?.id] : []))).toEqual([2, undefined]);
});

test('an assignment by a colleague has no reasons of routing', () => {
  const joined: Message = { ...message(1, 'system', 5), event: 'agent_joined' };
  const [, event] = timelineOf([joined], [], [], [decision(1, 4, { kind: 'assigned' })]);
  expect(event).toMatchObject({ kind: 'event' });
  expect(event).not.toHaveProperty('decision');
});
