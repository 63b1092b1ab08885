import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { findRunningPostgres } from '../../src/db/embedded/embedded.ts';
import { makeAgent } from '../accounts.ts';
import type { Json } from '../app.ts';
import { type Installation, makeInstallation } from '../foyer-process.ts';
import { TEST_SECRET, until } from '../harness.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { answerWith, type Receiver, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';
import { makeStand, type Stand } from '../stand.ts';
import { holdUp } from '../waiting.ts';

// Two processes on one database; the one that is routing, running a rule or reporting an SLA is killed in the middle of
// its transaction, and the other does it.

/** The second process's database user, which identifies its waiting connections. */
const BESIDE = 'beside';

let stand: Stand;
let beside: Installation;
let database: string;
let receiver: Receiver;
let mailbox: Mailbox;
let webhookId = 0;
let cookies: string[];
/** The desks of both agents at both processes, so that the remaining process has them. */
let desks: TestSocket[] = [];

beforeAll(async () => {
  [mailbox, receiver] = await Promise.all([startMailbox(), startReceiver(answerWith(204))]);
  const environment = {
    FOYER_SECRET: TEST_SECRET,
    SMTP_URL: mailbox.url,
    FOYER_MAIL_FROM: 'help@killed.example',
  };
  stand = await makeStand(environment);
  database = (await findRunningPostgres(stand.foyer.dataDir))?.url ?? '';
  await sql`create role ${sql.ref(BESIDE)} superuser login password ${sql.lit(TEST_SECRET)}`.execute(
    stand.database.db,
  );
  const theirs = new URL(database);
  theirs.username = BESIDE;
  theirs.password = encodeURIComponent(TEST_SECRET);
  beside = await makeInstallation({
    ...environment,
    DATABASE_URL: theirs.href,
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  await beside.start();
  const ben = { email: 'ben@killed.example', name: 'Ben', role: 'agent' } as const;
  await makeAgent(stand.operator, ben);
  cookies = [await stand.signIn(), await stand.signIn(ben.email)];
  const events = ['conversation_assigned', 'ticket_updated', 'sla_breached'];
  webhookId = (await make('webhook_subscriptions', { url: receiver.url, events })).id;
});
afterAll(async () => {
  await beside.remove();
  await receiver.close();
  await stand.strike();
  await mailbox.close();
});
beforeEach(async () => {
  desks = await Promise.all(
    [stand.url, beside.url].flatMap((url) => cookies.map((cookie) => TestSocket.agent(url, cookie))),
  );
});
afterEach(() => {
  for (const desk of desks) desk.cut();
});

async function make(path: string, body: object): Promise<Json> {
  const answer = await stand.rest('POST', `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

let made = 0;
async function makeTicket(): Promise<number> {
  made += 1;
  const requester = { key: `user_${made}`, email: `user${made}@killed.example`, name: 'Maya' };
  return (await make('tickets', { subject: 'A lamp', body: 'It broke.', requester })).id;
}

/** Rows of a statement, as the database has them now. */
async function rowsOf<T>(statement: RawBuilder<T>): Promise<T[]> {
  return (await statement.execute(stand.database.db)).rows;
}

/** The ids of the events about a chat or ticket that the receiver got; a delivery that was repeated has the same. */
function told(event: string, about: string | number): string[] {
  const ids = receiver.requests
    .map(({ body }): Json => JSON.parse(body))
    .filter((body) => body.event === event && [body.session_id, body.ticket_id].includes(about))
    .map(({ id }) => id);
  return [...new Set<string>(ids)];
}

/** The number of notifications of one kind for each agent. */
const notified = async (kind: string): Promise<number[]> =>
  (await rowsOf(sql<{ count: number }>`select count from notifications where kind = ${kind}`)).map(
    ({ count }) => count,
  );

const historyOf = async (ticketId: number): Promise<string[]> =>
  (
    await rowsOf(sql<{ action: string }>`
      select action from audit_entries where subject = 'ticket' and subject_id = ${ticketId} order by id`)
  ).map(({ action }) => action);

/** Changes that rules have not processed, and jobs that have not run. */
const LEFT = sql`select id::text from rule_events union all select id::text from foyer_jobs.job where state < 'completed'`;

/**
 * Lets a process begin with due work, kills it when it writes to a table, and waits until the other one has done it.
 * Both run again afterwards.
 * @param stored counts the stored results
 */
async function killWhileWriting(
  table: string,
  { begin, stored, all }: { begin(): Promise<unknown>; stored: RawBuilder<{ count: number }>; all: number },
): Promise<void> {
  const count = async (): Promise<number> => (await rowsOf(stored))[0]?.count ?? 0;
  const holder = await holdUp(database);
  await holder.query(`lock table ${table} in share row exclusive mode`);
  await begin();
  await holder.awaited();
  const waiting = await rowsOf(sql<{ role: string }>`
    select distinct a.usename as role from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.relation = ${table}::regclass and not l.granted`);
  const dying = waiting[0]?.role === BESIDE ? beside : stand.foyer;
  await dying.end('SIGKILL');
  const halfDone = await count();
  await holder.commit();
  await until(async () => (await count()) >= all);
  await dying.start();
  expect([waiting.length, halfDone, await count()]).toEqual([1, 0, all]);
}

const setSite = (change: { routing?: 'round_robin'; ticket_routing?: 'round_robin' | 'manual' }) =>
  stand.database.db.updateTable('sites').set(change).execute();

it('chats get one agent each in turn, with one message, one reason, one notification and one event', async () => {
  const ids = await Promise.all(
    ['user_a', 'user_b'].map(async (key): Promise<string> => {
      const { session_id } = await make('conversations', { key, text: 'Hello' });
      await stand.rest('PATCH', `/v1/conversations?session_id=${session_id}`, { status: 'waiting' });
      return session_id;
    }),
  );
  await killWhileWriting('routing_decisions', {
    begin: () => setSite({ routing: 'round_robin' }),
    stored: sql`select count(*)::int as count from conversations where agent_id is not null`,
    all: ids.length,
  });
  for (const id of ids) {
    const { body } = await stand.rest('GET', `/v1/conversations?session_id=${id}`);
    expect(body.data).toMatchObject({ status: 'active', routing: [{ kind: 'assigned', by: 'round_robin' }] });
    await until(async () => told('conversation_assigned', id).length > 0);
    expect(told('conversation_assigned', id)).toHaveLength(1);
  }
  expect(
    await rowsOf(sql`
      select m.text, count(*)::int as times from messages m where m.event = 'agent_joined' group by m.text order by m.text`),
  ).toEqual([
    { text: 'Ada joined the chat.', times: 1 },
    { text: 'Ben joined the chat.', times: 1 },
  ]);
  expect(await notified('chat_assigned')).toEqual([1, 1]);
});

it('tickets get one agent each in turn, with one entry in their history, one notification and one event', async () => {
  const ids = await Promise.all([makeTicket(), makeTicket()]);
  await killWhileWriting('audit_entries', {
    begin: () => setSite({ ticket_routing: 'round_robin' }),
    stored: sql`select count(*)::int as count from tickets where assignee_id is not null`,
    all: ids.length,
  });
  await setSite({ ticket_routing: 'manual' });
  expect(
    await rowsOf(sql`
      select count(distinct assignee_id)::int as agents, count(*)::int as tickets from tickets where status = 'open'`),
  ).toEqual([{ agents: 2, tickets: 2 }]);
  for (const id of ids) {
    expect(await historyOf(id)).toEqual(['created', 'routed']);
    await until(async () => told('ticket_updated', id).length > 0);
    expect(told('ticket_updated', id)).toHaveLength(1);
  }
  expect(await notified('ticket_assigned')).toEqual([1, 1]);
});

it('a rule runs all its actions once, and is logged once', async () => {
  const address = 'lager@killed.example';
  await make('rules', {
    name: 'Stock',
    trigger: { on: 'ticket_created' },
    actions: [
      { type: 'note', body: 'Look whether there is another.' },
      { type: 'add_tags', tags: ['stock'] },
      { type: 'send_email', address, subject: 'A lamp', body: 'Is there another?' },
      { type: 'call_webhook', webhook_id: webhookId },
    ],
    enabled: true,
  });
  let id = 0;
  await killWhileWriting('rule_runs', {
    begin: async () => {
      id = await makeTicket();
    },
    stored: sql`select count(*)::int as count from ticket_replies`,
    all: 1,
  });
  expect((await stand.rest('GET', `/v1/rule_runs?ticket_id=${id}`)).body.data).toMatchObject([
    { rule: { name: 'Stock' }, outcome: 'done' },
  ]);
  expect((await stand.rest('GET', `/v1/tickets?id=${id}`)).body.data).toMatchObject({
    tags: ['stock'],
    replies: [{ type: 'note', body: 'Look whether there is another.' }],
  });
  const mails = () => mailbox.received.filter(({ to }) => to.includes(address));
  await until(async () => mails().length > 0 && told('webhook_called', id).length > 0);
  await until(async () => (await rowsOf(LEFT)).length === 0);
  expect([mails().length, told('webhook_called', id).length]).toEqual([1, 1]);
});

it('a ticket is reported late once, and a rule escalates it once', async () => {
  const minutes = 60;
  const targets = { first_response: { normal: minutes } };
  await make('sla_policies', { name: 'Standard', applies_to: ['tickets'], targets });
  await make('rules', {
    name: 'Escalate',
    trigger: { on: 'sla_breached' },
    actions: [{ type: 'note', body: 'It is late.' }],
    enabled: true,
  });
  const id = await makeTicket();
  await until(async () => (await rowsOf(LEFT)).length === 0);
  await killWhileWriting('notifications', {
    begin: () =>
      sql`
      update tickets set created_at = now() - ${minutes + 1}::int * interval '1 minute', sla_event_at = now()
      where id = ${id}`.execute(stand.database.db),
    stored: sql`select count(*)::int as count from audit_entries where action = 'sla_breached'`,
    all: 1,
  });
  await until(async () => told('sla_breached', id).length > 0);
  await until(async () => (await rowsOf(LEFT)).length === 0);
  expect(told('sla_breached', id)).toHaveLength(1);
  // Both agents reply, and the ticket is unassigned.
  expect(await notified('sla_breached')).toEqual([1, 1]);
  expect((await historyOf(id)).filter((action) => action === 'sla_breached')).toHaveLength(1);
  const runs = await rowsOf(sql`
    select r.name, count(*)::int as times from rule_runs u join rules r on r.site_id = u.site_id and r.id = u.rule_id
    where u.ticket_id = ${id} group by r.name order by r.name`);
  expect(runs).toEqual([
    { name: 'Escalate', times: 1 },
    { name: 'Stock', times: 1 },
  ]);
});
