import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newInstallation, PROCESSES_TIMEOUT_MS, type RunningServer, until } from '../fixtures/foyer.ts';
import { type Ground, openGround } from '../ground.ts';
import { TEST_SECRET } from '../harness.ts';

// Three worker processes on one database share recurring jobs; each due record is handled once, whichever process dies.

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const SITES = 20;
const TICKETS = 15;
/** How many tickets per site and round are nearly due by its SLA, and how many are late. */
const DUE = 5;

const NONE = { low: null, normal: null, high: null, urgent: null };
const TARGETS = JSON.stringify({
  first_response: { ...NONE, normal: 60 },
  next_response: NONE,
  resolution: NONE,
});

let ground: Ground;
let workers: RunningServer[];
const places = Promise.all([newInstallation(), newInstallation(), newInstallation()]);

async function startWorker(at: number): Promise<RunningServer> {
  const place = (await places)[at];
  if (!place) throw new Error('no such place');
  const settings = { DATABASE_URL: ground.url, FOYER_SECRET: TEST_SECRET, FOYER_ROLE: 'worker' };
  return place.serve('start', settings);
}

beforeAll(async () => {
  ground = await openGround();
  await sql`
    with site as (
      insert into sites (name, greeting, public_key, sla_version)
      select 'Shop', 'Hello', gen_random_uuid(), 1 from generate_series(1, ${SITES}::int) returning id
    ), policy as (
      insert into sla_policies (site_id, name, targets, warn_minutes) select id, 'Standard', ${TARGETS}::jsonb, 20 from site
    )
    insert into visitors (site_id, key) select id, 'u' from site`.execute(ground.db);
  workers = await Promise.all([0, 1, 2].map(startWorker));
});
afterAll(async () => {
  await Promise.all((await places).map((place) => place.clear()));
  await ground.close();
});

const workerAt = (at: number): RunningServer => {
  const worker = workers[at];
  if (!worker) throw new Error('no such worker');
  return worker;
};

/** On every site, tickets and chats whose snooze is over, due tickets, and a job without a notice. */
async function makeDue(): Promise<void> {
  await sql`
    insert into tickets (site_id, subject, description, status, requester_id, snoozed_until)
    select site_id, 'A lamp', 'Broken', 'open', id, now() - interval '1 second'
    from visitors, generate_series(1, ${TICKETS}::int)`.execute(ground.db);
  await sql`
    insert into tickets (site_id, subject, description, status, requester_id, created_at, sla_event_at)
    select site_id, 'A lamp', 'Broken', 'open', id, now() - minutes * interval '1 minute', now()
    from visitors, unnest(array[45, 65]) minutes, generate_series(1, ${DUE}::int)`.execute(ground.db);
  await sql`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, agent_id, snoozed_until)
    select site_id, 'ses_' || gen_random_uuid(), id, gen_random_uuid(), 'waiting', null, now() - interval '1 second'
    from visitors`.execute(ground.db);
  await sql`
    insert into foyer_jobs.job (name, data, singleton_key)
    select 'bot.group_gaps', jsonb_build_object('site_id', min(id)), gen_random_uuid() from sites`.execute(
    ground.db,
  );
}

interface Left {
  tickets: number;
  chats: number;
  due: number;
  jobs: number;
}

async function left(): Promise<Left> {
  const { rows } = await sql<Left>`
    select (select count(*)::int from tickets where snoozed_until is not null) as tickets,
      (select count(*)::int from conversations where snoozed_until is not null) as chats,
      (select count(*)::int from tickets where sla_event_at <= now()) as due,
      (select count(*)::int from foyer_jobs.job where state < 'completed') as jobs`.execute(ground.db);
  return rows[0] ?? { tickets: 0, chats: 0, due: 0, jobs: 0 };
}

const allDone = () =>
  until('what was due', async () => Object.values(await left()).every((count) => count === 0));

/** The distinct numbers of times that the action was done per ticket: `[1]` if once with each. */
async function timesOf(action: string): Promise<number[]> {
  const { rows } = await sql<{ times: number }>`
    select distinct count(*)::int as times from audit_entries where action = ${action} group by site_id, subject_id`.execute(
    ground.db,
  );
  return rows.map(({ times }) => times);
}

const countOf = async (action: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_entries where action = ${action}`.execute(ground.db);
  return rows[0]?.count ?? 0;
};

const countAlive = async (): Promise<number> => {
  const { rows } = await sql`select from job_workers where expires_at > clock_timestamp()`.execute(ground.db);
  return rows.length;
};

const ROUND = SITES * TICKETS;

test('due work is done once, and is still done after two of three processes were killed', async () => {
  await makeDue();
  await allDone();
  const reported = await countOf('sla_breached');
  await makeDue();
  // Kills them in the middle of it, unless they were faster.
  await until('the first late ones', async () => (await countOf('sla_breached')) > reported);
  await Promise.all([workerAt(0).end('SIGKILL'), workerAt(1).end('SIGKILL')]);
  await makeDue();
  await allDone();
  for (const action of ['sla_warning', 'sla_breached'])
    expect([await timesOf(action), await countOf(action)]).toEqual([[1], 3 * SITES * DUE]);
  expect([await timesOf('woken'), await countOf('woken')]).toEqual([[1], 3 * ROUND]);
});

test('another process takes over the work of a stopped one', async () => {
  workers[0] = await startWorker(0);
  await until('the killed ones to be taken for dead', async () => (await countAlive()) === 2);
  await makeDue();
  await workerAt(2).end('SIGTERM');
  expect(await countAlive()).toBe(1);
  await allDone();
  expect([await timesOf('woken'), await countOf('woken')]).toEqual([[1], 4 * ROUND]);
});

test('a process that was suspended and resumes does nothing a second time', async () => {
  workers[1] = await startWorker(1);
  const still = workerAt(0);
  await makeDue();
  // The records that it works on stay locked meanwhile, so that the other process skips them.
  still.process.kill('SIGSTOP');
  await until('most of it', async () => (await countOf('woken')) > 4 * ROUND);
  await makeDue();
  await until('most of the rest', async () => (await left()).tickets < ROUND);
  still.process.kill('SIGCONT');
  await allDone();
  await makeDue();
  await allDone();
  expect([await timesOf('woken'), await countOf('woken')]).toEqual([[1], 7 * ROUND]);
});

/** New tickets, and tickets that wait for a reply, on sites with a rule for each kind. */
async function makeForRules(): Promise<void> {
  await ground.db.transaction().execute(async (tx) => {
    await sql`
      insert into rules (site_id, name, position, trigger, events, actions, enabled_at, looked_at, look_at)
      select s.id, r.body, r.position, r.trigger::jsonb, array[r.trigger::jsonb ->> 'on'],
        jsonb_build_array(jsonb_build_object('type', 'note', 'body', r.body)), now(), now() - interval '1 hour', r.look_at
      from sites s, (values
        ('New', 1, '{"on": "ticket_created"}', null),
        ('Late', 2, '{"on": "ticket_waiting", "minutes": 5}', now())) r (body, position, trigger, look_at)`.execute(
      tx,
    );
    await sql`
      with made as (
        insert into tickets (site_id, subject, description, status, requester_id, unanswered_since)
        select site_id, 'A lamp', 'Broken', 'open', id, now() - interval '30 minutes'
        from visitors, generate_series(1, ${TICKETS}::int) returning site_id, id
      )
      insert into rule_events (site_id, event, ticket_id, details, chain, created_at)
      select site_id, 'ticket_created', id, '{}', '{}', now() from made`.execute(tx);
  });
}

test('rules run once per change and once per due record, even if all processes are killed meanwhile', async () => {
  await makeForRules();
  const countRuns = async (): Promise<number> =>
    (await sql`select from rule_runs`.execute(ground.db)).rows.length;
  await until('the first runs', async () => (await countRuns()) > 0);
  await Promise.all([workerAt(0).end('SIGKILL'), workerAt(1).end('SIGKILL')]);
  expect(await countRuns()).toBeLessThan(2 * ROUND);
  workers[2] = await startWorker(2);
  await until('all runs', async () => (await countRuns()) >= 2 * ROUND);
  await until(
    'an end',
    async () => (await sql`select from rule_events`.execute(ground.db)).rows.length === 0,
  );
  const { rows } = await sql`
    select body, count(*)::int as notes, count(distinct ticket_id)::int as tickets from ticket_replies
    group by body order by body`.execute(ground.db);
  expect(rows).toEqual([
    { body: 'Late', notes: ROUND, tickets: ROUND },
    { body: 'New', notes: ROUND, tickets: ROUND },
  ]);
  expect(await countRuns()).toBe(2 * ROUND);
});
