import { type CustomRole, type OutputOf, type ParsedInputOf, ROLES_MAX } from '@foyer/protocol';
import { PERMISSIONS, type Permission } from '@foyer/protocol/values/sign-in/permissions';
import { type Selectable, sql } from 'kysely';
import { AppError, notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../sites.ts';

// The notice also ends the sockets of agents whose rights have changed.
const records = new SiteRecords('roles', 'role', { notice: { kind: 'agents' } });

const present = (row: Selectable<Tables['roles']> & { agent_count: number }): CustomRole => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: row.permissions,
  agent_count: row.agent_count,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

const roleRows = ({ db, site }: SiteContext) =>
  db
    .selectFrom('roles as r')
    .selectAll('r')
    .select(
      sql<number>`(select count(*)::int from agents a
        where a.site_id = r.site_id and a.custom_role_id = r.id and a.removed_at is null)`.as('agent_count'),
    )
    .where('r.site_id', '=', site.id);

async function getRole(ctx: SiteContext, id: number): Promise<CustomRole> {
  const row = await roleRows(ctx)
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('role'));
  return present(row);
}

/** By name. */
export async function listRoles(ctx: SiteContext): Promise<OutputOf<'roles.list'>> {
  const rows = await roleRows(ctx).orderBy(sql`lower(r.name)`).execute();
  return { roles: rows.map(present) };
}

/** In the order of the list, each once. */
const ordered = (given: readonly Permission[]): Permission[] =>
  PERMISSIONS.filter((permission) => given.includes(permission));

/** @throws AppError 409 for a name that is taken and for too many roles */
export function createRole(ctx: SiteContext, input: ParsedInputOf<'roles.create'>): Promise<CustomRole> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    if ((await listRoles(tx)).roles.length >= ROLES_MAX)
      throw tooMany(ROLES_MAX, `A site can have at most ${ROLES_MAX} roles.`);
    const now = tx.now();
    const { id } = await records.insert(tx, {
      name: input.name,
      description: input.description ?? '',
      permissions: ordered(input.permissions ?? []),
      created_at: now,
      updated_at: now,
    });
    return getRole(tx, id);
  });
}

/**
 * The rights of agents with this role change at once, and their sockets are closed.
 * @throws AppError 404, also for another site's; 409 for a name that is taken
 */
export function updateRole(
  ctx: SiteContext,
  { id, name, description, permissions }: ParsedInputOf<'roles.update'>,
): Promise<CustomRole> {
  return ctx.transaction(async (tx) => {
    const change = { name, description, permissions: permissions && ordered(permissions) };
    await records.update(tx, id, change, { updated_at: tx.now() });
    return getRole(tx, id);
  });
}

/** Prevents the deletion of a role until the caller's transaction ends. @throws AppError 404 */
export async function holdRole({ db, site }: SiteContext, id: number): Promise<void> {
  await db
    .selectFrom('roles')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('role'));
}

/**
 * @throws AppError 404, also for another site's; 409 while agents have it, since they would get other rights
 *   unexpectedly
 */
export const deleteRole = (ctx: SiteContext, id: number): Promise<OutputOf<'roles.delete'>> =>
  ctx.transaction(async (tx) => {
    await records.lockWhole(tx, id);
    const { agent_count: count } = await getRole(tx, id);
    if (count > 0)
      throw new AppError('conflict', 'Agents have this role. Give them another one first.', {
        reason: 'role_in_use',
        values: { count },
      });
    // Removed agents don't keep a role in use.
    await tx.db
      .updateTable('agents')
      .set({ custom_role_id: null })
      .where('site_id', '=', tx.site.id)
      .where('custom_role_id', '=', id)
      .execute();
    return records.delete(tx, id);
  });
