import type { Plan, Role } from '@foyer/protocol';
import { sql } from 'kysely';
import { type Ground, openGround } from '../../test/ground.ts';
import type { Actor, Site, SiteContext } from '../context.ts';
import { addAgent } from './agents.ts';
import { createSite } from './sites.ts';

// For the tests of this folder and of the doors that open on it.

export const PASSWORD = 'correct horse battery';

export interface SiteFixture extends Omit<Ground, 'contextOf'> {
  /** Agents that count as online. */
  online: number[];
  contextOf(site: Site, actor: Actor, now?: () => Date): SiteContext;
  execute(statement: string): Promise<unknown>;
  newSite(plan?: Plan): Promise<TestSite>;
}

/** A site with one admin. */
export interface TestSite {
  site: Site;
  admin: SiteContext;
  operator: SiteContext;
  adminId: number;
  adminEmail: string;
}

let made = 0;
export const newEmail = (): string => `person${++made}@example.com`;

export async function openSiteFixture(): Promise<SiteFixture> {
  const ground = await openGround();
  const online: number[] = [];
  const contextOf: SiteFixture['contextOf'] = (site, actor, now) =>
    ground.contextOf(site.id, {
      actor,
      presence: { onlineAgents: () => online },
      ...(now && { now }),
    });
  return {
    ...ground,
    online,
    contextOf,
    execute: (statement) => sql.raw(statement).execute(ground.db),
    async newSite(plan = 'growth') {
      const { id } = await createSite(ground.db, { name: 'Shop', plan });
      const site = { id, plan };
      const operator = contextOf(site, { kind: 'operator' });
      const { id: adminId, email: adminEmail } = await newAgent(operator, 'admin');
      const admin = contextOf(site, { kind: 'agent', agentId: adminId, name: 'Ada', role: 'admin' });
      return { site, admin, operator, adminId, adminEmail };
    },
  };
}

export const newAgent = (operator: SiteContext, role: Role = 'agent') =>
  addAgent(operator, { email: newEmail(), name: 'Ada', password: PASSWORD, role });

/** All that the database holds, as text: what must be nowhere is not in it. */
export async function dumpOf({ db }: Pick<Ground, 'db'>): Promise<string> {
  const tables = await db.introspection.getTables();
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await sql<{
      text: string;
    }>`select record::text as text from ${sql.table(name)} record`.execute(db);
    return rows.map(({ text }) => text).join('\n');
  });
  return (await Promise.all(dumps)).join('\n');
}
