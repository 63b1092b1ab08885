import { randomUUID } from 'node:crypto';
import { SNOOZE_MAX_MINUTES } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { silentLog, TEST_SECRET, until } from '../../../test/harness.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { openChat, say } from '../../../test/stand.ts';
import { createApp } from '../../app/app.ts';
import { readConfig } from '../../config.ts';
import { createContext } from '../../core/context.ts';
import type { Notice } from '../../core/domain-event.ts';
import { createEmitter } from '../../core/events.ts';
import { removeAgent } from '../../team/remove-agent.ts';
import { snoozeClock } from './snooze.ts';

const HOUR_MS = 3_600_000;
/** How far the clock of Foyer is ahead. */
let aheadMs = 0;
const now = (): Date => new Date(Date.now() + aheadMs);

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp({}, { now });
});
afterAll(() => app.close());
beforeEach(async () => {
  aheadMs = 0;
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});

const ask = async (operation: string, input: object = {}, as = cookie): Promise<Json> =>
  (await app.desk(as, operation, input)).body;
const detail = async (session_id: string): Promise<Json> => (await ask('sessions.get', { session_id })).data;
const inHours = (hours: number): string => new Date(now().getTime() + hours * HOUR_MS).toISOString();
const snooze = (session_id: string, until_utc: string | null = inHours(1), more: object = {}) =>
  ask('sessions.snooze', { session_id, until_utc, ...more });
const listed = async (queue: string, as = cookie): Promise<string[]> =>
  (await ask('sessions.list', { queue }, as)).data.map(({ session_id }: Json) => session_id);
const hire = (email: string) => makeAgent(site.operator, { email, name: 'Ben' });

/** A chat that the admin has joined, as the visitor's socket sees it. */
async function joinedChat() {
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  await ask('sessions.accept', { session_id: chat.id });
  await chat.socket.next('message', ({ message }) => message.event === 'agent_joined');
  return chat;
}

/** One whose visitor waits for a person. */
async function waitingChat() {
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  await chat.socket.call('chat.request_person', { session_id: chat.id, client_id: randomUUID() });
  return chat;
}

test('a snoozed chat is in no queue but Snoozed, wakes unread at its time, and its visitor doesn’t notice', async () => {
  const { socket, id } = await joinedChat();
  await ask('sessions.mark_read', { session_id: id, seq: 1_000 });
  const heard = socket.messagesOf(id).length;
  const due = inHours(1);
  expect((await snooze(id, due)).data).toMatchObject({
    snoozed_until_utc: due,
    status: 'active',
    marked_unread: false,
  });
  for (const queue of ['mine', 'open', 'waiting', 'closed', 'all'])
    expect(await listed(queue)).not.toContain(id);
  expect(await listed('snoozed')).toEqual([id]);
  expect((await ask('inbox.counts')).data).toMatchObject({ mine: 0, open: 0, snoozed: 1 });

  aheadMs = HOUR_MS - 60_000;
  const early = jobAt(now);
  await snoozeClock.run(early.ctx, 0);
  expect(early.notices).toEqual([]);

  aheadMs = HOUR_MS;
  await until(async () => (await detail(id)).snoozed_until_utc === null);
  expect(await detail(id)).toMatchObject({ marked_unread: true, status: 'active' });
  expect(await listed('mine')).toEqual([id]);
  expect((await ask('inbox.counts')).data).toMatchObject({ mine: 1, open: 1, snoozed: 0 });
  // Comes after everything else, and is the only new message.
  await ask('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'Back to you.' });
  await socket.next('message', ({ message }) => message.text === 'Back to you.');
  expect(socket.messagesOf(id)).toHaveLength(heard + 1);
  expect(JSON.stringify(socket.frames)).not.toContain('snooze');
  socket.cut();
});

/** A recurring job at a given time, and the notices it sent. */
function jobAt(clock: () => Date, db = app.app.database.db) {
  const notices: Notice[] = [];
  const ctx = createContext({
    site: { id: site.site.id, plan: 'growth' },
    actor: { kind: 'job' },
    db,
    now: clock,
    log: silentLog,
    services: site.operator.services,
    emitter: createEmitter((_, notice) => notices.push(notice)),
    send: async () => undefined,
  });
  return { ctx, notices };
}

test('a message of the visitor wakes it at once, for every desk, and notifies its agent', async () => {
  const { id: ben } = await hire('ben@wakes.example');
  const bens = await app.signIn('ben@wakes.example');
  const { socket, id } = await joinedChat();
  await ask('sessions.transfer', { session_id: id, agent_id: ben });
  await snooze(id);
  const other = await TestSocket.agent(app.url, cookie);
  await say(socket, id, 'One more question');
  // Notices of the snooze itself may reach the new socket first.
  const { session } = await other.next(
    'session_changed',
    (frame) => frame.session.session_id === id && frame.session.last_message?.text === 'One more question',
  );
  expect(session).toMatchObject({ snoozed_until_utc: null });
  expect(await listed('mine', bens)).toEqual([id]);
  const told = (await ask('notifications.list', {}, bens)).data;
  expect(JSON.stringify(told)).toContain('chat_message');
  for (const one of [socket, other]) one.cut();
});

test('a note and a reply of the team leave it snoozed, also a colleague’s note', async () => {
  await hire('ben@notes.example');
  const { socket, id } = await joinedChat();
  const due = inHours(2);
  await snooze(id, due);
  const note = { session_id: id, client_id: randomUUID(), text: 'Asked the workshop' };
  await ask('sessions.note', note, await app.signIn('ben@notes.example'));
  await ask('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'We are looking into it.' });
  expect(await detail(id)).toMatchObject({ snoozed_until_utc: due, last_message: { sender: 'agent' } });
  socket.cut();
});

test('every assignment, the bot and the end wake it, so that its agent sees it', async () => {
  const { id: ben } = await hire('ben@assigned.example');
  const { socket, id } = await joinedChat();
  const wakes = async (operation: string, input: object = {}) => {
    await snooze(id);
    expect((await detail(id)).snoozed_until_utc).not.toBeNull();
    const { error } = await ask(operation, { session_id: id, ...input });
    expect(error).toBeUndefined();
    expect((await detail(id)).snoozed_until_utc).toBeNull();
  };
  await wakes('sessions.transfer', { agent_id: ben });
  await wakes('sessions.accept', { take_over: true });
  await wakes('sessions.transfer', { agent_id: null });
  await wakes('sessions.accept');
  await wakes('sessions.snooze', { until_utc: null });
  await wakes('sessions.give_back');
  await ask('sessions.accept', { session_id: id });
  await wakes('sessions.close');
  socket.cut();
});

test('the end of the chat by its visitor, an address they leave, and the removal of its agent wake it', async () => {
  const { id: ben } = await hire('ben@leaves.example');
  const [ended, left, orphaned] = [await joinedChat(), await waitingChat(), await joinedChat()];
  await ask('sessions.transfer', { session_id: orphaned.id, agent_id: ben });
  for (const { id } of [ended, left, orphaned]) await snooze(id);
  await ended.socket.call('chat.end', { session_id: ended.id });
  await left.socket.call('chat.leave_email', { session_id: left.id, email: 'mira@example.com' });
  await removeAgent(site.operator, ben);
  expect(await detail(ended.id)).toMatchObject({ status: 'closed', snoozed_until_utc: null });
  expect((await listed('waiting')).toSorted()).toEqual([left.id, orphaned.id].toSorted());
  for (const { socket } of [ended, left, orphaned]) socket.cut();
});

test('a snooze keeps a chat that is about to close open', async () => {
  const { socket, id } = await joinedChat();
  await ask('sessions.close', { session_id: id, in_s: 60 });
  expect((await snooze(id)).data).toMatchObject({ closes_utc: null, status: 'active' });
  socket.cut();
});

test('a chat with a message that the agent has not seen can’t be snoozed', async () => {
  const { socket, id } = await joinedChat();
  const { last_seq: seen } = await detail(id);
  await ask('sessions.note', { session_id: id, client_id: randomUUID(), text: 'A note is nothing to see' });
  const { message } = await say(socket, id, 'Wait!');
  expect((await snooze(id, inHours(1), { seen })).error).toMatchObject({
    code: 'conflict',
    reason: 'visitor_wrote',
  });
  expect((await detail(id)).snoozed_until_utc).toBeNull();
  expect((await snooze(id, inHours(1), { seen: message.seq })).error).toBeUndefined();
  socket.cut();
});

test('a snooze to the past or too far ahead is refused, and so is that of a closed chat or one of the bot', async () => {
  const { socket, id } = await joinedChat();
  for (const at of [now(), new Date(now().getTime() + (SNOOZE_MAX_MINUTES + 1) * 60_000)])
    expect((await snooze(id, at.toISOString())).error).toMatchObject({ code: 'invalid_input' });
  await ask('sessions.give_back', { session_id: id });
  expect((await snooze(id)).error).toMatchObject({ code: 'conflict', reason: 'chat_with_bot' });
  await ask('sessions.close', { session_id: id });
  expect((await snooze(id)).error).toMatchObject({ code: 'conflict', reason: 'chat_closed' });
  socket.cut();
});

test('another site’s agent can’t snooze it, and a postponed snooze doesn’t end at its first time', async () => {
  const { socket, id } = await joinedChat();
  const stranger = await app.signIn((await app.makeSite()).admin.email);
  const answer = await ask('sessions.snooze', { session_id: id, until_utc: inHours(1) }, stranger);
  expect(answer.error).toMatchObject({ code: 'not_found' });
  await snooze(id, inHours(1));
  const later = inHours(2);
  await snooze(id, later);
  aheadMs = 1.5 * HOUR_MS;
  await snoozeClock.run(jobAt(now).ctx, 0);
  expect((await detail(id)).snoozed_until_utc).toBe(later);
  socket.cut();
});

test('the one that wakes next is listed first, page by page', async () => {
  const chats = await Promise.all([3, 1, 2].map(async (hours) => ({ hours, ...(await joinedChat()) })));
  for (const { id, hours } of chats) await snooze(id, inHours(hours));
  const order = chats.toSorted((a, b) => a.hours - b.hours).map(({ id }) => id);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask('sessions.list', {
      queue: 'snoozed',
      sort: 'due',
      limit: 1,
      ...(cursor && { cursor }),
    });
    found.push(...page.data.map(({ session_id }: Json) => session_id));
    cursor = page.page.next_cursor ?? undefined;
  } while (cursor);
  expect(found).toEqual(order);
  for (const { socket } of chats) socket.cut();
});

/** Snoozed chats of the same visitor. */
const insertSnoozed = (id: string, count: number, due: Date) =>
  sql`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, waiting_since, snoozed_until)
    select site_id, 'ses_crowd' || n, visitor_id, gen_random_uuid(), 'waiting', now(), ${due}
    from conversations, generate_series(1, ${count}::int) n where session_id = ${id}`.execute(
    app.app.database.db,
  );

test('rules see all chats that wake at once in one statement, and each once', async () => {
  const { socket, id } = await joinedChat();
  const made = await app.rest(site.write, 'POST', '/v1/rules', {
    name: 'Woken',
    trigger: { on: 'snooze_over' },
    actions: [{ type: 'add_tags', tags: ['woken'] }],
    enabled: true,
  });
  const due = new Date(now().getTime() + 10 * HOUR_MS);
  await insertSnoozed(id, 7, due);
  let recorded = 0;
  const counted = app.app.database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode' && node.sqlFragments[0]?.includes('insert into rule_events')) recorded += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await snoozeClock.run(jobAt(() => due, counted).ctx, 0);
  expect(recorded).toBe(1);
  const runs = async (): Promise<string[]> =>
    (await app.rest(site.read, 'GET', `/v1/rule_runs?rule_id=${made.body.data.id}`)).body.data.map(
      (one: Json) => one.session_id,
    );
  await until(async () => (await runs()).length >= 7);
  expect((await runs()).toSorted()).toEqual(Array.from({ length: 7 }, (_, n) => `ses_crowd${n + 1}`));
  socket.cut();
});

test('many chats due at one moment are woken by two processes at once, each chat once', async () => {
  const { socket, id } = await joinedChat();
  const { db } = app.app.database;
  const due = new Date(now().getTime() + 10 * HOUR_MS);
  await insertSnoozed(id, 250, due);
  // The app's own clock is hours behind it: only these two work.
  const jobs = [jobAt(() => due), jobAt(() => due)];
  await Promise.all(jobs.map(({ ctx }) => snoozeClock.run(ctx, 0)));
  const told = jobs.flatMap(({ notices }) => notices).filter(({ kind }) => kind === 'session');
  expect(told).toHaveLength(250);
  expect(new Set(told.map((notice) => JSON.stringify(notice))).size).toBe(250);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversations
    where site_id = ${site.site.id} and snoozed_until is null and marked_unread_at is not null`.execute(db);
  expect(rows[0]?.count).toBe(250);
  socket.cut();
});

test('a visitor at one process wakes it for a desk at another; any running process ends it at its time', async () => {
  const options = { databaseUrl: app.databaseUrl, secret: TEST_SECRET, log: silentLog, now };
  const beside = await createApp({ config: readConfig({ PORT: '0' }), ...options });
  const url = await beside.listen();
  const { socket, id } = await openChat({ url, publicKey: site.publicKey });
  await ask('sessions.accept', { session_id: id });
  await snooze(id);
  const desk = await TestSocket.agent(app.url, cookie);
  await say(socket, id, 'From the other process');
  await desk.next(
    'session_changed',
    ({ session }) => session.last_message?.text === 'From the other process',
  );
  expect((await detail(id)).snoozed_until_utc).toBeNull();
  await snooze(id);
  socket.cut();
  await beside.close();
  aheadMs = HOUR_MS;
  await desk.next('session_changed', ({ session }) => session.session_id === id && session.marked_unread);
  expect((await detail(id)).snoozed_until_utc).toBeNull();
  desk.cut();
});

test('due chats are found by their index, not by reading all chats', async () => {
  const { rows } = await app.app.database.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    return sql<{ 'QUERY PLAN': string }>`
      explain select id from conversations where snoozed_until <= now()`.execute(tx);
  });
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('conversations_wake');
});
