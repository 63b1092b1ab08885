import type { Role } from '@foyer/protocol';
import type { Actor } from '../core/actor.ts';
import type { Site } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { findAgentOfUser } from '../sites/agents/agents.ts';
import { findAccount, prepareAccount, storeAccount } from '../sites/sign-in/accounts.ts';

interface Teammate {
  name: string;
  email: string;
  role: Role;
}

/** The team of the demo's shop. All three sign in with the same password. */
export const TEAM = {
  ada: { name: 'Ada Winter', email: 'demo@foyer.example', role: 'admin' },
  ben: { name: 'Ben Hartmann', email: 'ben@foyer.example', role: 'agent' },
  cleo: { name: 'Cleo Marsh', email: 'cleo@foyer.example', role: 'agent' },
} as const satisfies Record<string, Teammate>;

export type TeammateName = keyof typeof TEAM;
export type AgentActor = Extract<Actor, { kind: 'agent' }>;
export type Team = Record<TeammateName, AgentActor>;

/** Ada's site and agent; undefined without a demo, or if she was removed from it. */
export async function findAda(db: Db): Promise<{ site: Site; actor: AgentActor } | undefined> {
  const account = await findAccount(db, TEAM.ada.email);
  return account && findAgentOfUser(db, account.userId);
}

/** The current team. In demos from before Ada had colleagues, and where one was removed, she takes their part. */
export async function findTeam(
  db: Db,
  { site, actor: ada }: { site: Site; actor: AgentActor },
): Promise<Team> {
  const find = async (email: string): Promise<AgentActor> => {
    const account = await findAccount(db, email);
    const found = account && (await findAgentOfUser(db, account.userId));
    return found?.site.id === site.id ? found.actor : ada;
  };
  return { ada, ben: await find(TEAM.ben.email), cleo: await find(TEAM.cleo.email) };
}

const TEAMS = [
  {
    name: 'Deliveries',
    emoji: '🚚',
    description: 'Parcels that are late, lost or damaged',
    of: ['ben', 'cleo'],
  },
  { name: 'Returns', emoji: '📦', description: 'Returns and refunds', of: ['cleo', 'ada'] },
] as const;

async function makeTeams(tx: Db, siteId: number, agents: ReadonlyMap<TeammateName, number>): Promise<void> {
  for (const { of, ...about } of TEAMS) {
    const ids = of.map((who) => agents.get(who) ?? 0);
    const { id } = await tx
      .insertInto('teams')
      .values({ site_id: siteId, ...about, lead_id: ids[0] ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const members = ids.map((agent_id) => ({ site_id: siteId, team_id: id, agent_id }));
    await tx.insertInto('team_members').values(members).execute();
  }
}

/** Creates the three accounts, their agents and their teams on a new site, in the caller's transaction. */
export async function makeTeam(tx: Db, siteId: number, password: string): Promise<void> {
  const agents = new Map<TeammateName, number>();
  for (const who of ['ada', 'ben', 'cleo'] as const) {
    const { name, email, role } = TEAM[who];
    const userId = await storeAccount(tx, await prepareAccount(tx, { name, email, password }));
    const { id } = await tx
      .insertInto('agents')
      .values({ site_id: siteId, user_id: userId, name, role })
      .returning('id')
      .executeTakeFirstOrThrow();
    agents.set(who, id);
  }
  await makeTeams(tx, siteId, agents);
}
