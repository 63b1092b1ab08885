import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { addAgentNamed, type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { openDatabase } from '../../db/database.ts';
import { setSkills } from '../../sites/agents/skills.ts';
import { createTeam, updateTeam } from '../../sites/teams/teams.ts';
import { ensureTags } from '../../tags/tags.ts';
import { removeAgent } from '../../team/remove-agent.ts';
import { listHistory } from '../history.ts';
import { leaveTeam, releaseTickets } from './release.ts';
import { routeTickets, ticketRoutingClock } from './route-tickets.ts';

const ground = useGround();
const GERMAN = 'Guten Tag, ich habe meine Rechnung nicht bekommen und warte noch auf die Lieferung.';
let desk: Desk;
let ada: number;
let ben: number;
let online: number[];
let time: number;

beforeEach(async () => {
  desk = await openDesk(ground);
  ada = (await addAgentNamed(desk.ctx, 'Ada')).id;
  ben = desk.ben.id;
  online = [ada, ben];
  // After the tickets are created.
  time = Date.now() + 60_000;
  await setSite({ ticket_routing: 'round_robin' });
});

const job = (parts: { db?: SiteContext['db'] } = {}): SiteContext =>
  ground.contextOf(desk.ctx.site.id, {
    actor: { kind: 'job' },
    now: () => new Date(time),
    presence: { onlineAgents: async () => online },
    ...parts,
  });

const setSite = (change: {
  ticket_routing?: 'manual' | 'round_robin' | 'least_busy';
  ticket_fallback_after_s?: number | null;
  last_agent_first?: boolean;
}) => ground.db.updateTable('sites').set(change).where('id', '=', desk.ctx.site.id).execute();

const setLimit = (ticket_limit: number) =>
  ground.db.updateTable('agents').set({ ticket_limit }).where('site_id', '=', desk.ctx.site.id).execute();

const make = async (count: number, parts: Parameters<Desk['make']>[0] = {}): Promise<number[]> => {
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push((await desk.make({ requester: { key: `user_${at}` }, ...parts })).id);
  return ids;
};

const holders = (ids: readonly number[]): Promise<(number | null)[]> =>
  Promise.all(ids.map(async (id) => (await desk.get(id)).assignee?.id ?? null));

/** Routing's entries in the history. */
async function explained(id: number) {
  const { items } = await listHistory(desk.ctx, { id, limit: 50, order: 'asc' });
  return items
    .filter(({ action }) => action !== 'created' && action !== 'updated')
    .map(({ action, changes, routing }) => ({ action, assignee: changes.assignee, routing }));
}

const isDue = async (): Promise<boolean> =>
  (await findDue(ticketRoutingClock, ground.db, new Date(time), 100)).some(
    ({ siteId }) => siteId === desk.ctx.site.id,
  );

test('tickets are assigned to online agents by round robin, are open then, and give the reason', async () => {
  await setSite({ ticket_routing: 'manual' });
  const ids = await make(3);
  expect(await isDue()).toBe(false);
  await routeTickets(job());
  expect(await holders(ids)).toEqual([null, null, null]);

  await setSite({ ticket_routing: 'round_robin' });
  expect(await isDue()).toBe(true);
  await routeTickets(job());
  const [first, second] = await holders(ids);
  expect(new Set([first, second])).toEqual(new Set([ada, ben]));
  expect(await holders(ids)).toEqual([first, second, first]);
  expect(await isDue()).toBe(false);
  expect(await desk.get(ids[0] ?? 0)).toMatchObject({ status: 'open' });
  expect(await explained(ids[2] ?? 0)).toEqual([
    {
      action: 'routed',
      assignee: [null, { id: first, name: expect.any(String) }],
      routing: { by: 'round_robin', open_tickets: 1, language: null, tags: [], team: null, fell_back: false },
    },
  ]);
  const [event] = await desk.events('ticket_updated');
  expect(Object.keys(event?.changes ?? {}).sort()).toEqual(['assignee', 'status']);
  const told = await ground.db
    .selectFrom('notifications')
    .select('agent_id')
    .where('site_id', '=', desk.ctx.site.id)
    .where('kind', '=', 'ticket_assigned')
    .execute();
  expect(told).toHaveLength(3);
});

test('urgent tickets come first, and nobody gets more new and open ones than their capacity', async () => {
  online = [ada];
  await setLimit(2);
  const [normal = 0] = await make(1);
  const [urgent = 0, low = 0] = [
    ...(await make(1, { priority: 'urgent' })),
    ...(await make(1, { priority: 'low' })),
  ];
  await routeTickets(job());
  expect(await holders([urgent, normal, low])).toEqual([ada, ada, null]);
  // Tickets that wait for the customer use no capacity.
  await desk.change(urgent, { status: 'pending' });
  await routeTickets(job());
  expect(await holders([low])).toEqual([ada]);
});

test('neither snoozed nor solved tickets nor spam are assigned, and only to agents who may answer', async () => {
  const [snoozed = 0, solved = 0, spam = 0, free = 0] = await make(4);
  await desk.snooze(snoozed, new Date(time + 3_600_000));
  await desk.change(solved, { status: 'solved' });
  await ground.db
    .updateTable('tickets')
    .set({ spam_at: new Date(time), spam_reason: 'team' })
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', spam)
    .execute();
  const { id: role } = await ground.db
    .insertInto('roles')
    .values({ site_id: desk.ctx.site.id, name: 'Reader', permissions: '{}' as never })
    .returning('id')
    .executeTakeFirstOrThrow();
  const setRole = (custom_role_id: number | null) =>
    ground.db
      .updateTable('agents')
      .set({ custom_role_id })
      .where('site_id', '=', desk.ctx.site.id)
      .where('id', '=', ada)
      .execute();
  await setRole(role);
  online = [ada];
  await routeTickets(job());
  expect(await holders([free])).toEqual([null]);
  await setRole(null);
  await routeTickets(job());
  expect(await holders([snoozed, solved, spam, free])).toEqual([null, null, null, ada]);
});

test('a ticket is assigned to its team, and to agents who speak its language and know its tags', async () => {
  const [refund = 0] = await ensureTags(desk.ctx, ['refund']);
  await setSkills(desk.ctx, { id: ada, languages: ['de'], tag_ids: [refund] });
  const { id: team } = await createTeam(desk.ctx, { name: 'Billing', member_ids: [ben] });
  await setSite({ ticket_routing: 'least_busy' });
  online = [ben];
  const [german = 0] = await make(1, { body: GERMAN, tags: ['refund'] });
  const [own = 0] = await make(1, { body: GERMAN, team_id: team });
  await routeTickets(job());
  await routeTickets(job());
  expect(await holders([german, own])).toEqual([null, ben]);
  const needs = { language: 'de', tags: ['refund'], team: null, fell_back: false };
  const nobody = { action: 'not_routed', routing: { by: null, open_tickets: null, ...needs } };
  expect(await explained(german)).toEqual([nobody]);
  expect(await explained(own)).toMatchObject([{ routing: { by: 'least_busy', team: 'Billing' } }]);
  online = [ada, ben];
  await routeTickets(job());
  expect(await explained(german)).toMatchObject([
    nobody,
    { action: 'routed', routing: { by: 'least_busy', open_tickets: 0, ...needs } },
  ]);
  expect(await holders([german])).toEqual([ada]);
});

test('a team has its own routing and hours, and after the fallback everybody may get its tickets', async () => {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const closed = {
    time_zone: 'UTC',
    weekly: Object.fromEntries(days.map((day) => [day, []])),
    holidays: [],
  } as never;
  const { id: picking } = await createTeam(desk.ctx, {
    name: 'Picking',
    member_ids: [ben],
    ticket_routing: 'manual',
  });
  const { id: shut } = await createTeam(desk.ctx, { name: 'Shut', member_ids: [ben], office_hours: closed });
  online = [ada];
  const [picked = 0] = await make(1, { team_id: picking });
  const [night = 0] = await make(1, { team_id: shut });
  time += 3_600_000;
  await routeTickets(job());
  expect(await holders([picked, night])).toEqual([null, null]);
  time += 86_400_000;
  await routeTickets(job());
  expect(await holders([picked, night])).toEqual([null, ada]);
  expect(await explained(night)).toMatchObject([{ routing: { fell_back: true } }]);

  await setSite({ ticket_routing: 'manual' });
  await updateTeam(desk.ctx, { id: picking, ticket_routing: 'least_busy' });
  expect(await isDue()).toBe(true);
  const [free = 0] = await make(1);
  online = [ada, ben];
  await routeTickets(job());
  expect(await holders([picked, free])).toEqual([ben, null]);
});

test('the agent of the customer’s last ticket comes first if the site wants that', async () => {
  const [before = 0] = await make(1, { requester: { key: 'user_9' } });
  await desk.change(before, { assignee_id: ben, status: 'solved' });
  await setSite({ last_agent_first: true });
  const [now = 0, again = 0] = await make(2, { requester: { key: 'user_9' } });
  await routeTickets(job());
  expect(await holders([now, again])).toEqual([ben, ben]);
  expect(await explained(now)).toMatchObject([{ routing: { by: 'last_agent' } }]);
});

test('two processes decide on each ticket once, and respect the capacities', async () => {
  const other = openDatabase(ground.url);
  await setLimit(20);
  const ids = await make(60);
  await Promise.all([routeTickets(job()), routeTickets(job({ db: other.db })), routeTickets(job())]);
  await other.close();
  const held = await holders(ids);
  expect([ada, ben].map((agent) => held.filter((one) => one === agent).length)).toEqual([20, 20]);
  expect(held.filter((one) => one === null)).toHaveLength(20);
  for (const [at, id] of ids.entries()) expect(await explained(id)).toHaveLength(held[at] === null ? 0 : 1);
});

test('a ticket that rules have yet to process waits for them', async () => {
  online = [ada];
  const [id = 0] = await make(1);
  await ground.db
    .insertInto('rule_events')
    .values({
      site_id: desk.ctx.site.id,
      event: 'ticket_created',
      ticket_id: id,
      details: '{}' as never,
      chain: [],
      created_at: new Date(time),
    })
    .execute();
  await routeTickets(job());
  expect(await holders([id])).toEqual([null]);
  await ground.db.deleteFrom('rule_events').where('site_id', '=', desk.ctx.site.id).execute();
  await routeTickets(job());
  expect(await holders([id])).toEqual([ada]);
});

test('an agent removed during routing keeps no ticket, and the others get theirs', async () => {
  const ids = await make(8);
  await Promise.all([routeTickets(job()), removeAgent(desk.ctx.as({ kind: 'operator' }), ada)]);
  // The desk of a removed agent closes; the removal has queued this job.
  online = [ben];
  await releaseTickets.run(job(), { agent_id: ada });
  await routeTickets(job());
  expect(await holders(ids)).toEqual(ids.map(() => ben));
  for (const id of ids) {
    const actions = (await explained(id)).map(({ action }) => action);
    expect([['routed'], ['routed', 'agent_removed', 'routed']]).toContainEqual(actions);
  }
});

test('an agent who leaves a team keeps tickets that they answered or solved; its members get the others', async () => {
  const { id: team } = await createTeam(desk.ctx, { name: 'Billing', member_ids: [ada, ben] });
  const [waiting = 0, answered = 0, solved = 0] = await make(3, { team_id: team, assignee_id: ada });
  await desk.reply(answered);
  await desk.change(solved, { status: 'solved' });
  const leave = () => leaveTeam.run(job(), { agent_id: ada, team_id: team });
  await leave();
  expect(await holders([waiting])).toEqual([ada]);
  await updateTeam(desk.ctx, { id: team, member_ids: [ben], ticket_routing: 'manual' });
  await leave();
  expect(await holders([waiting])).toEqual([ada]);
  await updateTeam(desk.ctx, { id: team, ticket_routing: null });
  await leave();
  expect(await holders([waiting, answered, solved])).toEqual([null, ada, ada]);
  await routeTickets(job());
  expect(await holders([waiting])).toEqual([ben]);
  expect((await explained(waiting)).map(({ action }) => action)).toEqual(['left_team', 'routed']);
});
