import type { Session, SessionDetail, TicketSummary } from '@foyer/protocol';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { foundQuery, queueTicketsQuery, sessionQuery, sessionsQuery } from '../queries.ts';
import {
  applyNote,
  applySession,
  applyTicket,
  belongs,
  type SessionPages,
  withSession,
} from './session-lists.ts';

const session = (session_id: string, change: Partial<Session> = {}): Session => ({
  session_id,
  status: 'waiting',
  agent: null,
  last_seq: 1,
  visitor_read_seq: 0,
  agent_read_seq: 0,
  waiting_since_utc: null,
  rating_requested: false,
  sla: null,
  contact_email: null,
  rating: null,
  last_message: null,
  started_utc: '2026-03-10T11:50:00.000Z',
  ended_utc: null,
  visitor: { id: 1, key: 'k', name: null, email: null, verified: false },
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
const pages = (...lists: string[][]): SessionPages => ({
  pageParams: lists.map(() => ''),
  pages: lists.map((ids) => ({ items: ids.map((id) => session(id)), next_cursor: null })),
});
const ids = (data: SessionPages | undefined): string[][] | undefined =>
  data?.pages.map((page) => page.items.map((one) => one.session_id));
const detail = (): SessionDetail => ({
  ...session('a'),
  feedback: null,
  notes: [],
  emails: [],
  unread_goes_to: null,
  routing: [],
  previous_session_id: null,
  next_session_id: null,
});
const mine = { id: 7, name: 'Nora', picture_url: null };

test('queues contain the chats that their names say', () => {
  const active = session('a', { status: 'active', agent: mine });
  expect(belongs('mine', active, 7)).toBe(true);
  expect(belongs('mine', active, 8)).toBe(false);
  expect(belongs('waiting', active, 7)).toBe(false);
  expect(belongs('open', active, 7)).toBe(true);
  expect(belongs('open', session('a', { status: 'closed' }), 7)).toBe(false);
  expect(belongs('closed', session('a', { status: 'closed' }), 7)).toBe(true);
  const snoozed = { ...active, snoozed_until_utc: '2026-03-14T09:00:00.000Z' };
  for (const queue of ['mine', 'waiting', 'open', 'closed', 'all'] as const)
    expect(belongs(queue, snoozed, 7)).toBe(false);
  expect(belongs('snoozed', snoozed, 7)).toBe(true);
  expect(belongs('snoozed', active, 7)).toBe(false);
});

test('a chat that is new in a queue is added at its top, once', () => {
  const data = withSession(pages(['a'], ['b']), session('n'), true, true);
  expect(ids(data)).toEqual([['n', 'a'], ['b']]);
  expect(ids(withSession(data, session('n'), true, true))).toEqual([['n', 'a'], ['b']]);
});

test('a chat that has left a queue is gone from it, on any page', () => {
  expect(ids(withSession(pages(['a'], ['b', 'c']), session('b'), false, true))).toEqual([['a'], ['c']]);
});

test('a change of one chat keeps other pages as the same objects', () => {
  const data = pages(['a'], ['b', 'c'], ['d']);
  const changed = withSession(data, session('b', { last_seq: 2 }), true, true);
  expect(changed.pages.map((page, at) => page === data.pages[at])).toEqual([true, false, true]);
  const added = withSession(data, session('n'), true, true);
  expect(added.pages.map((page, at) => page === data.pages[at])).toEqual([false, true, true]);
});

test('a change does not move a row', () => {
  const data = withSession(pages(['a', 'b']), session('b', { last_seq: 9 }), true, true);
  expect(ids(data)).toEqual([['a', 'b']]);
  expect(data.pages[0]?.items[1]?.last_seq).toBe(9);
});

test('a search gets no other chats, but the ones it has are updated', () => {
  const client = new QueryClient();
  const { queryKey } = foundQuery({ q: 'mara' });
  const found = (one: Session) => ({
    pageParams: [''],
    pages: [{ items: [{ kind: 'chat', session: one, found: null } as const], next_cursor: null }],
  });
  client.setQueryData(queryKey, found(session('a')));
  client.setQueryData(sessionsQuery('waiting').queryKey, pages(['a']));
  client.setQueryData(sessionsQuery('mine').queryKey, pages([]));
  applySession(client, session('n'), 7);
  expect(client.getQueryData(queryKey)).toEqual(found(session('a')));
  applySession(client, session('a', { last_seq: 9 }), 7);
  expect(client.getQueryData(queryKey)).toEqual(found(session('a', { last_seq: 9 })));
  expect(ids(client.getQueryData(sessionsQuery('waiting').queryKey))).toEqual([['n', 'a']]);
  expect(ids(client.getQueryData(sessionsQuery('mine').queryKey))).toEqual([[]]);
});

test('an accepted chat goes from waiting to mine', () => {
  const client = new QueryClient();
  client.setQueryData(sessionsQuery('waiting').queryKey, pages(['a']));
  client.setQueryData(sessionsQuery('mine').queryKey, pages([]));
  applySession(client, session('a', { status: 'active', agent: mine }), 7);
  expect(ids(client.getQueryData(sessionsQuery('waiting').queryKey))).toEqual([[]]);
  expect(ids(client.getQueryData(sessionsQuery('mine').queryKey))).toEqual([['a']]);
});

test('a chat that is rated is requested again, for the comment', () => {
  const client = new QueryClient();
  client.setQueryData(sessionQuery('a').queryKey, detail());
  applySession(client, session('a', { last_seq: 2 }), 7);
  expect(client.getQueryState(sessionQuery('a').queryKey)?.isInvalidated).toBe(false);
  applySession(client, session('a', { rating: 4 }), 7);
  expect(client.getQueryData(sessionQuery('a').queryKey)?.rating).toBe(4);
  expect(client.getQueryState(sessionQuery('a').queryKey)?.isInvalidated).toBe(true);
});

test('a chat that is assigned, or whose change is in no list, is requested again, for the reasons of routing', () => {
  const client = new QueryClient();
  const { queryKey } = sessionQuery('a');
  const isInvalid = () => client.getQueryState(queryKey)?.isInvalidated;
  client.setQueryData(queryKey, detail());
  applySession(client, session('a'), 7);
  expect(isInvalid()).toBe(true);
  client.setQueryData(queryKey, detail());
  expect(isInvalid()).toBe(false);
  applySession(client, session('a', { status: 'active', agent: mine }), 7);
  expect(isInvalid()).toBe(true);
});

test('a waiting chat is requested again if it changes while it loads, and by changes other than messages', async () => {
  const client = new QueryClient();
  const { queryKey } = sessionQuery('a');
  const read: ((one: ReturnType<typeof detail>) => void)[] = [];
  const queryFn = () => new Promise<ReturnType<typeof detail>>((resolve) => read.push(resolve));
  const observer = new QueryObserver(client, { queryKey, queryFn });
  const unsubscribe = observer.subscribe(() => undefined);
  expect(read.length).toBe(1);
  applySession(client, session('a', { status: 'active' }), 7);
  read[0]?.(detail());
  await expect.poll(() => observer.getCurrentResult().status).toBe('success');
  expect(read.length).toBe(1);
  unsubscribe();
  client.clear();

  const again = new QueryObserver(client, { queryKey, queryFn });
  onTestFinished(again.subscribe(() => undefined));
  expect(read.length).toBe(2);
  applySession(client, session('a', { status: 'waiting' }), 7);
  read[1]?.(detail());
  await expect.poll(() => read.length).toBe(3);
  read[2]?.(detail());
  await expect.poll(() => client.getQueryState(queryKey)?.fetchStatus).toBe('idle');
  applySession(client, session('a', { status: 'waiting', last_seq: 2 }), 7);
  expect(read.length).toBe(3);
  applySession(client, session('a', { status: 'waiting', last_seq: 2, marked_unread: true }), 7);
  expect(read.length).toBe(4);
});

test('a note is added once, and only to a loaded chat', () => {
  const client = new QueryClient();
  const note = {
    id: 1,
    author: mine,
    text: 'careful',
    mentions: [],
    created_utc: '2026-03-10T11:50:00.000Z',
  };
  client.setQueryData(sessionQuery('a').queryKey, detail());
  applyNote(client, 'a', note);
  applyNote(client, 'a', note);
  applyNote(client, 'b', note);
  expect(client.getQueryData(sessionQuery('a').queryKey)?.notes).toEqual([note]);
  expect(client.getQueryData(sessionQuery('b').queryKey)).toBeUndefined();
});

test('the response to an action keeps the fields that only lists have', () => {
  const client = new QueryClient();
  const { queryKey } = queueTicketsQuery('closed');
  const ofList = {
    unread: true,
    assignee_picture_url: '/pictures/1',
    last_activity_utc: '2026-03-10T11:50:00.000Z',
    unanswered_since_utc: '2026-03-10T11:50:00.000Z',
    replied_utc: null,
  };
  const answer = { id: 1, status: 'solved', snoozed_until_utc: null, spam: null } as TicketSummary;
  const ticket = { ...answer, ...ofList };
  client.setQueryData(queryKey, {
    pages: [{ items: [ticket], next_cursor: null }],
    pageParams: [''],
  });
  const shown = () => client.getQueryData(queryKey)?.pages[0]?.items;
  applyTicket(client, { ...answer, subject: 'Another' }, 7);
  expect(shown()).toEqual([{ ...ticket, subject: 'Another' }]);
  applyTicket(client, { ...ticket, unread: false }, 7);
  expect(shown()).toEqual([{ ...ticket, unread: false }]);
});
