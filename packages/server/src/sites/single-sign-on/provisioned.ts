import type { Role } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { roleAmong } from './claims.ts';
import type { ProviderRow } from './providers.ts';

export type ProvisionedPerson = Selectable<Tables['provisioned_people']>;

/** A person whom a provider has provisioned by SCIM: by the account, or by the address before there is one. */
export const findProvisioned = (
  { db, site }: SiteContext,
  { id }: Pick<ProviderRow, 'id'>,
  { userId, email }: { userId: string | undefined; email: string },
): Promise<ProvisionedPerson | undefined> =>
  db
    .selectFrom('provisioned_people')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('provider_id', '=', id)
    .where((where) =>
      where.or([
        where('user_name', '=', email),
        ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
      ]),
    )
    // The account is more reliable.
    .orderBy((order) =>
      order
        .case()
        .when('user_id', '=', userId ?? null)
        .then(0)
        .else(1)
        .end(),
    )
    .limit(1)
    .executeTakeFirst();

/** Links a provisioned person to their account, once they are an agent. */
export const linkProvisioned = async (
  { db, site }: SiteContext,
  id: number,
  userId: string,
): Promise<void> => {
  await db
    .updateTable('provisioned_people')
    .set({ user_id: userId, is_active: true })
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .execute();
};

/**
 * The role that a person's provisioned groups give them: the highest of those that match by name or by the provider's
 * own id (Microsoft's object ID), the default for none.
 * @returns undefined if the provider has sent no groups, or no group has a role
 */
export async function roleByProvisionedGroups(
  { db, site }: SiteContext,
  { id, group_roles, default_role }: ProviderRow,
  personId: number,
): Promise<Role | undefined> {
  if (group_roles.length === 0) return undefined;
  const groups = await db
    .selectFrom('provisioned_groups as g')
    .leftJoin('provisioned_members as m', (join) =>
      join
        .onRef('m.site_id', '=', 'g.site_id')
        .onRef('m.group_id', '=', 'g.id')
        .on('m.person_id', '=', personId),
    )
    .select(['g.name', 'g.external_id', 'm.person_id'])
    .where('g.site_id', '=', site.id)
    .where('g.provider_id', '=', id)
    .execute();
  if (groups.length === 0) return undefined;
  const names = new Set(
    groups
      .filter(({ person_id }) => person_id !== null)
      .flatMap(({ name, external_id }) => [name, external_id]),
  );
  return roleAmong({ group_roles, default_role }, names);
}
