import type { Sla } from '@foyer/protocol';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { findDue } from '../../../test/find-due.ts';
import { until } from '../../../test/harness.ts';
import { openChat } from '../../../test/stand.ts';
import type { SiteContext } from '../../core/context.ts';
import { openDatabase } from '../../db/database.ts';
import { countSite } from '../../reports/counting.ts';
import { slaJobs } from '../../tickets/sla/renew-all.ts';
import { chatSlaClock } from './clock.ts';

/** A Monday. */
const START = new Date('2027-03-01T08:00:00Z');
const time = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
const iso = (minutes: number): string => time(minutes).toISOString();

let app: TestApp;
let site: TestSite;
let worker: SiteContext;
let now = START;
const at = (minutes: number): void => {
  now = time(minutes);
};
beforeAll(async () => {
  // No background jobs run: the tests say when the clock looks.
  app = await startTestApp({ FOYER_ROLE: 'web' }, { now: () => now });
});
afterAll(() => app.close());
beforeEach(async () => {
  at(0);
  site = await app.makeSite();
  worker = app.app.contextFor(site.site, { kind: 'job' });
});

const rest = async (method: string, path: string, body?: object): Promise<Json> => {
  const answer = await app.rest(site.write, method, `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
};
const policy = (given: object = {}): Promise<Json> =>
  rest('POST', 'sla_policies', {
    name: 'Chats',
    applies_to: ['chats'],
    targets: {
      first_response: { normal: 10 },
      next_response: { normal: 20 },
      resolution: { normal: 120 },
    },
    warn_minutes: 4,
    ...given,
  });
const patch = (id: string, change: object): Promise<Json> =>
  rest('PATCH', `conversations?session_id=${id}`, change);
/** A chat that the bot has handed over. */
const start = async (): Promise<string> => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  socket.cut();
  await patch(id, { status: 'waiting' });
  return id;
};
const says = (id: string, sender: 'visitor' | 'agent', text = 'Hello'): Promise<Json> =>
  rest('POST', 'conversation_messages', {
    session_id: id,
    sender,
    text,
    ...(sender === 'agent' && { agent_id: site.admin.agentId }),
  });
const read = (id: string): Promise<Json> => rest('GET', `conversations?session_id=${id}`);
const slaOf = async (id: string): Promise<Sla | null> => (await read(id)).sla;
const stateOf = async (id: string, target: string) =>
  (await slaOf(id))?.targets.find((one) => one.target === target)?.state;

const isDue = async (): Promise<boolean> =>
  (await findDue(chatSlaClock, app.app.database.db, now, 1_000)).some(
    ({ siteId }) => siteId === site.site.id,
  );
/** One look of the clock at a time. @returns whether there was anything to do */
async function look(minutes: number, ctx = worker): Promise<boolean> {
  at(minutes);
  const due = await isDue();
  if (due) await chatSlaClock.run(ctx, 0);
  return due;
}
interface Told {
  event: string;
  target: string;
  session_id: string;
  due_utc: string;
}
const told = async (): Promise<Told[]> => {
  const { rows } = await sql<{ event: string; body: Buffer }>`
    select event, body from webhook_events
    where site_id = ${site.site.id} and event in ('sla_warning', 'sla_breached')
    order by created_at, id`.execute(app.app.database.db);
  return rows
    .map(({ event, body }) => ({ event, ...JSON.parse(body.toString()) }))
    .map(({ event, target, session_id, due_utc }) => ({ event, target, session_id, due_utc }));
};
const listen = (): Promise<Json> =>
  rest('POST', 'webhook_subscriptions', {
    url: 'https://example.com/hook',
    events: ['sla_warning', 'sla_breached'],
  });
const notified = async (): Promise<string[]> => {
  const { rows } = await sql<{ kind: string }>`
    select kind from notifications where site_id = ${site.site.id} and seen_at is null and kind like 'sla_%'`.execute(
    app.app.database.db,
  );
  return rows.map(({ kind }) => kind);
};

test('a chat is due from its handoff on: first response, next responses, then resolution', async () => {
  await listen();
  await policy();
  const id = await start();
  await look(0);
  expect(await slaOf(id)).toMatchObject({
    policy: { name: 'Chats' },
    target: 'first_response',
    due_utc: iso(10),
    warn_utc: iso(6),
  });
  at(5);
  await says(id, 'agent');
  await look(5);
  expect(await slaOf(id)).toMatchObject({ target: 'resolution', due_utc: iso(120) });
  expect(await stateOf(id, 'first_response')).toBe('met');
  at(30);
  await says(id, 'visitor');
  await look(30);
  expect(await slaOf(id)).toMatchObject({ target: 'next_response', due_utc: iso(50) });
  at(51);
  await says(id, 'agent');
  await look(51);
  expect(await stateOf(id, 'next_response')).toBe('missed');
  at(60);
  await patch(id, { status: 'closed' });
  await look(60);
  expect(await slaOf(id)).toMatchObject({ target: null, due_utc: null });
  expect(await stateOf(id, 'resolution')).toBe('met');
  expect(await look(1_000)).toBe(false);
  expect(await told()).toEqual([
    { event: 'sla_breached', target: 'next_response', session_id: id, due_utc: iso(50) },
  ]);
});

test('reports count the targets of chats with those of tickets', async () => {
  await policy();
  const id = await start();
  at(5);
  await says(id, 'agent');
  await look(5);
  at(10);
  await says(id, 'visitor');
  await look(31);
  await says(id, 'agent');
  await look(32);
  await patch(id, { status: 'closed' });
  await look(33);
  await countSite(worker);
  const { targets, policies } = await rest('GET', 'reports?report=slas&range=today');
  const counted = { first_response: [1, 0], next_response: [0, 1], resolution: [1, 0] };
  expect(Object.fromEntries(targets.map((one: Json) => [one.target, [one.met, one.missed]]))).toEqual(
    counted,
  );
  expect(policies).toEqual([expect.objectContaining({ name: 'Chats', met: 2, missed: 1 })]);
});

test('it is warned about and reported late once each, to those concerned, and triggers rules', async () => {
  await listen();
  await policy();
  await rest('POST', 'rules', {
    name: 'Late',
    trigger: { on: 'sla_breached' },
    actions: [{ type: 'add_tags', tags: ['late'] }],
    enabled: true,
  });
  const id = await start();
  await look(0);
  expect(await look(5)).toBe(false);
  expect(await look(6)).toBe(true);
  expect(await notified()).toEqual(['sla_warning']);
  at(10);
  await Promise.all([chatSlaClock.run(worker, 0), chatSlaClock.run(worker, 0), chatSlaClock.run(worker, 0)]);
  expect(await look(100)).toBe(false);
  expect(await notified()).toEqual(['sla_breached']);
  expect(await told()).toEqual([
    { event: 'sla_warning', target: 'first_response', session_id: id, due_utc: iso(10) },
    { event: 'sla_breached', target: 'first_response', session_id: id, due_utc: iso(10) },
  ]);
  const { rows } = await sql<{ event: string; session_id: string }>`
    select event, session_id from rule_events where site_id = ${site.site.id}`.execute(app.app.database.db);
  expect(rows).toEqual([{ event: 'sla_breached', session_id: id }]);
  at(101);
  await says(id, 'agent');
  await look(101);
  expect(await notified()).toEqual([]);
  expect(await told()).toHaveLength(2);
});

test('an answer counts when it was given, however late the clock looks', async () => {
  await listen();
  await policy();
  const id = await start();
  for (const [minute, sender] of [
    [9, 'agent'],
    [20, 'visitor'],
    [39, 'agent'],
    [50, 'visitor'],
    [71, 'agent'],
  ] as const) {
    at(minute);
    await says(id, sender);
  }
  await look(90);
  expect(await told()).toEqual([
    { event: 'sla_breached', target: 'next_response', session_id: id, due_utc: iso(70) },
  ]);
  expect(await stateOf(id, 'first_response')).toBe('met');
  expect(await notified()).toEqual([]);
});

test('the time to resolution pauses while a chat is snoozed, and a visitor’s message resumes it', async () => {
  await policy();
  const id = await start();
  at(5);
  await says(id, 'agent');
  await look(5);
  at(20);
  await rest('POST', 'conversation_snooze', { session_id: id, minutes: 1_000 });
  await look(20);
  expect(await slaOf(id)).toMatchObject({ target: null, due_utc: null });
  expect(await stateOf(id, 'resolution')).toBe('paused');
  at(500);
  await says(id, 'visitor');
  await look(501);
  expect(await slaOf(id)).toMatchObject({ target: 'next_response', due_utc: iso(520) });
  at(510);
  await says(id, 'agent');
  await look(510);
  // 20 minutes had passed.
  expect(await slaOf(id)).toMatchObject({ target: 'resolution', due_utc: iso(600) });
});

test('the bot’s chats, spam and chats without a policy are never due', async () => {
  const { id: ofTickets } = await policy({ name: 'Tickets', applies_to: ['tickets'] });
  const plain = await start();
  expect(await isDue()).toBe(false);
  await rest('DELETE', `sla_policies?id=${ofTickets}`);
  await policy({ conditions: { tag: 'vip' } });
  const { socket, id: bots } = await openChat({ url: app.url, publicKey: site.publicKey });
  socket.cut();
  expect(await isDue()).toBe(false);
  await patch(plain, { add_tags: ['VIP'] });
  const other = await start();
  await look(1);
  expect([await slaOf(plain), await slaOf(other), await slaOf(bots)]).toEqual([
    expect.objectContaining({ target: 'first_response' }),
    null,
    null,
  ]);
  await rest('POST', 'spam', { session_id: plain, spam: true });
  await look(2);
  expect(await look(1_000)).toBe(false);
});

test('due times follow the team’s office hours and new policies; chats that become late by them are not reported', async () => {
  await listen();
  const day = [{ from: '09:00', to: '17:00' }];
  const weekly = {
    monday: [],
    tuesday: day,
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  };
  const office_hours = { time_zone: 'UTC', weekly, holidays: [] };
  const team = await rest('POST', 'teams', { name: 'Tuesdays', office_hours });
  const [ofTeam, ofSite] = [await start(), await start()];
  await patch(ofTeam, { team_id: team.id });
  at(60);
  await policy();
  await slaJobs[0]?.run(worker, {});
  expect(await slaOf(ofTeam)).toMatchObject({ due_utc: '2027-03-02T09:10:00.000Z' });
  expect(await slaOf(ofSite)).toMatchObject({ due_utc: iso(10) });
  expect(await stateOf(ofSite, 'first_response')).toBe('missed');
  await look(61);
  expect(await told()).toEqual([]);
});

test('lists find chats that are late or due soon, and sort by the next due time', async () => {
  await policy({ position: 1 });
  const urgent = await policy({
    name: 'VIP',
    position: 0,
    conditions: { tag: 'vip' },
    targets: { first_response: { normal: 5 } },
    warn_minutes: 2,
  });
  expect(urgent.applies_to).toEqual(['chats']);
  const [first, second] = [await start(), await start()];
  await patch(second, { add_tags: ['vip'] });
  const { socket, id: bots } = await openChat({ url: app.url, publicKey: site.publicKey });
  socket.cut();
  await look(4);
  const list = async (query: string): Promise<string[]> =>
    (await rest('GET', `conversations?queue=open&${query}`)).map((one: Json) => one.session_id);
  expect(await list('sort=next_due')).toEqual([second, first, bots]);
  expect(await list('due=soon')).toEqual([second]);
  await look(5);
  expect(await list('due=late')).toEqual([second]);
  expect(await list('due=soon')).toEqual([]);
});

test('a look that crashes reports nothing, and the next one does', async () => {
  await listen();
  await policy();
  const id = await start();
  await look(0);
  at(10);
  const { db } = app.app.database;
  const dying = openDatabase(app.databaseUrl, { max: 1, statementTimeoutMs: 60_000 });
  onTestFinished(() => dying.close());
  const pid =
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(dying.db)).rows[0]?.pid ?? 0;
  const waits = async (): Promise<boolean> =>
    (await sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`.execute(db)).rows
      .length > 0;
  const other = Object.create(worker, {
    transaction: {
      value: (work: (ctx: SiteContext) => Promise<void>) =>
        dying.db
          .transaction()
          .execute((own) => work(Object.create(worker, { db: { value: own }, now: { value: () => now } }))),
    },
  }) as SiteContext;
  let died: Promise<string> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`select from chat_slas where site_id = ${site.site.id} for update`.execute(tx);
    died = chatSlaClock.run(other, 0).then(
      () => 'lived',
      () => 'died',
    );
    await until(waits);
    await sql`select pg_terminate_backend(${pid})`.execute(db);
  });
  expect(await died).toBe('died');
  expect(await told()).toEqual([]);
  expect(await look(11)).toBe(true);
  expect(await told()).toEqual([
    { event: 'sla_breached', target: 'first_response', session_id: id, due_utc: iso(10) },
  ]);
});

test('a message costs no additional statement, with or without a policy', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  onTestFinished(() => socket.cut());
  await patch(id, { status: 'waiting' });
  const asked: string[] = [];
  const query = pg.Client.prototype.query;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  pg.Client.prototype.query = function counting(this: pg.Client, ...parts: unknown[]) {
    const [one] = parts as [string | { text: string }];
    asked.push(typeof one === 'string' ? one : one.text);
    return Reflect.apply(query, this, parts);
  } as typeof query;
  let sent = 0;
  /** The statements for a message that are about chats, without those of the rest of the process. */
  const statementsOf = async (): Promise<number> => {
    asked.length = 0;
    const client_id = crypto.randomUUID();
    await socket.call('chat.send', { session_id: id, client_id, text: `Message ${++sent}` });
    return asked.filter((text) => /conversations|messages|chat_slas|sla_policies/.test(text)).length;
  };
  await statementsOf();
  const before = await statementsOf();
  await policy();
  await statementsOf();
  expect(await statementsOf()).toBe(before);
  expect(await isDue()).toBe(true);
});

test('a failing chat blocks no other, and is tried again ten minutes later', async () => {
  await listen();
  await policy();
  const bad = await start();
  const good = await start();
  await look(0);
  const began = (minutes: number | null) =>
    sql`update chat_slas s set sla = jsonb_set(s.sla, '{resolution,running}', to_jsonb(${minutes === null ? 'never' : iso(minutes)}::text))
      from conversations c where c.site_id = s.site_id and c.id = s.conversation_id and c.session_id = ${bad}`.execute(
      app.app.database.db,
    );
  await began(null);
  expect(await look(6)).toBe(true);
  const warned = { event: 'sla_warning', target: 'first_response', due_utc: iso(10) };
  expect(await told()).toEqual([{ ...warned, session_id: good }]);
  await began(0);
  expect(await look(9)).toBe(false);
  expect(await look(16)).toBe(true);
  expect(await told()).toContainEqual({ ...warned, event: 'sla_breached', session_id: bad });
});
