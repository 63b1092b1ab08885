/**
 * Routing of a thousand waiting chats among a hundred agents, half of them by language and in a team, by two processes
 * at once: how long until the last one has an agent. Then the same for tickets. Compared with a plain update of each.
 */
import { type RawBuilder, sql } from 'kysely';
import { routeWaiting } from '../packages/server/src/conversations/routing/routing.ts';
import { createContext, type SiteContext } from '../packages/server/src/core/context.ts';
import { createEmitter } from '../packages/server/src/core/events.ts';
import { type Db, openDatabase } from '../packages/server/src/db/database.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { routeTickets } from '../packages/server/src/tickets/routing/route-tickets.ts';
import { silentLog, testServices } from '../packages/server/test/harness.ts';
import { type Figure, seconds } from './figures.ts';
import { withDatabase } from './foyer.ts';

const WAITING = 1_000;
const AGENTS = 100;
/** Each agent has capacity for a few more than their share. */
const LIMIT = 12;
const ENGLISH = 'Hello, I have not received my invoice and I am still waiting for the delivery of my order.';
const GERMAN = 'Guten Tag, ich habe meine Rechnung nicht bekommen und warte noch auf die Lieferung.';

/** A process in which all agents have the desk open. */
const processOf = (db: Db, siteId: number, online: number[]): SiteContext =>
  createContext({
    site: { id: siteId, plan: 'growth' },
    actor: { kind: 'job' },
    db,
    send: async () => undefined,
    log: silentLog,
    services: testServices({ presence: { onlineAgents: async () => online } }),
    now: () => new Date(),
    emitter: createEmitter(() => undefined),
  });

/** @returns the agents: every second speaks German, every fourth is in the team */
async function fill(db: Db, siteId: number): Promise<number[]> {
  await sql`
    update sites set routing = 'least_busy', ticket_routing = 'least_busy', last_agent_first = true
    where id = ${siteId}`.execute(db);
  await sql`
    insert into auth_users (id, name, email)
    select gen_random_uuid(), 'Agent ' || n, 'agent' || n || '@bench.example' from generate_series(1, ${AGENTS}) n`.execute(
    db,
  );
  const { rows } = await sql<{ id: number }>`
    insert into agents (site_id, user_id, role, name, chat_limit, ticket_limit, languages)
    select ${siteId}, id, 'agent', name, ${LIMIT}, ${LIMIT},
      case when row_number() over () % 2 = 0 then '{de}' else '{en}' end::text[]
    from auth_users returning id`.execute(db);
  await sql`insert into teams (site_id, name) values (${siteId}, 'Billing')`.execute(db);
  await sql`
    insert into team_members (site_id, team_id, agent_id)
    select t.site_id, t.id, a.id from teams t join agents a on a.site_id = t.site_id where a.id % 4 = 0`.execute(
    db,
  );
  await sql`
    insert into visitors (site_id, key) select ${siteId}, 'v' || n from generate_series(1, ${WAITING}) n`.execute(
    db,
  );
  await sql`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, waiting_since, language, team_id)
    select v.site_id, 'ses_' || gen_random_uuid(), v.id, gen_random_uuid(), 'waiting', now() + v.id * interval '1 ms',
      case when v.id % 2 = 0 then 'de' else 'en' end, case when v.id % 8 = 0 then t.id end
    from visitors v join teams t on t.site_id = v.site_id where v.site_id = ${siteId}`.execute(db);
  await sql`
    insert into tickets (site_id, subject, description, status, priority, requester_id, team_id, created_at)
    select v.site_id, 'Order ' || v.id, case when v.id % 2 = 0 then ${GERMAN} else ${ENGLISH} end, 'new', 'normal', v.id,
      case when v.id % 8 = 0 then t.id end, now() - v.id * interval '1 s'
    from visitors v join teams t on t.site_id = v.site_id where v.site_id = ${siteId}`.execute(db);
  await sql`analyze`.execute(db);
  return rows.map(({ id }) => id);
}

interface Kind {
  table: 'conversations' | 'tickets';
  name: string;
  agent: 'agent_id' | 'assignee_id';
  route(ctx: SiteContext): Promise<void>;
  /** The columns that the bare version sets, without a choice, message, notification or reason. */
  bare: RawBuilder<unknown>;
}

const KINDS: readonly Kind[] = [
  {
    table: 'conversations',
    name: 'chats',
    agent: 'agent_id',
    route: routeWaiting,
    bare: sql`status = 'active', waiting_since = null`,
  },
  {
    table: 'tickets',
    name: 'tickets',
    agent: 'assignee_id',
    route: routeTickets,
    bare: sql`status = 'open'`,
  },
];

/** The bare version: a transaction of one update for each. */
async function updateEach(db: Db, siteId: number, { table, bare }: Kind): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select id from ${sql.ref(table)} where site_id = ${siteId}`.execute(db);
  const from = performance.now();
  for (const { id } of rows)
    await sql`update ${sql.ref(table)} set ${bare} where site_id = ${siteId} and id = ${id}`.execute(db);
  return performance.now() - from;
}

interface Outcome {
  assigned: number;
  most: number;
}

export const routing = (): Promise<Figure[]> =>
  withDatabase(async ({ db, url }) => {
    const { id: siteId } = await createSite(db, { name: 'Bench', plan: 'growth' });
    const online = await fill(db, siteId);
    const others = [openDatabase(url), openDatabase(url)];
    const figures: Figure[] = [];
    for (const kind of KINDS) {
      const { table, name, agent, route } = kind;
      const from = performance.now();
      await Promise.all(others.map((other) => route(processOf(other.db, siteId, online))));
      const ms = performance.now() - from;
      const { rows } = await sql<Outcome>`
        select sum(n)::int as assigned, max(n)::int as most from (
          select count(*) as n from ${sql.ref(table)} where site_id = ${siteId} and ${sql.ref(agent)} is not null
          group by ${sql.ref(agent)}) a`.execute(db);
      const { assigned = 0, most = 0 } = rows[0] ?? {};
      if (assigned !== WAITING || most > LIMIT)
        throw new Error(`${assigned} ${name} were assigned, ${most} to one`);
      const bare = await updateEach(db, siteId, kind);
      figures.push({
        what: `${WAITING.toLocaleString('en')} waiting ${name} routed among ${AGENTS} agents by two processes`,
        ours: seconds(ms),
        bare: seconds(bare),
        ratio: (ms / bare).toFixed(2),
        wanted: '< 1.0 s',
      });
    }
    for (const other of others) await other.close();
    return figures;
  });
