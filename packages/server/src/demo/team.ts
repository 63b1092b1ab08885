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

/** Creates the three accounts and their agents on a new site, in the caller's transaction. */
export async function makeTeam(tx: Db, siteId: number, password: string): Promise<void> {
  for (const { name, email, role } of Object.values(TEAM)) {
    const userId = await storeAccount(tx, await prepareAccount(tx, { name, email, password }));
    await tx.insertInto('agents').values({ site_id: siteId, user_id: userId, name, role }).execute();
  }
}
