import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DraftServer, named } from '../../test/draft-server.ts';
import { ApiError } from '../api.ts';
import { memoryStore } from '../storage.ts';
import { placeOf } from './drafts.ts';
import { mentionsIn } from './kept-draft.ts';

let server: DraftServer;
beforeEach(() => {
  vi.useFakeTimers();
  server = new DraftServer();
});
afterEach(() => vi.useRealTimers());

/** Runs everything that is due by then. */
const pass = (ms = 2000) => vi.advanceTimersByTimeAsync(ms);

test('reply and note of each chat have their own draft, which survives a reload', () => {
  const store = memoryStore();
  server.browser(store).change('a', { reply: 'Hello', note: 'careful', tab: 'note' });
  const again = server.browser(store);
  expect(again.get('a')).toEqual({ reply: 'Hello', note: 'careful', mentions: [], tab: 'note' });
  expect(again.get('b')).toEqual({ reply: '', note: '', mentions: [], tab: 'reply' });
});

test('another agent on the same machine does not see it', () => {
  const store = memoryStore();
  server.browser(store).change('a', { reply: 'Hello' });
  expect(server.browser(store, 2).get('a').reply).toBe('');
});

test('invalid data in storage counts as no draft', () => {
  const store = memoryStore();
  for (const text of ['{', 'null', '[]', '{"draft":{"reply":1,"note":"","tab":"reply"}}']) {
    store.setItem('foyer.1.draft.a', text);
    expect(server.browser(store).get('a').reply).toBe('');
  }
});

test('a subscriber of a draft is notified of its changes, and of no other', () => {
  const drafts = server.browser();
  const heard: string[] = [];
  const leave = drafts.subscribe('a', () => heard.push(drafts.get('a').reply));
  drafts.change('a', { reply: 'Hel' });
  drafts.change('b', { reply: 'Good' });
  drafts.change('a', { reply: 'Hello' });
  leave();
  drafts.change('a', { reply: '' });
  expect(heard).toEqual(['Hel', 'Hello']);
});

test('keystrokes are saved together, soon after the first, however long somebody writes', async () => {
  const drafts = server.browser();
  for (let length = 1; length <= 30; length += 1) {
    drafts.change('a', { reply: 'x'.repeat(length) });
    await pass(100);
  }
  expect(server.saves).toBeLessThanOrEqual(3);
  expect(server.drafts.get('reply a')?.text.length).toBeGreaterThan(15);
  await pass();
  expect(server.drafts.get('reply a')?.text).toHaveLength(30);
});

test('an open composer in another browser follows, and the list there shows where a draft is', async () => {
  const [desk, phone] = [server.browser(), server.browser()];
  phone.open('a');
  desk.open('a');
  desk.change('a', { reply: 'Hello' });
  await pass();
  expect(phone.get('a').reply).toBe('Hello');
  phone.change('a', { reply: 'Hello there' });
  await pass();
  expect(desk.get('a').reply).toBe('Hello there');
  desk.change('b', { note: 'careful' });
  await pass();
  expect(phone.written.has('b')).toBe(true);
  const late = server.browser();
  late.online();
  await pass();
  expect([late.written.has('a'), late.written.has('b'), late.written.has('c')]).toEqual([true, true, false]);
});

test('the draft of a sent message is gone everywhere, and leaves nothing behind', async () => {
  const store = memoryStore();
  const [desk, phone] = [server.browser(store), server.browser()];
  desk.open('a');
  phone.open('a');
  desk.change('a', { reply: 'Hello' });
  await pass();
  desk.change('a', { reply: '' });
  await pass();
  expect(phone.get('a').reply).toBe('');
  expect([desk.written.has('a'), phone.written.has('a')]).toEqual([false, false]);
  expect(server.drafts.size).toBe(0);
  expect(store.getItem('foyer.1.draft.a')).toBeNull();
});

test('two browsers that write at once lose nothing: the one that saves later chooses', async () => {
  const [desk, phone] = [server.browser(), server.browser()];
  desk.open('a');
  phone.open('a');
  desk.change('a', { reply: 'From the desk' });
  phone.change('a', { reply: 'From the phone' });
  await pass();
  expect(phone.get('a').reply).toBe('From the phone');
  expect(phone.elsewhere('a', 'reply')?.text).toBe('From the desk');
  phone.change('a', { reply: 'From the phone still' });
  await pass();
  expect(server.drafts.get('reply a')?.text, 'nothing is replaced unseen').toBe('From the desk');
  phone.keepOwn('a', 'reply');
  await pass();
  expect(server.drafts.get('reply a')?.text).toBe('From the phone still');
  expect(desk.get('a').reply).toBe('From the phone still');
  desk.change('a', { reply: 'One' });
  phone.change('a', { reply: 'Two' });
  await pass();
  phone.takeOther('a', 'reply');
  await pass();
  expect([desk.get('a').reply, phone.get('a').reply]).toEqual(['One', 'One']);
});

test('an offline draft waits in this browser, and is saved once it reconnects, even after a reload', async () => {
  const store = memoryStore();
  server.error = new ApiError('network', 'no answer');
  const before = server.browser(store);
  before.change('a', { reply: 'Hello' });
  await pass();
  before.stop();
  server.error = undefined;
  const after = server.browser(store);
  after.online();
  await pass();
  expect(server.drafts.get('reply a')?.text).toBe('Hello');
});

test('saving continues once a signed-out agent is signed in again', async () => {
  server.error = new ApiError('unauthorized', 'Sign in to continue.');
  const drafts = server.browser();
  drafts.change('a', { reply: 'Hello' });
  await pass(60_000);
  expect(drafts.get('a').reply).toBe('Hello');
  server.error = undefined;
  drafts.online();
  await pass();
  expect(server.drafts.get('reply a')?.text).toBe('Hello');
});

test('emptying a draft elsewhere removes no unsaved words', async () => {
  const [desk, phone] = [server.browser(), server.browser()];
  desk.open('a');
  phone.open('a');
  desk.change('a', { reply: 'Hello' });
  await pass();
  desk.change('a', { reply: '' });
  phone.change('a', { reply: 'Hello, and more' });
  await pass(5000);
  expect(phone.get('a').reply).toBe('Hello, and more');
  expect(desk.get('a').reply).toBe('Hello, and more');
});

test('chats and tickets have separate places', () => {
  for (const one of [
    { session_id: 'ses_a', ticket_id: null },
    { session_id: null, ticket_id: 7 },
  ])
    expect(named(placeOf(one))).toEqual(one);
});

test('a note keeps its mentions, in every browser, as long as their names are in it', async () => {
  const [desk, phone] = [server.browser(), server.browser()];
  desk.open('a');
  phone.open('a');
  const mara = { id: 7, name: 'Mara' };
  desk.change('a', { note: 'Ask @Mara', mentions: [mara], tab: 'note' });
  await pass();
  expect(mentionsIn(phone.get('a'), 'note')).toEqual([mara]);
  expect(mentionsIn(phone.get('a'), 'reply')).toEqual([]);
  phone.change('a', { note: 'Ask Mara' });
  await pass();
  expect(server.drafts.get('note a')?.mentions).toEqual([]);
});
