import { randomUUID } from 'node:crypto';
import type { OutputOf, Session, SpamEntry } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { answerWith, type Receiver, startReceiver } from '../../test/receiver.ts';
import { TestSocket } from '../../test/sockets.ts';
import { routeWaiting } from '../conversations/routing/routing.ts';
import { readSite } from '../conversations/search/index-messages.ts';
import { countSite } from '../reports/counting.ts';
import { purgeExpired } from '../retention/runs.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let receiver: Receiver;
let aheadMs = 0;
const now = (): Date => new Date(Date.now() + aheadMs);

beforeAll(async () => {
  [app, receiver] = await Promise.all([
    startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' }, { now }),
    startReceiver(answerWith(200, 'ok')),
  ]);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  aheadMs = 0;
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});

async function desk<T = Json>(operation: string, input: object = {}, by = cookie): Promise<T> {
  const { status, body } = await app.desk(by, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
}
const mark = (of: object, spam = true): Promise<SpamEntry> => desk('spam.set', { ...of, spam });

/** A visitor who has written to the bot, or waits for a person. */
async function visit({ waits = true, text = 'Buy cheap lanterns now' } = {}) {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const sent = (await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text,
  })) as { session: { session_id: string } };
  const { session_id } = sent.session;
  await socket.subscribe(session_id);
  const call = (operation: string, input: object = {}) =>
    socket.call(operation, { session_id, ...input }) as Promise<Json>;
  const ask = () => call('chat.request_person', { client_id: randomUUID() });
  const say = (text: string) => call('chat.send', { client_id: randomUUID(), text });
  if (waits) await ask();
  return { socket, session_id, call, ask, say };
}
const makeTicket = async (fields: object = {}): Promise<number> => {
  const ticket = { subject: 'Cheap lanterns', body: 'Buy now', requester: { email: 'x@spam.example' } };
  return (await desk('tickets.create', { ...ticket, ...fields })).id;
};
const QUEUES = ['waiting', 'mine', 'unassigned', 'open', 'snoozed', 'closed'] as const;
const chatsIn = async (queue: string): Promise<string[]> =>
  (await desk<Session[]>('sessions.list', { queue })).map(({ session_id }) => session_id);
const ticketsIn = async (queue?: string): Promise<number[]> =>
  (await desk<{ id: number }[]>('inbox.tickets', queue ? { queue } : {})).map(({ id }) => id);
const statements = (text: string) => sql.raw(text).execute(app.app.database.db);

test('marked chats and tickets leave every queue and count in one of their own, and return as they were', async () => {
  const chat = await visit();
  const ticket = await makeTicket({ assignee_id: site.admin.agentId });
  await desk('sessions.accept', { session_id: chat.session_id });
  const before = await desk('inbox.counts');
  expect(before).toMatchObject({ mine: 2, open: 2, spam: 0 });

  const marked = await mark({ session_id: chat.session_id });
  expect(marked).toMatchObject({
    session_id: chat.session_id,
    ticket_id: null,
    spam: { reason: 'team', by: { id: site.admin.agentId, name: 'Ada' } },
  });
  // Repeating it changes nothing.
  expect(await mark({ session_id: chat.session_id })).toEqual(marked);
  await mark({ ticket_id: ticket });
  for (const queue of QUEUES) {
    if (queue !== 'unassigned') expect(await chatsIn(queue), queue).toEqual([]);
    expect(await ticketsIn(queue), queue).toEqual([]);
  }
  expect(await chatsIn('all')).toEqual([]);
  expect(await ticketsIn()).toEqual([]);
  expect(await chatsIn('spam')).toEqual([chat.session_id]);
  expect(await ticketsIn('spam')).toEqual([ticket]);
  expect(await desk('inbox.counts')).toMatchObject({ waiting: 0, mine: 0, open: 0, unassigned: 0, spam: 2 });

  await mark({ session_id: chat.session_id }, false);
  await mark({ ticket_id: ticket }, false);
  expect(await desk('inbox.counts')).toEqual(before);
  const history = await desk<{ action: string }[]>('tickets.history', { id: ticket });
  expect(history.slice(0, 2).map(({ action }) => action)).toEqual(['unmarked_spam', 'marked_spam']);
});

test('the visitor of a marked chat notices nothing: the message is stored, nobody is notified, nothing is reported', async () => {
  const url = `${receiver.url}/spam`;
  const events = ['message_created', 'handoff', 'conversation_closed', 'ticket_created', 'spam_changed'];
  const made = await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', { url, events });
  expect(made.status).toBe(201);
  const chat = await visit({ waits: false });
  await desk('sessions.accept', { session_id: chat.session_id });
  const heardBefore = chat.socket.messagesOf(chat.session_id).length;
  await mark({ session_id: chat.session_id });
  expect(await desk<OutputOf<'notifications.list'>>('notifications.list')).toMatchObject({
    notifications: [],
  });

  const ben = { email: `ben-${randomUUID()}@spam.example`, name: 'Ben' };
  await makeAgent(site.operator, ben);
  const benCookie = await app.signIn(ben.email);
  await chat.say('Anybody there?');
  const own = await chat.ask();
  expect(own).toMatchObject({ status: 'active' });
  expect(own).not.toHaveProperty('spam');
  await chat.call('chat.leave_email', { email: 'x@spam.example' });
  await chat.call('chat.end');
  const texts = chat.socket.messagesOf(chat.session_id).map(({ sender }) => sender);
  expect(texts.slice(heardBefore)).not.toContain('bot');
  for (const by of [cookie, benCookie])
    expect((await desk<OutputOf<'notifications.list'>>('notifications.list', {}, by)).notifications).toEqual(
      [],
    );
  // The ticket with the left address is spam like its chat.
  const [ticketId = 0] = await ticketsIn('spam');
  expect(ticketId).toBeGreaterThan(0);
  expect(await desk('inbox.counts')).toMatchObject({ waiting: 0, unassigned: 0, open: 0, spam: 2 });

  // A message after the end opens another chat, which is spam too.
  const next = await chat.say('Hello again');
  expect(next.session.session_id).not.toBe(chat.session_id);
  expect(await desk('inbox.counts')).toMatchObject({ open: 0, spam: 3 });

  await mark({ ticket_id: ticketId }, false);
  const body = ({ body: text }: { body: string }): Json => JSON.parse(text);
  await until(async () => receiver.requests.map(body).some(({ spam }) => spam === false));
  const reported = receiver.requests.map(body).map(({ event, spam }) => [event, spam]);
  expect(reported.filter(([event]) => event === 'spam_changed')).toEqual([
    ['spam_changed', true],
    ['spam_changed', false],
  ]);
  const first = reported.findIndex(([event]) => event === 'spam_changed');
  expect(reported.slice(first + 1)).toEqual([['spam_changed', false]]);
  chat.socket.cut();
});

test('a marked ticket sends no event except that of its mark', async () => {
  const url = `${receiver.url}/spam-ticket`;
  const events = ['ticket_updated', 'ticket_replied', 'spam_changed'];
  await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', { url, events });
  const id = await makeTicket();
  await mark({ ticket_id: id });
  await desk('tickets.update', { id, priority: 'high' });
  await mark({ ticket_id: id }, false);
  await desk('tickets.update', { id, priority: 'low' });
  const heard = (): Json[] =>
    receiver.requests.filter(({ path }) => path.endsWith('/spam-ticket')).map(({ body }) => JSON.parse(body));
  await until(async () => heard().length >= 3);
  const told = heard().map(({ event, spam, changes }) => [event, spam ?? changes.priority[1]]);
  expect(told.sort()).toEqual([
    ['spam_changed', false],
    ['spam_changed', true],
    ['ticket_updated', 'low'],
  ]);
});

test('the bot is silent in a marked chat, and answers once it isn’t spam', async () => {
  await app.rest(site.write, 'POST', '/v1/articles', {
    title: 'Returns',
    body: 'You can send anything back within 30 days.',
    status: 'Published',
  });
  const asks = { waits: false, text: 'Can I send it back?' };
  const [spammer, other] = [await visit(asks), await visit(asks)];
  const botSaid = (socket: TestSocket, id: string): number =>
    socket.messagesOf(id).filter(({ sender }) => sender === 'bot').length;
  for (const { socket, session_id } of [spammer, other])
    await until(async () => botSaid(socket, session_id) > 0);
  await mark({ session_id: spammer.session_id });
  const said = botSaid(spammer.socket, spammer.session_id);
  await spammer.say('How do I send it back?');
  await other.say('How do I send it back?');
  await until(async () => botSaid(other.socket, other.session_id) > 1);
  expect(botSaid(spammer.socket, spammer.session_id)).toBe(said);
  await mark({ session_id: spammer.session_id }, false);
  await until(async () => botSaid(spammer.socket, spammer.session_id) > said);
  for (const { socket } of [spammer, other]) socket.cut();
});

test('routing assigns no marked chat, and it uses no capacity', async () => {
  await statements(`update sites set routing = 'round_robin' where id = ${site.site.id}`);
  await statements(`update agents set chat_limit = 1 where site_id = ${site.site.id}`);
  const agent = await TestSocket.agent(app.url, cookie);
  const mine = await visit();
  const status = async (session_id: string): Promise<string> =>
    (await desk<Session>('sessions.get', { session_id })).status;
  await until(async () => (await status(mine.session_id)) === 'active');
  const spam = await visit();
  await mark({ session_id: spam.session_id });
  await mark({ session_id: mine.session_id });
  const wanted = await visit();
  await until(async () => (await status(wanted.session_id)) === 'active');
  await routeWaiting(site.operator);
  expect(await status(spam.session_id)).toBe('waiting');
  for (const { socket } of [mine, spam, wanted]) socket.cut();
  agent.cut();
});

/** Until every change is counted: the server's own clock may be counting at this moment. */
const counted = (): Promise<void> =>
  until(async () => {
    await countSite(site.operator);
    const { rows } = await sql`
      select from report_dirty_records where site_id = ${site.site.id}`.execute(app.app.database.db);
    return rows.length === 0;
  });

const sums = async (): Promise<Json[]> => {
  await counted();
  const { rows } = await sql<Json>`
    select measure, subject, sum(count)::int as count from report_days
    where site_id = ${site.site.id} group by measure, subject having sum(count) <> 0 order by 1, 2`.execute(
    app.app.database.db,
  );
  return rows;
};

test('reports, logs and searches don’t contain spam unless it is requested', async () => {
  const chat = await visit();
  await desk('sessions.accept', { session_id: chat.session_id });
  await chat.call('chat.end');
  await chat.call('chat.rate', { rating: 1, comment: 'Lanterns' });
  const ticket = await makeTicket();
  await readSite(site.operator);
  const before = await sums();
  expect(before.map(({ measure }) => measure)).toEqual(
    expect.arrayContaining(['chats', 'tickets', 'ratings']),
  );
  const found = async (more: object = {}): Promise<string[]> =>
    (await desk<{ kind: string }[]>('inbox.search', { q: 'lanterns', ...more }))
      .map(({ kind }) => kind)
      .sort();
  const rest = async (path: string): Promise<Json[]> => (await app.rest(site.read, 'GET', path)).body.data;
  expect(await found()).toEqual(['chat', 'ticket']);
  expect(await rest('/v1/feedback')).toHaveLength(1);
  expect(await rest('/v1/handoffs')).toHaveLength(1);

  await mark({ session_id: chat.session_id });
  await mark({ ticket_id: ticket });
  expect(await sums()).toEqual([]);
  expect(await found()).toEqual([]);
  expect(await found({ spam: true })).toEqual(['chat', 'ticket']);
  for (const path of ['/v1/feedback', '/v1/handoffs', '/v1/tickets', '/v1/tickets?q=lanterns'])
    expect(await rest(path), path).toEqual([]);
  expect((await rest('/v1/tickets?spam=true')).map(({ id }) => id)).toEqual([ticket]);
  expect((await app.rest(site.read, 'GET', `/v1/tickets?id=${ticket}`)).body.data.spam).toMatchObject({
    reason: 'team',
  });

  await mark({ session_id: chat.session_id }, false);
  await mark({ ticket_id: ticket }, false);
  expect(await sums()).toEqual(before);
  chat.socket.cut();
});

test('a reply to spam is refused, a note isn’t', async () => {
  const chat = await visit();
  const ticket = await makeTicket();
  const { session_id } = chat;
  await desk('sessions.accept', { session_id });
  await mark({ session_id });
  await mark({ ticket_id: ticket });
  const words = { client_id: randomUUID(), text: 'Hello' };
  for (const [operation, input] of [
    ['sessions.reply', { session_id, ...words }],
    ['sessions.transfer', { session_id, agent_id: null }],
    ['sessions.give_back', { session_id }],
    ['tickets.reply', { ticket_id: ticket, type: 'public', ...words }],
  ] as const) {
    const refused = await app.desk(cookie, operation, input);
    expect([refused.status, refused.body.error.reason], operation).toEqual([409, 'marked_spam']);
  }
  await desk('sessions.note', { session_id, ...words });
  await desk('tickets.reply', { ticket_id: ticket, type: 'note', ...words });
  expect(chat.socket.messagesOf(session_id).map(({ text }) => text)).not.toContain('Hello');
  chat.socket.cut();
});

test('many are marked together, and Undo restores them unless they were changed since', async () => {
  const chat = await visit();
  const ticket = await makeTicket();
  const of = { tickets: [ticket], sessions: [chat.session_id] };
  const finished = async (id: number): Promise<Json> => {
    await until(async () => (await desk('bulk_changes.get', { id })).finished_utc !== null);
    return desk('bulk_changes.get', { id });
  };
  const change = { action: 'set_spam', spam: true };
  const { id } = await desk('bulk_changes.start', { of, change });
  expect(await finished(id)).toMatchObject({ succeeded: 2, failed: 0, undoable: 2 });
  expect(await desk('inbox.counts')).toMatchObject({ open: 0, spam: 2 });
  expect(await desk('bulk_changes.count', { of: { queue: 'spam' } })).toEqual({ count: 2 });
  await mark({ ticket_id: ticket }, false);
  const undo = await desk('bulk_changes.undo', { id });
  expect(await finished(undo.id)).toMatchObject({ succeeded: 1, failed: 1 });
  expect(await desk('inbox.counts')).toMatchObject({ open: 2, spam: 0 });
  chat.socket.cut();
});

test('a token lists spam page by page in the order of the marks, marks a ticket, and a reader may not', async () => {
  const ids: number[] = [];
  for (let made = 0; made < 3; made++) ids.push(await makeTicket());
  const chat = await visit();
  for (const ticket_id of ids) {
    aheadMs += 1_000;
    const answer = await app.rest(site.write, 'POST', '/v1/spam', { ticket_id, spam: true });
    expect([answer.status, answer.body.data.spam.by]).toEqual([200, null]);
  }
  aheadMs += 1_000;
  await mark({ session_id: chat.session_id });
  const named = ({ session_id, ticket_id }: SpamEntry) => session_id ?? ticket_id;
  for (const [order, wanted] of [
    ['desc', [chat.session_id, ...ids.toReversed()]],
    ['asc', [...ids, chat.session_id]],
  ] as const) {
    const listed: (string | number | null)[] = [];
    let cursor = '';
    do {
      const { body } = await app.rest(site.read, 'GET', `/v1/spam?limit=2&order=${order}${cursor}`);
      listed.push(...body.data.map(named));
      cursor = body.page.next_cursor === null ? '' : `&cursor=${body.page.next_cursor}`;
    } while (cursor !== '');
    expect(listed).toEqual(wanted);
  }
  const refused = await app.rest(site.read, 'POST', '/v1/spam', { ticket_id: ids[0], spam: false });
  expect(refused.status).toBe(403);
  for (const input of [{ spam: true }, { spam: true, ticket_id: ids[0], session_id: chat.session_id }])
    expect((await app.rest(site.write, 'POST', '/v1/spam', input)).status).toBe(400);
  chat.socket.cut();
});

test('spam is deleted 30 days after its mark, whatever its status, and the site may choose another time', async () => {
  const chat = await visit();
  const [old, kept, young] = [await makeTicket(), await makeTicket(), await makeTicket()];
  await mark({ session_id: chat.session_id });
  await mark({ ticket_id: old });
  aheadMs = 2 * 86_400_000;
  await mark({ ticket_id: young });
  await counted();
  aheadMs = 31 * 86_400_000;
  const run = async (): Promise<void> => {
    const ctx = app.app.contextFor(site.site, { kind: 'job' });
    await purgeExpired(ctx, 'spam_chats');
    await purgeExpired(ctx, 'spam_tickets');
  };
  await run();
  expect(await chatsIn('spam')).toEqual([]);
  expect(await ticketsIn('spam')).toEqual([young]);
  expect(await ticketsIn('open')).toEqual([kept]);
  await desk('retention.set', { kind: 'spam_tickets', keep_days: 7 });
  await run();
  expect(await ticketsIn('spam')).toEqual([]);
  expect((await sums()).filter(({ measure }) => measure === 'tickets')).toMatchObject([{ count: 1 }]);
  chat.socket.cut();
});
