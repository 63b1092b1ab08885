import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { useGround } from '../../../test/ground.ts';
import { until } from '../../../test/harness.ts';
import type { SiteContext } from '../../core/context.ts';
import { notifyWaiting } from '../../notifications/notify.ts';
import { noteAtDesk } from '../../sites/agents/presence.ts';
import { setSkills } from '../../sites/agents/skills.ts';
import { ensureTags } from '../../tags/tags.ts';
import { removeAgent } from '../../team/remove-agent.ts';
import { conversationClock } from '../clock.ts';
import { listDecisions } from './decisions.ts';
import { releaseChatsOf, releaseChatsOfAbsent } from './release.ts';
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
  routing?: 'manual' | 'round_robin' | 'least_busy';
  last_agent_first?: boolean;
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

/** A team with these members. */
async function newTeam(members: number[], more: object = {}): Promise<number> {
  const { id } = await ground.db
    .insertInto('teams')
    .values({ site_id: site.site.id, name: `Team ${++made}`, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = members.map((agent_id) => ({ site_id: site.site.id, team_id: id, agent_id }));
  await ground.db.insertInto('team_members').values(rows).execute();
  return id;
}

const setChats = (ids: number[], set: { team_id?: number; language?: 'de' | 'fr'; visitor_id?: number }) =>
  ground.db
    .updateTable('conversations')
    .set(set)
    .where('site_id', '=', site.site.id)
    .where('id', 'in', ids)
    .execute();

const decisions = async (id: number) =>
  (await listDecisions(site, id)).map(({ id: _, created_utc: __, agent, ...rest }) => ({
    ...rest,
    agent: agent?.name ?? null,
  }));

const [routeJob, releaseJob] = conversationClock;
const isDue = async (job: typeof routeJob): Promise<boolean> => {
  const due = await findDue(job, ground.db, new Date(time), 100);
  return due.some(({ siteId }) => siteId === site.site.id);
};

test('chats are assigned to online agents by round robin', async () => {
  const [ada = 0, ben = 0] = agents;
  online = [ada, ben];
  const chats = await newChats(3);
  await routeWaiting(site);
  expect(await holders(chats)).toEqual([ada, ben, ada]);
});

test('no agent exceeds their capacity, and the other chats wait until there is room', async () => {
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

test('a chat that is about to be closed is assigned to nobody, and routing does not run for it', async () => {
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

test('a snoozed chat is assigned to nobody, uses nobody’s capacity, and stays with an agent who is gone', async () => {
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

test('concurrent routing assigns no chat twice and exceeds nobody’s capacity', async () => {
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

test('a chat of a team is assigned to its members only, and blocks no other chat', async () => {
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

test('nothing is assigned where agents pick, nor to agents who are offline or removed', async () => {
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

test('an agent who is removed while chats are routed keeps none, and others get them', async () => {
  const [ada = 0, ben = 0] = agents;
  const chats = await newChats(4);
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      ground.db,
    );
    return rows.length > 0;
  };
  let asked = 0;
  let removal: Promise<unknown> | undefined;
  // The second time under the lock: the agents have been read, and no chat is assigned yet.
  const onlineAgents = async (): Promise<number[]> => {
    asked += 1;
    if (asked === 2) {
      removal = removeAgent(ground.contextOf(site.site.id), ada);
      await Promise.race([removal, until(isWaiting)]);
    }
    return [ada, ben];
  };
  const options = { actor: { kind: 'job' }, now: () => new Date(time), presence: { onlineAgents } } as const;
  await routeWaiting(ground.contextOf(site.site.id, options));
  expect(removal).toBeDefined();
  await removal;
  online = [ada, ben];
  await routeWaiting(site);
  const held = await holders(chats);
  expect(held.filter((agent) => agent === ada)).toEqual([]);
  expect(held.filter((agent) => agent === ben)).toHaveLength(2);
  expect(held.filter((agent) => agent === null)).toHaveLength(2);
});

test('the chats of an agent who is away for too long wait again, except those that need no answer', async () => {
  // Not before the agents were created.
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

test('very many chats are released in steps, each of which notifies the team', async () => {
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

test('agents who return in time keep their chats', async () => {
  const [ada = 0] = agents;
  online = [ada];
  const chats = await newChats(1);
  await routeWaiting(site);
  time += 601_000;
  await noteAtDesk(ground.db, [{ siteId: site.site.id, agentId: ada }], new Date(time));
  await releaseChatsOfAbsent(site, ada);
  expect(await holders(chats)).toEqual([ada]);
});

test('the least busy agent gets a chat, and the log says how many they had', async () => {
  const [ada = 0, ben = 0] = agents;
  await setSite({ routing: 'least_busy' });
  online = [ada];
  const first = await newChats(1);
  await routeWaiting(site);
  online = [ada, ben];
  const [second = 0, third = 0, last = 0] = await newChats(3);
  await routeWaiting(site);
  expect(await holders([...first, second, third, last])).toEqual([ada, ben, ada, ben]);
  const reasons = { language: null, tags: [], team: null, fell_back: false };
  const by = { kind: 'assigned', by: 'least_busy', ...reasons };
  expect(await decisions(second)).toEqual([{ ...by, agent: 'Ben', open_chats: 0 }]);
  expect(await decisions(last)).toEqual([{ ...by, agent: 'Ben', open_chats: 1 }]);
});

test('a chat waits for those who speak its language and know its tags, then anybody gets it', async () => {
  const [ada = 0, ben = 0, cem = 0] = agents;
  const [refund = 0, other = 0] = await ensureTags(site, ['refund', 'other']);
  await setSkills(site, { id: ada, languages: ['de'], tag_ids: [refund] });
  await setSkills(site, { id: ben, languages: ['de', 'en'], tag_ids: [] });
  const [chat = 0, french = 0] = await newChats(2);
  await setChats([chat], { language: 'de' });
  // Nobody speaks French, so it doesn't matter.
  await setChats([french], { language: 'fr' });
  await ground.db
    .insertInto('conversation_tags')
    .values([refund, other].map((tag_id) => ({ site_id: site.site.id, conversation_id: chat, tag_id })))
    .execute();
  online = [cem];
  await routeWaiting(site);
  await routeWaiting(site);
  expect(await holders([chat, french])).toEqual([null, cem]);
  const nobody = {
    kind: 'nobody',
    agent: null,
    by: null,
    open_chats: null,
    language: 'de',
    tags: ['refund'],
  };
  expect(await decisions(chat)).toEqual([{ ...nobody, team: null, fell_back: false }]);
  online = [ben, cem];
  await routeWaiting(site);
  expect(await holders([chat])).toEqual([null]);
  online = [ada, ben, cem];
  await routeWaiting(site);
  expect(await holders([chat])).toEqual([ada]);
  expect((await decisions(chat))[1]).toMatchObject({
    kind: 'assigned',
    agent: 'Ada',
    language: 'de',
    tags: ['refund'],
  });

  const [late = 0] = await newChats(1);
  await setChats([late], { language: 'de' });
  online = [cem];
  time += 599_000;
  await routeWaiting(site);
  expect(await holders([late])).toEqual([null]);
  time += 1_001;
  await routeWaiting(site);
  expect(await holders([late])).toEqual([cem]);
  expect((await decisions(late)).at(-1)).toMatchObject({ agent: 'Cem', language: null, fell_back: true });
});

test('a team routes its chats in its own way, and within its office hours', async () => {
  const [ada = 0, ben = 0] = agents;
  await setSite({ routing: 'manual' });
  const team = await newTeam([ben], { routing: 'least_busy' });
  const manual = await newTeam([ada], { routing: 'manual' });
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const weekly = Object.fromEntries(days.map((day) => [day, []]));
  const closed = { time_zone: 'UTC', weekly, holidays: [] };
  const shut = await newTeam([ada, ben], { routing: 'round_robin', office_hours: JSON.stringify(closed) });
  online = [ada, ben];
  const [own = 0, picked = 0, night = 0, free = 0] = await newChats(4);
  await setChats([own], { team_id: team });
  await setChats([picked], { team_id: manual });
  await setChats([night], { team_id: shut });
  expect(await isDue(routeJob)).toBe(true);
  await routeWaiting(site);
  expect(await holders([own, picked, night, free])).toEqual([ben, null, null, null]);
  expect(await decisions(night)).toMatchObject([{ kind: 'nobody' }]);
  // The site assigns none, so only members get those of a team, however long they wait.
  time += 3_600_000;
  await routeWaiting(site);
  expect(await holders([picked, free])).toEqual([null, null]);
  expect([ada, ben]).toContain((await holders([night]))[0]);
});

test('the agent of the visitor’s last chat comes first if the site wants that, and if they are online', async () => {
  const [ada = 0, ben = 0] = agents;
  const [before = 0, now = 0, later = 0] = await newChats(3);
  online = [ben];
  await ground.db
    .updateTable('conversations')
    .set({ status: 'closed', agent_id: ben, waiting_since: null })
    .where('site_id', '=', site.site.id)
    .where('id', '=', before)
    .execute();
  await setSite({ routing: 'round_robin', last_agent_first: true });
  online = [ada, ben];
  await routeWaiting(site);
  expect(await holders([now, later])).toEqual([ben, ben]);
  expect(await decisions(now)).toMatchObject([{ by: 'last_agent', agent: 'Ben' }]);
  const [full = 0] = await newChats(1);
  await routeWaiting(site);
  expect(await holders([full])).toEqual([ada]);
});

test('what returns to the queue says why, and is routed again', async () => {
  const [ada = 0, ben = 0] = agents;
  online = [ada];
  const [first = 0, second = 0] = await newChats(2);
  await routeWaiting(site);
  await noteAtDesk(ground.db, [{ siteId: site.site.id, agentId: ada }], new Date(time));
  time += 700_000;
  await releaseChatsOfAbsent(site, ada);
  online = [ben];
  await routeWaiting(site);
  expect(await holders([first, second])).toEqual([ben, ben]);
  const kinds = async (id: number) => (await decisions(id)).map(({ kind, agent }) => `${kind} ${agent}`);
  expect(await kinds(first)).toEqual(['assigned Ada', 'agent_away Ada', 'assigned Ben']);
  await releaseChatsOf(site, ben);
  expect((await kinds(second)).at(-1)).toBe('agent_removed Ben');
});

test('a chat notifies the agents it waits for, unless one of them is available', async () => {
  const [ada = 0, ben = 0, cem = 0] = agents;
  await setSkills(site, { id: ada, languages: ['de'], tag_ids: [] });
  const [chat = 0] = await newChats(1);
  await setChats([chat], { language: 'de' });
  const notified = async () =>
    (
      await ground.db
        .selectFrom('notifications')
        .select('agent_id')
        .where('site_id', '=', site.site.id)
        .where('conversation_id', '=', chat)
        .orderBy('agent_id')
        .execute()
    ).map(({ agent_id }) => agent_id);
  online = [ada, ben];
  await notifyWaiting(site, [chat]);
  expect(await notified()).toEqual([]);
  online = [ben];
  await notifyWaiting(site, [chat]);
  expect(await notified()).toEqual([ada]);
  await setSite({ routing: 'manual' });
  await notifyWaiting(site, [chat]);
  expect(await notified()).toEqual([ada, ben, cem]);
});

test('very many chats are distributed evenly, in steps and by two processes at once', async () => {
  const more = await Promise.all(Array.from({ length: 20 }, (_, at) => newAgent(`Agent ${at}`)));
  await ground.db.updateTable('agents').set({ chat_limit: 20 }).where('site_id', '=', site.site.id).execute();
  online = [...agents, ...more];
  const chats = await newChats(300);
  await Promise.all([routeWaiting(site), routeWaiting(site)]);
  const held = await holders(chats);
  expect(held).not.toContain(null);
  const counts = online.map((agent) => held.filter((holder) => holder === agent).length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(14);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(13);
});

test('rules look at each chat that is assigned, once, whether or not a webhook receives it', async () => {
  online = agents.slice(0, 2);
  await sql`
    insert into rules (site_id, name, position, trigger, events, actions, enabled_at)
    values (${site.site.id}, 'Assigned', 1, '{"on": "conversation_assigned"}', '{conversation_assigned}',
      '[{"type": "add_tags", "tags": ["assigned"]}]', now())`.execute(ground.db);
  const recorded = async (): Promise<number> =>
    (
      await ground.db
        .selectFrom('rule_events')
        .select('session_id')
        .distinct()
        .where('site_id', '=', site.site.id)
        .where('event', '=', 'conversation_assigned')
        .execute()
    ).length;
  const stored = async (): Promise<number> =>
    (await ground.db.selectFrom('rule_events').select('id').where('site_id', '=', site.site.id).execute())
      .length;
  await newChats(2);
  await routeWaiting(site);
  expect([await recorded(), await stored()]).toEqual([2, 2]);
  await sql`
    insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
    values (${site.site.id}, 'https://shop.example/hook', '{conversation_assigned}', 'x', 'xxxx')`.execute(
    ground.db,
  );
  await newChats(2);
  await routeWaiting(site);
  expect([await recorded(), await stored()]).toEqual([4, 4]);
});
