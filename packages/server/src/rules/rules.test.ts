import { randomUUID } from 'node:crypto';
import type { Rule, RuleRun } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { findDue } from '../../test/find-due.ts';
import { until } from '../../test/harness.ts';
import { openChat } from '../../test/stand.ts';
import type { SiteContext } from '../core/context.ts';
import { openDatabase } from '../db/database.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { ticketClock } from '../tickets/clock.ts';
import { ticketSlaClock } from '../tickets/sla/clock.ts';
import { ruleClock } from './clock.ts';
import { runRuleEvent } from './engine/run-event.ts';

let app: TestApp;
let site: TestSite;
let worker: SiteContext;
let aheadMs = 0;
const now = (): Date => new Date(Date.now() + aheadMs);
const pass = (minutes: number): void => {
  aheadMs += minutes * 60_000;
};
beforeAll(async () => {
  // No background jobs run: the tests say when rules run.
  app = await startTestApp({ FOYER_ROLE: 'web' }, { now });
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  worker = app.app.contextFor(site.site, { kind: 'job' });
});

const rest = async (method: string, path: string, body?: object, token = site.write): Promise<Json> => {
  const answer = await app.rest(token, method, `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
};
let made = 0;
const create = (parts: object): Promise<Rule> =>
  rest('POST', 'rules', {
    name: `Rule ${++made}`,
    trigger: { on: 'ticket_created' },
    actions: [{ type: 'set_priority', priority: 'urgent' }],
    enabled: true,
    ...parts,
  });
const makeTicket = async (parts: object = {}): Promise<number> =>
  (
    await rest('POST', 'tickets', {
      subject: 'Where is it?',
      body: 'My parcel has not come.',
      requester: { key: 'ann', email: 'ann@example.com', name: 'Ann' },
      ...parts,
    })
  ).id;
const ticket = (id: number): Promise<Json> => rest('GET', `tickets?id=${id}`);
const change = (id: number, body: object): Promise<Json> => rest('PATCH', `tickets?id=${id}`, body);
const runs = (query = ''): Promise<RuleRun[]> => rest('GET', `rule_runs?order=asc${query}`);

const jobNamed = (wanted: string): RecurringJob => {
  const found = ruleClock.find(({ name }) => name === wanted);
  if (!found) throw new Error(`no job ${wanted}`);
  return found;
};
const [job, looks] = [jobNamed('rules.run'), jobNamed('rules.look')];
const dueOf = async (one: RecurringJob): Promise<number[]> =>
  (await findDue(one, app.app.database.db, now(), 1_000))
    .filter(({ siteId }) => siteId === site.site.id)
    .map(({ id }) => id);
const due = (): Promise<number[]> => dueOf(job);
/** Until no event is left, and nothing is due by time. */
async function settle(): Promise<void> {
  for (const id of await dueOf(looks)) await looks.run(worker, id);
  for (let ids = await due(); ids.length > 0; ids = await due())
    for (const id of ids) await job.run(worker, id);
}

test('a rule changes the records that its conditions match, and nothing else', async () => {
  const { id } = await create({
    conditions: {
      all: [
        { any: [{ tag: 'vip' }, { contains: 'REFUND' }] },
        { none: [{ status: 'closed' }, { priority: 'low' }] },
        { attribute: 'email', op: 'contains', value: 'example.com' },
      ],
    },
    actions: [
      { type: 'set_priority', priority: 'high' },
      { type: 'add_tags', tags: ['seen'] },
      { type: 'note', body: 'Of {{visitor.name}}' },
    ],
  });
  const tagged = await makeTicket({ tags: ['VIP'] });
  const said = await makeTicket({ body: 'I want a refund now' });
  const low = await makeTicket({ tags: ['vip'], priority: 'low' });
  const other = await makeTicket();
  await settle();
  expect(await ticket(tagged)).toMatchObject({ priority: 'high', tags: ['seen', 'VIP'] });
  expect(await ticket(said)).toMatchObject({ priority: 'high', tags: ['seen'] });
  expect((await ticket(said)).replies).toMatchObject([
    { type: 'note', body: 'Of Ann', author: { type: 'system' } },
  ]);
  expect(await ticket(low)).toMatchObject({ priority: 'low', tags: ['VIP'] });
  expect(await ticket(other)).toMatchObject({ priority: 'normal', tags: [] });
  const log = await runs();
  expect(log).toMatchObject([
    {
      rule: { id },
      ticket_id: tagged,
      title: 'Where is it?',
      outcome: 'done',
      event: 'ticket_created',
      message: null,
      chain: [],
    },
    { rule: { id }, ticket_id: said, outcome: 'done' },
  ]);
  expect(log.map(({ because }) => because[0])).toEqual([{ tag: 'vip' }, { contains: 'REFUND' }]);
});

test('changes that no enabled rule is for aren’t stored', async () => {
  await create({ enabled: false });
  await create({ trigger: { on: 'ticket_replied' } });
  await makeTicket();
  expect(await due()).toEqual([]);
});

test('rules run in their order, each sees the results of the one before, and a final one ends it', async () => {
  const last = await create({ actions: [{ type: 'add_tags', tags: ['never'] }] });
  await create({
    position: 1,
    conditions: { all: [{ priority: 'high' }] },
    actions: [{ type: 'add_tags', tags: ['second'] }],
    final: true,
  });
  const first = await create({ position: 1, actions: [{ type: 'set_priority', priority: 'high' }] });
  const order: Rule[] = await rest('GET', 'rules?order=asc');
  expect(order.map(({ position }) => position)).toEqual([1, 2, 3]);
  expect([order[0]?.id, order[2]?.id]).toEqual([first.id, last.id]);
  const id = await makeTicket();
  await settle();
  expect(await ticket(id)).toMatchObject({ priority: 'high', tags: ['second'] });
  await rest('DELETE', `rules?id=${first.id}`);
  const second = await makeTicket();
  await settle();
  expect(await ticket(second)).toMatchObject({ priority: 'normal', tags: ['never'] });
});

test('a rule does not trigger itself, and of contradicting rules the later one wins', async () => {
  const trigger = { on: 'ticket_updated' };
  const high = await create({ trigger, actions: [{ type: 'set_priority', priority: 'high' }] });
  const low = await create({ trigger, actions: [{ type: 'set_priority', priority: 'low' }] });
  const id = await makeTicket();
  await change(id, { subject: 'Other' });
  await settle();
  expect(await ticket(id)).toMatchObject({ priority: 'low' });
  expect((await runs()).map(({ rule, chain }) => [rule.id, chain])).toEqual([
    [high.id, []],
    [low.id, [high.id]],
  ]);
});

test('a change by a rule triggers other rules, which know where it came from', async () => {
  const first = await create({ actions: [{ type: 'add_tags', tags: ['late'] }] });
  const second = await create({
    trigger: { on: 'ticket_updated', changed: ['tags'] },
    actions: [{ type: 'set_priority', priority: 'urgent' }],
  });
  await create({
    trigger: { on: 'ticket_updated', changed: ['subject'] },
    actions: [{ type: 'note', body: 'No' }],
  });
  const id = await makeTicket();
  await settle();
  expect(await ticket(id)).toMatchObject({ tags: ['late'], priority: 'urgent', replies: [] });
  expect((await runs()).map(({ rule, chain }) => [rule.id, chain])).toEqual([
    [first.id, []],
    [second.id, [first.id]],
  ]);
});

test('a long chain of rules is stopped, and so is a loop through another program', async () => {
  for (let step = 0; step < 12; step += 1)
    await create({
      trigger: { on: 'ticket_updated' },
      conditions: { all: [{ tag: `step ${step}` }, { none: [{ tag: `step ${step + 1}` }] }] },
      position: 1,
      actions: [{ type: 'add_tags', tags: [`step ${step + 1}`] }],
    });
  const id = await makeTicket();
  await change(id, { tags: ['step 0'] });
  await settle();
  expect((await ticket(id)).tags).toHaveLength(11);
  expect((await runs()).at(-1)).toMatchObject({
    outcome: 'stopped',
    message: expect.stringContaining('10 rules'),
  });

  const echo = await create({
    trigger: { on: 'ticket_updated', changed: ['subject'] },
    actions: [{ type: 'note', body: 'x' }],
  });
  for (let turn = 0; turn < 32; turn += 1) {
    await change(id, { subject: `Turn ${turn}` });
    await settle();
  }
  const outcomes = (await runs(`&rule_id=${echo.id}`)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array.from({ length: 30 }, () => 'done'), 'stopped', 'stopped']);
});

test('if an action fails, the whole rule is undone, the log gives the reason, and other rules run', async () => {
  const failing = await create({
    actions: [
      { type: 'add_tags', tags: ['half'] },
      { type: 'set_status', status: 'new' },
    ],
  });
  await create({ trigger: { on: 'ticket_updated' }, actions: [{ type: 'add_tags', tags: ['other'] }] });
  await rest('PATCH', `rules?id=${failing.id}`, { trigger: { on: 'ticket_updated' } });
  const id = await makeTicket();
  await change(id, { status: 'pending' });
  await settle();
  expect(await ticket(id)).toMatchObject({ status: 'pending', tags: ['other'] });
  const failed = await runs(`&rule_id=${failing.id}`);
  expect(failed[0]).toMatchObject({ outcome: 'failed', message: expect.stringContaining('pending') });
  const idle = await create({ trigger: { on: 'ticket_replied' } });
  const { body } = await app.desk(await app.signIn(site.admin.email), 'rules.uses');
  expect(body.data.rules).toMatchObject([
    { id: failing.id, failures: failed.length, last_run_utc: failed.at(-1)?.created_utc },
    { failures: 0, last_run_utc: expect.any(String) },
    { id: idle.id, failures: 0, last_run_utc: null },
  ]);
});

test('two processes run a change once, and one that dies in between leaves it for the other', async () => {
  await create({ actions: [{ type: 'note', body: 'Once' }] });
  const id = await makeTicket();
  const [event = 0] = await due();
  await Promise.all([runRuleEvent(worker, event), runRuleEvent(worker, event), runRuleEvent(worker, event)]);
  expect((await ticket(id)).replies).toHaveLength(1);
  expect(await runs()).toHaveLength(1);

  const dying = openDatabase(app.databaseUrl, { max: 1, statementTimeoutMs: 60_000 });
  const { db } = app.app.database;
  const next = await makeTicket();
  const [left = 0] = await due();
  try {
    const pid =
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(dying.db)).rows[0]?.pid ?? 0;
    const waits = async () =>
      (await sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`.execute(db))
        .rows.length > 0;
    let died: Promise<unknown> | undefined;
    await db.transaction().execute(async (tx) => {
      await sql`select from tickets where site_id = ${site.site.id} and id = ${next} for update`.execute(tx);
      const other = Object.create(worker, {
        transaction: {
          value: (work: (ctx: SiteContext) => Promise<void>) =>
            dying.db.transaction().execute((own) => work(Object.create(worker, { db: { value: own } }))),
        },
      }) as SiteContext;
      died = runRuleEvent(other, left).then(
        () => 'lived',
        () => 'died',
      );
      await until(waits);
      await sql`select pg_terminate_backend(${pid})`.execute(db);
    });
    expect(await died).toBe('died');
  } finally {
    await dying.close();
  }
  expect(await due()).toEqual([left]);
  expect((await ticket(next)).replies).toEqual([]);
  await settle();
  expect((await ticket(next)).replies).toHaveLength(1);
});

test('in a chat a rule answers under the bot’s name, and the visitor still waits for the team', async () => {
  await rest('POST', 'rules', {
    name: 'Busy',
    enabled: true,
    trigger: { on: 'message_created', from: 'visitor' },
    conditions: { all: [{ contains: 'order' }] },
    actions: [
      { type: 'reply', body: 'Hello {{visitor.name}}from {{site.name}}' },
      { type: 'add_tags', tags: ['orders'] },
      { type: 'stop_bot' },
    ],
  });
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await settle();
  expect(await runs()).toEqual([]);
  await socket.call('chat.send', { session_id: id, client_id: randomUUID(), text: 'Where is my order?' });
  await settle();
  const { message } = await socket.next('message', ({ message: said }) =>
    said.text.endsWith('Lantern & Loom'),
  );
  expect(message).toMatchObject({ sender: 'bot' });
  const chat = await rest('GET', `conversations?session_id=${id}`);
  expect(chat).toMatchObject({
    status: 'waiting',
    tags: ['orders'],
    unanswered_since_utc: expect.any(String),
  });
  expect(await runs(`&session_id=${id}`)).toMatchObject([
    { outcome: 'done', session_id: id, ticket_id: null },
  ]);
  socket.cut();
});

test('a rule asks for a rating of a closed chat once, and not of one that was rated', async () => {
  const asking = { trigger: { on: 'conversation_closed' }, actions: [{ type: 'request_rating' }] };
  await create(asking);
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  const read = (): Promise<Json> => rest('GET', `conversations?session_id=${id}`);
  expect(await read()).toMatchObject({ rating_requested: false });
  await rest('PATCH', `conversations?session_id=${id}`, { status: 'closed' });
  await settle();
  expect(await read()).toMatchObject({ rating_requested: true });
  await socket.next('session', ({ session }) => session.rating_requested);
  const since = async (): Promise<unknown> =>
    (
      await sql<{
        at: Date;
      }>`select rating_requested_at as at from conversations where session_id = ${id}`.execute(
        app.app.database.db,
      )
    ).rows[0]?.at;
  const first = await since();
  await rest('PATCH', `conversations?session_id=${id}`, { status: 'waiting' });
  pass(1);
  await rest('PATCH', `conversations?session_id=${id}`, { status: 'closed' });
  await settle();
  expect(await runs()).toHaveLength(2);
  expect(await since()).toEqual(first);
  socket.cut();

  const rated = await openChat({ url: app.url, publicKey: site.publicKey });
  await rest('PATCH', `conversations?session_id=${rated.id}`, { status: 'closed' });
  await rated.socket.call('chat.rate', { session_id: rated.id, rating: 5 });
  const other = (): Promise<Json> => rest('GET', `conversations?session_id=${rated.id}`);
  await until(async () => (await other()).rating === 5);
  await settle();
  expect(await other()).toMatchObject({ rating: 5, rating_requested: false });
  rated.socket.cut();
});

test('assigning a chat to a team, by hand or by a rule, triggers a rule, and keeping its team doesn’t', async () => {
  const teams = ['Sales', 'Billing'].map((name) => rest('POST', 'teams', { name }));
  const [sales, billing] = (await Promise.all(teams)).map(({ id }) => id);
  const trigger = { on: 'conversation_team_changed' };
  await create({
    trigger,
    conditions: { all: [{ team_id: sales }] },
    actions: [{ type: 'assign_team', team_id: billing }],
  });
  await create({
    trigger,
    conditions: { all: [{ team_id: billing }] },
    actions: [{ type: 'add_tags', tags: ['bills'] }],
  });
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  const give = (team_id: number): Promise<Json> =>
    rest('PATCH', `conversations?session_id=${id}`, { team_id });
  await give(sales);
  await settle();
  expect(await give(billing)).toMatchObject({ team: { name: 'Billing' }, tags: ['bills'] });
  await settle();
  expect(await runs()).toHaveLength(2);
  socket.cut();
});

test('a chat is assigned, noted and closed in the name of the agent who saved the rule', async () => {
  const cookie = await app.signIn(site.admin.email);
  const saved = await app.desk(cookie, 'rules.create', {
    name: 'By hand',
    enabled: true,
    trigger: { on: 'handoff' },
    actions: [
      { type: 'assign', assignee_id: site.admin.agentId },
      { type: 'note', body: 'Look here' },
      { type: 'set_priority', priority: 'high' },
    ],
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await rest('PATCH', `conversations?session_id=${id}`, { status: 'waiting' });
  await settle();
  const chat = await rest('GET', `conversations?session_id=${id}`);
  expect(chat).toMatchObject({
    status: 'active',
    notes: [{ text: 'Look here', author: { id: site.admin.agentId } }],
  });
  socket.cut();
});

test('a rule is tested on the newest records without changing any', async () => {
  const [first, second] = [await makeTicket({ tags: ['vip'] }), await makeTicket()];
  const trial = await rest(
    'POST',
    'rule_trials',
    {
      trigger: { on: 'ticket_updated', changed: ['tags'] },
      conditions: { any: [{ tag: 'vip' }, { event: 'order', op: 'gte', count: 1 }] },
    },
    site.read,
  );
  expect(trial).toEqual({
    tried: 2,
    matched: 1,
    examples: [{ ticket_id: first, session_id: null, title: 'Where is it?', because: [{ tag: 'vip' }] }],
  });
  expect(await rest('POST', 'rule_trials', { trigger: { on: 'ticket_created' }, limit: 1 })).toMatchObject({
    tried: 1,
    matched: 1,
    examples: [{ ticket_id: second }],
  });
  expect(await rest('POST', 'rule_trials', { trigger: { on: 'handoff' } })).toMatchObject({ tried: 0 });
});

test('a warning and a late ticket trigger their rules once', async () => {
  await rest('POST', 'sla_policies', {
    name: 'Standard',
    targets: { first_response: { normal: 60 } },
    warn_minutes: 20,
  });
  const act = (on: string, tag: string) =>
    create({ trigger: { on }, actions: [{ type: 'add_tags', tags: [tag] }] });
  const [warning, late] = [await act('sla_warning', 'soon'), await act('sla_breached', 'late')];
  const id = await makeTicket();
  const solved = await makeTicket();
  await change(solved, { status: 'solved' });
  for (const minutes of [39, 41, 42, 61, 62]) {
    const now = new Date(Date.now() + minutes * 60_000);
    await ticketSlaClock.run(app.app.contextFor(site.site, { kind: 'job' }, { past: () => now }), 0);
    await settle();
  }
  expect((await ticket(id)).tags).toEqual(['late', 'soon']);
  expect(await runs()).toMatchObject([
    { rule: { id: warning.id }, ticket_id: id, event: 'sla_warning', outcome: 'done' },
    { rule: { id: late.id }, ticket_id: id, event: 'sla_breached', outcome: 'done' },
  ]);
});

const tags = async (id: number): Promise<string[]> => (await ticket(id)).tags;
const timed = (on: string, minutes: number, tag: string, parts: object = {}): Promise<Rule> =>
  create({ trigger: { on, minutes }, actions: [{ type: 'add_tags', tags: [tag] }], ...parts });
const answerTicket = (id: number, body = 'Here it is'): Promise<Json> =>
  rest('POST', 'ticket_reply', { ticket_id: id, type: 'public', body });

test('time triggers a rule once for each occasion, and only for waits that begin after it was enabled', async () => {
  const old = await makeTicket();
  pass(120);
  await timed('ticket_waiting', 60, 'waits');
  await timed('ticket_idle', 90, 'idle');
  const solved = await makeTicket();
  await change(solved, { status: 'open' });
  await change(solved, { status: 'solved' });
  const id = await makeTicket();
  await settle();
  pass(59);
  await settle();
  expect(await tags(id)).toEqual([]);
  pass(1);
  await settle();
  await settle();
  expect([await tags(id), await tags(old), await tags(solved)]).toEqual([['waits'], [], []]);
  expect(await runs()).toHaveLength(1);
  await answerTicket(id);
  pass(89);
  await settle();
  expect(await runs()).toHaveLength(1);
  pass(1);
  await settle();
  expect(await tags(id)).toEqual(['idle', 'waits']);
  pass(500);
  await settle();
  expect(await runs()).toHaveLength(2);
});

test('a rule’s own message doesn’t make a ticket idle again, a person’s message does', async () => {
  await create({
    trigger: { on: 'ticket_idle', minutes: 10 },
    actions: [{ type: 'reply', body: 'Still there?' }],
  });
  const id = await makeTicket();
  for (let turn = 0; turn < 4; turn += 1) {
    pass(11);
    await settle();
  }
  expect((await ticket(id)).replies).toHaveLength(1);
  pass(1);
  await answerTicket(id, 'Yes, we are here');
  for (let turn = 0; turn < 4; turn += 1) {
    pass(11);
    await settle();
  }
  expect((await ticket(id)).replies).toHaveLength(3);
});

test('many that are due at once are all found by several workers, and none twice', async () => {
  await timed('ticket_waiting', 5, 'late');
  await settle();
  const { rows } = await sql<{ id: number }>`
    with asked as (select requester_id from tickets where id = ${await makeTicket()})
    insert into tickets (site_id, subject, description, requester_id, created_at, last_activity_at, unanswered_since)
    select ${site.site.id}, 'Due ' || n, 'Text', requester_id, at, at, at
    from asked, generate_series(1, 250) n, lateral (select ${now()}::timestamptz + (n / 3) * interval '1 ms' as at) x
    returning id`.execute(app.app.database.db);
  pass(6);
  const [rule = 0] = await dueOf(looks);
  for (let turn = 0; turn < 4; turn += 1)
    await Promise.all([looks.run(worker, rule), looks.run(worker, rule), looks.run(worker, rule)]);
  const { rows: stored } = await sql<{ ticket_id: number }>`
    select ticket_id from rule_events where site_id = ${site.site.id}`.execute(app.app.database.db);
  expect(stored).toHaveLength(251);
  expect(new Set(stored.map((one) => one.ticket_id)).size).toBe(251);
  expect(stored.map((one) => one.ticket_id)).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
  await sql`delete from rule_events where site_id = ${site.site.id}`.execute(app.app.database.db);
});

test('the end of a snooze, and activity on the site of a visitor with an open chat, trigger rules', async () => {
  const tagging = (trigger: object, tag: string) =>
    create({ trigger, actions: [{ type: 'add_tags', tags: [tag] }] });
  await tagging({ on: 'snooze_over' }, 'woken');
  await tagging({ on: 'event_tracked', name: 'order' }, 'ordered');
  await tagging({ on: 'page_viewed', page: '/Checkout' }, 'checkout');
  await tagging({ on: 'visitor_identified' }, 'known');
  const id = await makeTicket();
  await rest('POST', 'ticket_snooze', { ticket_id: id, minutes: 60 });
  pass(61);
  const wake = ticketClock.find(({ name }) => name === 'tickets.wake');
  await wake?.run(worker, 0);
  await settle();
  expect(await tags(id)).toEqual(['woken']);

  const { socket, id: chat } = await openChat({ url: app.url, publicKey: site.publicKey });
  const { visitor } = await rest('GET', `conversations?session_id=${chat}`);
  await rest('POST', 'track', { key: visitor.key, name: 'order' });
  await rest('POST', 'track', { key: visitor.key, name: 'other' });
  await rest('POST', 'track', { key: 'nobody', name: 'order' });
  await rest('POST', 'visitors', { key: visitor.key, name: 'Ann' });
  const before = (await due()).length;
  socket.send({ type: 'page', page_url: 'https://shop.example/help' });
  socket.send({ type: 'page', page_url: 'https://shop.example/checkout?step=1' });
  await until(async () => (await due()).length === before + 2);
  await settle();
  expect(await runs(`&session_id=${chat}`)).toHaveLength(3);
  const seen = await rest('GET', `conversations?session_id=${chat}`);
  expect(seen.tags).toEqual(['checkout', 'known', 'ordered']);
  socket.cut();
});

test('a rule sets fields, calls one webhook and blocks, and other webhooks get nothing', async () => {
  const field = {
    applies_to: 'tickets',
    key: 'plan',
    name: 'Plan',
    kind: 'choice',
    choices: ['Free', 'Pro'],
  };
  await rest('POST', 'fields', field);
  const hook = { url: 'https://receiver.example/a', events: ['webhook_called'] };
  const called = await rest('POST', 'webhook_subscriptions', hook);
  await rest('POST', 'webhook_subscriptions', { ...hook, url: 'https://receiver.example/b' });
  const { id: ruleId } = await create({
    conditions: { all: [{ custom_field: 'plan', op: 'eq', value: 'FREE' }] },
    actions: [
      { type: 'set_field', field: 'plan', value: 'pro' },
      { type: 'call_webhook', webhook_id: called.id },
      { type: 'block' },
    ],
  });
  const [matching, other] = [await makeTicket({ fields: { plan: 'Free' } }), await makeTicket()];
  await settle();
  expect(await ticket(matching)).toMatchObject({ fields: { plan: 'Pro' } });
  expect(await ticket(other)).toMatchObject({ fields: {} });
  const deliveries: Json[] = await rest('GET', 'webhook_deliveries');
  expect(deliveries.map(({ subscription_id, payload }) => [subscription_id, payload])).toEqual([
    [
      called.id,
      expect.objectContaining({
        event: 'webhook_called',
        ticket_id: matching,
        session_id: null,
        rule_id: ruleId,
        visitor: { key: 'ann', name: 'Ann', email: 'ann@example.com' },
        by: null,
      }),
    ],
  ]);
  const { rows } = await sql`
    select from visitors where site_id = ${site.site.id} and key = 'ann' and blocked_at is not null`.execute(
    app.app.database.db,
  );
  expect(rows).toHaveLength(1);
});

test('conditions on custom fields compare numbers, dates, choices, yes and no, of tickets and chats', async () => {
  const make = (key: string, kind: string, choices?: string[]): Promise<Json> =>
    rest('POST', 'fields', { applies_to: 'tickets', key, name: key, kind, ...(choices && { choices }) });
  await make('seats', 'number');
  await make('renewal', 'date');
  await make('topics', 'choices', ['Billing', 'Login']);
  await make('vip', 'yes_no');
  await make('note', 'text');
  const fields = { seats: 25, renewal: '2027-01-31', topics: ['Login'], vip: true, note: 'Ask Bob first' };
  const full = await makeTicket({ fields });
  const empty = await makeTicket();
  const found = async (custom_field: string, op: string, value?: unknown): Promise<number[]> => {
    const condition = { custom_field, op, ...(value !== undefined && { value }) };
    const body = { trigger: { on: 'ticket_created' }, conditions: { all: [condition] } };
    const { examples } = await rest('POST', 'rule_trials', body);
    return examples.map((one: Json) => one.ticket_id);
  };
  expect(await found('seats', 'gt', 24.5)).toEqual([full]);
  expect(await found('seats', 'lt', 25)).toEqual([]);
  expect(await found('seats', 'eq', 25)).toEqual([full]);
  expect(await found('renewal', 'lt', '2027-02-01')).toEqual([full]);
  expect(await found('renewal', 'gt', '2027-02-01')).toEqual([]);
  expect(await found('topics', 'eq', 'login')).toEqual([full]);
  expect(await found('topics', 'ne', 'Login')).toEqual([empty]);
  expect(await found('vip', 'eq', true)).toEqual([full]);
  expect(await found('note', 'contains', 'BOB')).toEqual([full]);
  expect(await found('note', 'unset')).toEqual([empty]);
  expect(await found('note', 'set')).toEqual([full]);
  expect(await found('never', 'set')).toEqual([]);
});

test('a rule that names a deleted record fails in the log, and is switched off after ten failures in a row', async () => {
  const field = await rest('POST', 'fields', {
    applies_to: 'tickets',
    key: 'plan',
    name: 'Plan',
    kind: 'text',
  });
  const team = await rest('POST', 'teams', { name: 'Billing' });
  const acting = await create({ actions: [{ type: 'assign_team', team_id: team.id }] });
  const setting = await create({ actions: [{ type: 'set_field', field: 'plan', value: 'x' }] });
  const asking = await create({ conditions: { none: [{ custom_field: 'plan', op: 'set' }] } });
  const fine = await create({ actions: [{ type: 'add_tags', tags: ['fine'] }] });
  await rest('DELETE', `fields?id=${field.id}`);
  await rest('DELETE', `teams?id=${team.id}`);
  const first = await makeTicket();
  await settle();
  expect(await ticket(first)).toMatchObject({ priority: 'normal', team: null, tags: ['fine'] });
  const log = await runs();
  expect(Object.fromEntries(log.map(({ rule, outcome, message }) => [rule.id, [outcome, message]]))).toEqual({
    [acting.id]: ['failed', 'No such team.'],
    [setting.id]: ['failed', expect.stringContaining('isn’t a field of tickets')],
    [asking.id]: ['failed', 'The conditions name the field plan, which tickets don’t have.'],
    [fine.id]: ['done', null],
  });
  expect(
    Object.fromEntries(
      log.map(({ rule, failure }) => [rule.id, failure && [failure.reason, failure.values]]),
    ),
  ).toEqual({
    [acting.id]: ['rule_record_gone', undefined],
    [setting.id]: ['rule_field_refused', undefined],
    [asking.id]: ['rule_names_ticket_field', { name: 'plan' }],
    [fine.id]: null,
  });
  for (let turn = 2; turn <= 10; turn += 1) await makeTicket();
  await settle();
  const reason = 'It failed 10 times in a row. The last time: No such team.';
  expect(await rest('GET', `rules?id=${acting.id}`)).toMatchObject({
    enabled: false,
    disabled_reason: reason,
    disabled_failure: { code: 'not_found', message: 'No such team.', reason: 'rule_record_gone' },
  });
  expect(await rest('GET', `rules?id=${fine.id}`)).toMatchObject({ enabled: true, disabled_reason: null });
  await makeTicket();
  await settle();
  expect(await runs(`&rule_id=${acting.id}`)).toHaveLength(10);
  const again = await rest('PATCH', `rules?id=${acting.id}`, { enabled: true });
  expect(again).toMatchObject({ enabled: true, disabled_reason: null, disabled_failure: null });
  const refused = await app.rest(site.write, 'PATCH', `/v1/rules?id=${acting.id}`, {
    conditions: { all: [{ custom_field: 'plan', op: 'set' }] },
  });
  expect(refused.status).toBe(400);
});

test('an agent who saves a rule needs the permissions for its actions', async () => {
  const admin = await app.signIn(site.admin.email);
  const role = await app.desk(admin, 'roles.create', {
    name: 'Automator',
    description: '',
    permissions: ['workflow', 'answer'],
  });
  expect(role.status, JSON.stringify(role.body)).toBe(200);
  const email = `${randomUUID()}@example.com`;
  const { id } = await makeAgent(site.operator, { email, name: 'Grace', role: 'agent' });
  const set = { id, role: 'agent', custom_role_id: role.body.data.id };
  expect((await app.desk(admin, 'agents.set_role', set)).status).toBe(200);
  const cookie = await app.signIn(email);
  const save = async (name: string, type: string): Promise<number> => {
    const actions = [type === 'block' ? { type } : { type, tags: ['a'] }];
    const saved = await app.desk(cookie, 'rules.create', {
      name,
      trigger: { on: 'ticket_created' },
      actions,
    });
    return saved.status;
  };
  expect(await save('Tags', 'add_tags')).toBe(200);
  expect(await save('Blocks', 'block')).toBe(403);
});

test('rules follow a renamed tag, in conditions and actions', async () => {
  const { id: tag } = await rest('POST', 'tags', { name: 'old' });
  const conditions = (name: string) => ({ all: [{ contains: 'old' }, { none: [{ tag: name }] }] });
  const { id } = await create({
    conditions: conditions('OLD'),
    actions: [{ type: 'add_tags', tags: ['Old', 'other'] }],
  });
  const other = await create({ conditions: { all: [{ tag: 'older' }] } });
  await rest('PATCH', `tags?id=${tag}`, { name: 'new' });
  expect(await rest('GET', `rules?id=${id}`)).toMatchObject({
    conditions: conditions('new'),
    actions: [{ type: 'add_tags', tags: ['new', 'other'] }],
  });
  expect(await rest('GET', `rules?id=${other.id}`)).toEqual(other);
});

test('spam and a deleted ticket trigger nothing', async () => {
  await create({});
  const spam = await makeTicket();
  await rest('POST', 'spam', { ticket_id: spam, spam: true });
  const gone = await makeTicket();
  await rest('POST', 'tickets_bulk', { ids: [gone], action: 'delete' });
  await settle();
  expect(await runs()).toEqual([]);
});

test('agents read rules and the log, only admins change them; wrong conditions are named', async () => {
  const made = await create({});
  const refused = async (body: object): Promise<Json> => {
    const answer = await app.rest(site.write, 'PATCH', `/v1/rules?id=${made.id}`, body);
    expect(answer.status).toBe(400);
    return answer.body.error.issues ?? answer.body.error.details;
  };
  await refused({ conditions: { all: [] } });
  await refused({ conditions: { all: [{}] } });
  await refused({ conditions: { all: [{ all: [{ all: [{ all: [{ tag: 'a' }] }] }] }] } });
  await refused({ conditions: { all: [{ nothing: 1 }] } });
  await refused({ trigger: { on: 'ticket_created', changed: ['tags'] } });
  await refused({ actions: [] });
  const answer = await app.rest(site.write, 'PATCH', `/v1/rules?id=${made.id}`, {
    actions: [{ type: 'assign', assignee_id: 2 ** 53 - 1 }],
  });
  expect(answer.status).toBe(404);
  expect(await rest('GET', `rules?id=${made.id}`)).toEqual(made);
  expect((await app.rest(site.read, 'PATCH', `/v1/rules?id=${made.id}`, { enabled: false })).status).toBe(
    403,
  );
});

test('runs are deleted after a month', async () => {
  await create({});
  await makeTicket();
  await settle();
  const forget = jobNamed('rules.forget_runs');
  expect(await dueOf(forget)).toEqual([]);
  pass(31 * 24 * 60);
  expect(await dueOf(forget)).not.toEqual([]);
  await forget.run(worker, 0);
  expect(await runs()).toEqual([]);
});
