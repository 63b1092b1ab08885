import type { Role } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/** Whether all of these ids are current agents of the site. Removed agents don't count. */
export async function areAgents({ db, site }: SiteContext, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return true;
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', 'in', wanted)
    .where('removed_at', 'is', null)
    .execute();
  return rows.length === wanted.length;
}

/** Whether the role of an agent lets them answer. @param agents the name of the table in the statement */
export const mayAnswer = (agents: string): RawBuilder<boolean> => sql<boolean>`not exists (
  select from roles answering_role
  where answering_role.site_id = ${sql.ref(`${agents}.site_id`)}
    and answering_role.id = ${sql.ref(`${agents}.custom_role_id`)}
    and not 'answer' = any (answering_role.permissions))`;

const presentAgent = ({ db, site }: SiteContext, id: number) =>
  db
    .selectFrom('agents')
    .select(['id', 'name', mayAnswer('agents').as('may_answer')])
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('removed_at', 'is', null);

/** @throws AppError 404 for nobody, 409 for an agent whose role doesn't let them answer */
function assignable<Agent extends { name: string }>(
  row: (Agent & { may_answer: boolean }) | undefined,
): Omit<Agent, 'may_answer'> {
  if (!row) throw notFound('agent');
  const { may_answer, ...agent } = row;
  if (may_answer) return agent;
  throw new AppError(
    'conflict',
    `${agent.name} can’t be assigned anything: their role doesn’t let them answer.`,
    { reason: 'role_cannot_answer' },
  );
}

/**
 * The agent to assign work to.
 * @throws AppError 404 for an unknown id and for a removed agent, 409 for one who may not answer
 */
export const assignableAgent = async (ctx: SiteContext, id: number): Promise<{ id: number; name: string }> =>
  assignable(await presentAgent(ctx, id).executeTakeFirst());

/** The same with their role, to act in their name. @throws AppError 404, 409 */
export const actingAgent = async (
  ctx: SiteContext,
  id: number,
): Promise<{ id: number; name: string; role: Role }> =>
  assignable(await presentAgent(ctx, id).select('role').executeTakeFirst());

/**
 * Like `assignableAgent`, and prevents the agent's removal until the caller's transaction ends: a removal unassigns
 * the agent's chats in its own transaction and would miss one that is being assigned.
 */
export const holdAgent = async (tx: SiteContext, id: number): Promise<{ id: number; name: string }> =>
  assignable(await presentAgent(tx, id).forShare().executeTakeFirst());
