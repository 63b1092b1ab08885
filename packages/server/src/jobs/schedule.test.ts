import { HOUR_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAgentNamed } from '../../test/fixtures/tickets.ts';
import { useGround } from '../../test/ground.ts';
import { silentLog, until } from '../../test/harness.ts';
import { conversationClock } from '../conversations/clock.ts';
import { ticketRoutingClock } from '../tickets/routing/route-tickets.ts';
import { type DueItem, type RecurringJob, startSchedule } from './schedule.ts';

const ground = useGround();

/** Each job has one round, however many looks it takes. */
function startRound(jobs: readonly RecurringJob[], online: Record<number, number> = {}) {
  const looks: Record<string, number> = {};
  const schedule = startSchedule({
    jobs: jobs.map((job) => ({
      ...job,
      everyMs: HOUR_MS,
      due: (...about) => {
        looks[job.name] = (looks[job.name] ?? 0) + 1;
        return job.due(...about);
      },
    })),
    shares: { owns: () => true, stop: async () => undefined },
    db: ground.db,
    log: silentLog,
    now: () => new Date(),
    contextFor: async (siteId) => {
      const agent = online[siteId];
      const onlineAgents = async () => (agent === undefined ? [] : [agent]);
      return ground.contextOf(siteId, { actor: { kind: 'job' }, presence: { onlineAgents } });
    },
  });
  return { looks, stop: () => schedule.stop() };
}

test('two hundred sites with nobody online keep no other site from its chats and tickets, and one round ends', async () => {
  const { rows: sites } = await sql<{ id: number }>`
    insert into sites (name, greeting, public_key, routing, ticket_routing)
    select 'Shop', '', 'pk_' || n, 'round_robin', 'round_robin' from generate_series(1, 201) n returning id`.execute(
    ground.db,
  );
  const ids = sql`${sites.map(({ id }) => id)}::bigint[]`;
  await sql`
    with visitor as (insert into visitors (site_id, key) select unnest(${ids}), 'maya' returning site_id, id),
      chat as (
        insert into conversations (site_id, session_id, visitor_id, start_client_id, status, waiting_since)
        select site_id, 'ses_' || lpad(site_id::text, 22, '0'), id, gen_random_uuid(), 'waiting', now() from visitor)
    insert into tickets (site_id, subject, description, requester_id, unanswered_since)
    select site_id, 'Order', 'Where is it?', id, now() from visitor`.execute(ground.db);
  const last = Math.max(...sites.map(({ id }) => id));
  const ada = await addAgentNamed(ground.contextOf(last), 'Ada');
  const [route] = conversationClock as [RecurringJob];
  const round = startRound([route, ticketRoutingClock], { [last]: ada.id });
  await until(async () => {
    const { rows } = await sql<{ chat: number | null; ticket: number | null }>`
      select c.agent_id as chat, t.assignee_id as ticket from conversations c join tickets t on t.site_id = c.site_id
      where c.site_id = ${last}`.execute(ground.db);
    return rows[0]?.chat === ada.id && rows[0].ticket === ada.id;
  });
  await round.stop();
  // One query for both checks whether anything is due.
  expect(round.looks).toEqual({ 'chats.route': 1 + 3, 'tickets.route': 1 + 3 });
});

test('an item that is still due after it was handled is handled again in the next round, not at once', async () => {
  const { site } = await ground.makeSite();
  const handled: number[] = [];
  const round = startRound([
    {
      name: 'tests.stuck',
      everyMs: 0,
      due: ({ limit }) => sql`
        select ${site.id}::int as "siteId", id from generate_series(1, 150) id order by id limit ${limit}`,
      run: async (_ctx, id) => void handled.push(id),
    },
  ]);
  await until(async () => handled.length >= 200);
  await round.stop();
  expect(round.looks).toEqual({ 'tests.stuck': 2 });
});

test('a job whose query fails keeps no other from its work', async () => {
  const { site } = await ground.makeSite();
  const handled: string[] = [];
  const job = (name: string, due: RecurringJob['due']): RecurringJob => ({
    ...{ name, everyMs: 0, due },
    run: async () => void handled.push(name),
  });
  const one = sql<DueItem>`select ${site.id}::int as "siteId", 1 as id`;
  const round = startRound([
    job('tests.broken', () => sql`select "siteId", id from nowhere`),
    job('tests.fine', () => one),
    job('tests.idle', () => sql`${one} where false`),
  ]);
  await until(async () => handled.length > 0);
  await round.stop();
  expect(handled).toEqual(['tests.fine']);
});
