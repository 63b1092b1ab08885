import type { VisibilityChoice } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError, invalidInput, notFound } from '../../base/errors.ts';
import { assertHas } from '../../core/access/permissions.ts';
import type { SiteContext } from '../../core/context.ts';
import { areAgents } from '../agents/assignable.ts';
import { audited } from '../audit/audited.ts';
import { lockSite } from '../sites.ts';
import { holdTeam } from './assignable.ts';

// Macros and views are everyone's, a team's, or one agent's alone.

/** The owner of a macro or view; with two nulls, everyone. */
export interface Audience {
  /** The agent whose private one it is. */
  owner_id: number | null;
  team_id: number | null;
}

/** The calling agent; undefined for callers who can't have anything private. */
export const ownerOf = ({ actor }: SiteContext): number | undefined =>
  actor.kind === 'agent' ? actor.agentId : undefined;

/** Admins see what teams share, and so do tokens, which admins create. */
const seesTeams = ({ actor }: SiteContext): boolean => actor.kind !== 'agent' || actor.role === 'admin';

/** Whether the caller sees a row `of` a table of macros or views. */
export function isVisible(ctx: SiteContext, of: string): RawBuilder<SqlBool> {
  const own = ownerOf(ctx) ?? 0;
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${of}.${name}`);
  const mine = sql`(${column('owner_id')} is null or ${column('owner_id')} = ${own})`;
  if (seesTeams(ctx)) return sql`${mine}`;
  return sql`${mine} and (${column('team_id')} is null or exists (
    select from team_members tm where tm.site_id = ${column('site_id')} and tm.team_id = ${column('team_id')}
      and tm.agent_id = ${own}))`;
}

async function sharesWith(ctx: SiteContext, teamId: number): Promise<boolean> {
  if (seesTeams(ctx)) return true;
  const member = await ctx.db
    .selectFrom('team_members')
    .select('agent_id')
    .where('site_id', '=', ctx.site.id)
    .where('team_id', '=', teamId)
    .where('agent_id', '=', ownerOf(ctx) ?? 0)
    .executeTakeFirst();
  return member !== undefined;
}

/**
 * A macro or view; for those who may not see it, it doesn't exist.
 * @throws AppError 404
 */
export async function visible<T extends Audience>(ctx: SiteContext, row: T, called: string): Promise<T> {
  if (row.owner_id !== null && row.owner_id !== ownerOf(ctx)) throw notFound(called);
  if (row.team_id !== null && !(await sharesWith(ctx, row.team_id))) throw notFound(called);
  return row;
}

/**
 * Who may see what the caller creates or shares. Called before anything of the site is locked: its lock, which
 * removing an agent and deleting a team take first too, keeps the agent and the team until the transaction ends.
 * @throws AppError 404 for a team that is unknown or archived, 403 for one whose member the agent isn't, 400 for
 *   something private of a token
 */
export async function audienceOf(
  tx: SiteContext,
  { visibility, team_id }: VisibilityChoice,
): Promise<Audience> {
  await lockSite(tx);
  if (visibility === 'private') {
    const owner = ownerOf(tx);
    if (owner === undefined)
      throw invalidInput([{ path: 'visibility', message: 'must be everyone or team for an API token' }]);
    if (!(await areAgents(tx, [owner]))) throw notFound('agent');
    return { owner_id: owner, team_id: null };
  }
  if (team_id === undefined) return { owner_id: null, team_id: null };
  await holdTeam(tx, team_id);
  if (!(await sharesWith(tx, team_id)))
    throw new AppError('insufficient_scope', 'You aren’t a member of this team.', { reason: 'not_in_team' });
  return { owner_id: null, team_id };
}

/** The fields of a macro or view that name its owner. */
export const presentAudience = ({ owner_id, team_id }: Audience) => ({
  visibility:
    owner_id !== null ? ('private' as const) : team_id !== null ? ('team' as const) : ('everyone' as const),
  team_id,
});

interface SharedChange {
  subject: 'macro' | 'saved_view';
  verb: 'create' | 'update' | 'delete';
  /** False while it is private, before and after. */
  isShared: boolean;
  /** Names the record by its `id`, if it exists already. */
  input?: unknown;
}

/**
 * Runs a change of something shared with an entry in the audit log. Private ones are their agent's own: they aren't
 * logged, and need no permission.
 * @throws AppError 403 for something shared if the agent may not change what is shared
 */
export function inAudit<T>(
  ctx: SiteContext,
  { subject, verb, isShared, input }: SharedChange,
  work: (tx: SiteContext) => Promise<T>,
): Promise<T> {
  if (!isShared) return ctx.transaction(work);
  assertHas(ctx, 'shared');
  return audited(ctx, { subject, action: `${subject}s.${verb}`, input }, work);
}

/** The audit log says that something private was created when it is shared: nobody else knew it before. */
export const shareVerb = (before: Audience, after: Audience | undefined): 'create' | 'update' =>
  before.owner_id !== null && after ? 'create' : 'update';

/** Private macros and views are deleted with their agent. */
export async function deletePrivateOf({ db, site }: SiteContext, agentId: number): Promise<void> {
  for (const table of ['macros', 'saved_views'] as const)
    await db.deleteFrom(table).where('site_id', '=', site.id).where('owner_id', '=', agentId).execute();
}

/** @throws AppError 409 while a team has macros or views: its members would lose them */
export async function assertSharesNothing({ db, site }: SiteContext, teamId: number): Promise<void> {
  const { rows } = await sql`
    select where exists (select from macros where site_id = ${site.id} and team_id = ${teamId})
      or exists (select from saved_views where site_id = ${site.id} and team_id = ${teamId})`.execute(db);
  if (rows.length > 0)
    throw new AppError(
      'conflict',
      'Macros or views belong to this team. Share them with others or delete them.',
      {
        reason: 'team_shares',
      },
    );
}
