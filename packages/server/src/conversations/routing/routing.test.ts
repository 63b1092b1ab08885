import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { noteAtDesk } from '../../sites/agents/presence.ts';
import { conversationClock } from '../clock.ts';
import { releaseChatsOfAbsent } from './release.ts';
import { routeWaiting } from './routing.ts';

const ground = useGround();
let site: SiteContext;
/** Two agents, and a third who is never there. */
let agents: number[];
let online: number[];
let time: number;
let made = 0;

beforeEach(async () => {
  const { site: made } = await ground.makeSite();
  time = Date.now();
  online = [];
  site = ground.contextOf(made.id, {
    actor: { kind: 'job' },
    now: () => new Date(time),
    presence: { onlineAgents: async () => online },
  });
  agents = [await newAgent('Ada'), await newAgent('Ben'), await newAgent('Cem')];
  await setSite({ routing: 'round_robin' });
});

const setSite = (change: {
  routing?: 'manual' | 'round_robin';
  return_chats_after_s?: number;
  team_fallback_after_s?: number | null;
}) => ground.db.updateTable('sites').set(change).where('id', '=', site.site.id).execute();

async function newAgent(name: string): Promise<number> {
  const user = { id: randomUUID(), name, email: `agent${++made}@example.com` };
  await ground.db.insertInto('auth_users').values(user).execute();
  const { id } = await ground.db
    .insertInto('agents')
    .values({ site_id: site.site.id, user_id: user.id, role: 'agent', name, chat_limit: 2 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Chats that wait, the first one the longest. */
async function newChats(count: number): Promise<number[]> {
  const visitor = await ground.db
    .insertInto('visitors')
    .values({ site_id: site.site.id, key: `v${++made}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = await ground.db
    .insertInto('conversations')
    .values(
      Array.from({ length: count }, (_, at) => ({
        site_id: site.site.id,
        session_id: `ses_${randomUUID().slice(0, 22)}`,
        visitor_id: visitor.id,
        start_client_id: randomUUID(),
        status: 'waiting' as const,
        waiting_since: new Date(time + at),
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const holders = async (ids: number[]): Promise<(number | null)[]> => {
  const rows = await ground.db
    .selectFrom('conversations')
    .select(['id', 'agent_id'])
    .where('site_id', '=', site.site.id)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(({ agent_id }) => agent_id);
};

const [routeJob, releaseJob] = conversationClock;
const isDue = async (job: typeof routeJob): Promise<boolean> => {
  const due = (await job?.due(ground.db, new Date(time), 100)) ?? [];
  return due.some(({ siteId }) => siteId === site.site.id);
};

test('chats go to the online agents in turn, the one who has waited longest first', async () => {
  const [ada = 0, ben = 0] = agents;
  online = [ada, ben];
  const chats = await newChats(3);
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([ada, ben, ada]);
});

test('nobody is given more than their limit, and the rest goes on waiting until there is room', async () => {
  const [ada = 0] = agents;
  online = [ada];
  const chats = await newChats(3);
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([ada, ada, null]);
  expect(await isDue(routeJob)).toBe(true);
  await ground.db
    .updateTable('conversations')
    .set({ status: 'closed' })
    .where('site_id', '=', site.site.id)
    .where('id', '=', chats[0] ?? 0)
    .execute();
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([ada, ada, ada]);
  expect(await isDue(routeJob)).toBe(false);
});

test('a chat that is about to be closed is given to nobody, and routing does not run for it', async () => {
  online = agents.slice(0, 1);
  const chats = await newChats(1);
  await ground.db
    .updateTable('conversations')
    .set({ closes_at: new Date(time + 10_000) })
    .where('site_id', '=', site.site.id)
    .execute();
  expect(await isDue(routeJob)).toBe(false);
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([null]);
});

test('a snoozed chat is given to nobody, fills nobody’s limit, and stays with an agent who is gone', async () => {
  const [ada = 0] = agents;
  online = [ada];
  const snooze = (id: number, until: Date | null) =>
    ground.db
      .updateTable('conversations')
      .set({ snoozed_until: until })
      .where('site_id', '=', site.site.id)
      .where('id', '=', id)
      .execute();
  const chats = await newChats(4);
  const [first = 0, second = 0, third = 0, last = 0] = chats;
  await snooze(first, new Date(time + 3_600_000));
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([null, ada, ada, null]);
  await snooze(second, new Date(time + 3_600_000));
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([null, ada, ada, ada]);
  expect(await isDue(routeJob)).toBe(false);

  await noteAtDesk(ground.db, [{ siteId: site.site.id, agentId: ada }], new Date(time));
  time += 700_000;
  await releaseChatsOfAbsent(site, ada);
  expect(await holders([second, third, last])).toEqual([ada, null, null]);
  await snooze(second, null);
  expect(await isDue(releaseJob)).toBe(true);
  await releaseChatsOfAbsent(site, ada);
  expect(await holders([second])).toEqual([null]);
});

test('of many who route at once none gives a chat twice or an agent too many', async () => {
  const [ada = 0, ben = 0] = agents;
  online = [ada, ben];
  const chats = await newChats(12);
  await Promise.all(Array.from({ length: 8 }, () => routeWaiting(site)));
  const held = await holders(chats);
  expect(held.filter((agent) => agent === ada)).toHaveLength(2);
  expect(held.filter((agent) => agent === ben)).toHaveLength(2);
  const { length: told } = await ground.db
    .selectFrom('messages')
    .select('id')
    .where('site_id', '=', site.site.id)
    .where('event', '=', 'agent_joined')
    .execute();
  expect(told).toBe(4);
});

test('a chat of a team goes to its members only, and holds up no other chat', async () => {
  const [ada = 0, ben = 0, cem = 0] = agents;
  const siteId = site.site.id;
  const { id: team } = await ground.db
    .insertInto('teams')
    .values({ site_id: siteId, name: 'Billing' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const join = (agent_id: number) =>
    ground.db.insertInto('team_members').values({ site_id: siteId, team_id: team, agent_id }).execute();
  await join(ben);
  online = [ada];
  const chats = await newChats(3);
  const [first = 0, second = 0] = chats;
  await ground.db
    .updateTable('conversations')
    .set({ team_id: team })
    .where('site_id', '=', siteId)
    .where('id', 'in', [first, second])
    .execute();
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([null, null, ada]);
  online = [ada, ben];
  await Promise.all([routeWaiting(site), routeWaiting(site)]);
  expect(await holders(chats)).toEqual([ben, ben, ada]);

  const more = await newChats(1);
  const ofTeam = (set: { team_id: number }) =>
    ground.db
      .updateTable('conversations')
      .set(set)
      .where('site_id', '=', siteId)
      .where('id', 'in', more)
      .execute();
  await ofTeam({ team_id: team });
  online = [cem];
  await routeWaiting(site);
  expect(await holders(more)).toEqual([null]);
  // After ten minutes anybody may have it, unless the site says never.
  time += 600_000;
  await setSite({ team_fallback_after_s: null });
  await routeWaiting(site);
  expect(await holders(more)).toEqual([null]);
  await setSite({ team_fallback_after_s: 600 });
  await routeWaiting(site);
  expect(await holders(more)).toEqual([cem]);
  await ground.db
    .updateTable('conversations')
    .set({ status: 'waiting', agent_id: null, waiting_since: new Date(time) })
    .where('site_id', '=', siteId)
    .where('id', 'in', more)
    .execute();
  await routeWaiting(site);
  expect(await holders(more)).toEqual([null]);
  // A team without members leaves its chats to everybody.
  await ground.db.deleteFrom('team_members').where('site_id', '=', siteId).execute();
  await routeWaiting(site);
  expect(await holders(more)).toEqual([cem]);
});

test('nothing is given where agents pick, nor to who is not there or was removed', async () => {
  const chats = await newChats(1);
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([null]);
  await setSite({ routing: 'manual' });
  expect(await isDue(routeJob)).toBe(false);
  await setSite({ routing: 'round_robin' });
  online = [agents[2] ?? 0];
  await ground.db.updateTable('agents').set({ removed_at: new Date() }).where('id', 'in', online).execute();
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([null]);
});

test('the chats of an agent who is gone for too long wait again, but for those that need no answer', async () => {
  // Not before the agents were made.
  time = Math.ceil(time / 1_000) * 1_000;
  const [ada = 0] = agents;
  online = [ada];
  const [asked = 0, answered = 0] = await newChats(2);
  await routeWaiting(site);
  await ground.db
    .updateTable('conversations')
    .set({ last_sender: 'agent' })
    .where('site_id', '=', site.site.id)
    .where('id', '=', answered)
    .execute();
  await noteAtDesk(ground.db, [{ siteId: site.site.id, agentId: ada }], new Date(time));
  time += 600_000;
  expect(await isDue(releaseJob)).toBe(false);
  await releaseChatsOfAbsent(site, ada);
  expect(await holders([asked])).toEqual([ada]);
  time += 1;
  expect(await isDue(releaseJob)).toBe(true);
  await releaseChatsOfAbsent(site, ada);
  expect(await holders([asked, answered])).toEqual([null, ada]);
  expect(await isDue(releaseJob)).toBe(false);
  expect(ground.notices.at(-1)).toMatchObject({ kind: 'session', siteId: site.site.id });
});

test('very many chats are released in steps, of which each notifies the team of its own', async () => {
  const [ada = 0] = agents;
  online = [ada];
  const chats = await newChats(120);
  await ground.db
    .updateTable('conversations')
    .set({ status: 'active', agent_id: ada, waiting_since: null })
    .where('site_id', '=', site.site.id)
    .execute();
  await noteAtDesk(ground.db, [{ siteId: site.site.id, agentId: ada }], new Date(time));
  time += 700_000;
  await setSite({ routing: 'manual' });
  ground.notices.length = 0;
  await releaseChatsOfAbsent(site, ada);
  expect(new Set(await holders(chats))).toEqual(new Set([null]));
  const { count } = await ground.db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('site_id', '=', site.site.id)
    .where('kind', '=', 'chat_waiting')
    .executeTakeFirstOrThrow();
  expect(count).toBe(120 * agents.length);
  const told = ground.notices.flatMap((notice) => (notice.kind === 'notified' ? [notice.ids.length] : []));
  expect(Math.max(...told)).toBeLessThanOrEqual(50 * agents.length);
});

test('whoever has come back in time keeps their chats', async () => {
  const [ada = 0] = agents;
  online = [ada];
  const chats = await newChats(1);
  await routeWaiting(site);
  time += 601_000;
  await noteAtDesk(ground.db, [{ siteId: site.site.id, agentId: ada }], new Date(time));
  await releaseChatsOfAbsent(site, ada);
  expect(await holders(chats)).toEqual([ada]);
});
