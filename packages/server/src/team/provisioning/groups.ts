import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import type { ProviderRow } from '../../sites/single-sign-on/providers.ts';
import { followRoles } from './people.ts';
import { ScimProblem, unique } from './scim-problem.ts';

const GROUPS_MAX = 1_000;
const TAKEN = 'Another group has this displayName.';

export type ProvisionedGroup = Selectable<Tables['provisioned_groups']> & { members: Member[] };

interface Member {
  id: number;
  userName: string;
}

/** A group as a provider describes it. */
export interface GroupGiven {
  displayName: string;
  externalId: string | null;
  /** Ids of people. */
  members: number[];
}

const groups = ({ db, site }: SiteContext, provider: ProviderRow) =>
  db
    .selectFrom('provisioned_groups')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('provider_id', '=', provider.id);

async function membersOf({ db, site }: SiteContext, ids: readonly number[]): Promise<Map<number, Member[]>> {
  const members = new Map<number, Member[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return members;
  const rows = await db
    .selectFrom('provisioned_members as m')
    .innerJoin('provisioned_people as p', (join) =>
      join.onRef('p.site_id', '=', 'm.site_id').onRef('p.id', '=', 'm.person_id'),
    )
    .select(['m.group_id', 'p.id', 'p.user_name'])
    .where('m.site_id', '=', site.id)
    .where('m.group_id', '=', sql<number>`any(${ids})`)
    .orderBy('p.id')
    .execute();
  for (const row of rows) members.get(row.group_id)?.push({ id: row.id, userName: row.user_name });
  return members;
}

/** @throws ScimProblem 404 */
export async function getGroup(
  ctx: SiteContext,
  provider: ProviderRow,
  id: number,
): Promise<ProvisionedGroup> {
  const row = await groups(ctx, provider)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new ScimProblem(404, undefined, 'No such group.'));
  return { ...row, members: (await membersOf(ctx, [id])).get(id) ?? [] };
}

/** Oldest first. @param by the provider's filter, such as before it creates a group; empty: all */
export async function listGroups(
  ctx: SiteContext,
  provider: ProviderRow,
  by: { displayName?: string; externalId?: string },
): Promise<ProvisionedGroup[]> {
  const rows = await groups(ctx, provider)
    .$if(by.displayName !== undefined, (query) =>
      query.where((where) =>
        where(where.fn<string>('lower', ['name']), '=', by.displayName?.toLowerCase() ?? ''),
      ),
    )
    .$if(by.externalId !== undefined, (query) => query.where('external_id', '=', by.externalId ?? ''))
    .orderBy('id')
    .limit(GROUPS_MAX)
    .execute();
  const members = await membersOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, members: members.get(row.id) ?? [] }));
}

/**
 * Stores a group and updates the roles of its members. In the caller's transaction, under the site's lock.
 * @throws ScimProblem 400 for a member that the provider hasn't provisioned, 404, 409
 */
export async function saveGroup(
  tx: SiteContext,
  provider: ProviderRow,
  id: number | undefined,
  { displayName, externalId, members }: GroupGiven,
): Promise<ProvisionedGroup> {
  const before =
    id === undefined ? [] : (await getGroup(tx, provider, id)).members.map((member) => member.id);
  const values = { name: displayName, external_id: externalId, updated_at: tx.now() };
  const groupId = id ?? (await insertGroup(tx, provider, values));
  if (id !== undefined) await unique(updateGroup(tx, id, values), TAKEN);
  await setMembers(tx, provider, groupId, members);
  // A new name may change the role of existing members.
  await followRoles(tx, provider, [...new Set([...before, ...members])]);
  return getGroup(tx, provider, groupId);
}

async function insertGroup(
  tx: SiteContext,
  provider: ProviderRow,
  values: { name: string; external_id: string | null; updated_at: Date },
): Promise<number> {
  if ((await groups(tx, provider).select('id').limit(GROUPS_MAX).execute()).length >= GROUPS_MAX)
    throw new ScimProblem(409, undefined, `A provider can have at most ${GROUPS_MAX} groups.`);
  const insert = tx.db
    .insertInto('provisioned_groups')
    .values({ ...values, site_id: tx.site.id, provider_id: provider.id, created_at: values.updated_at })
    .returning('id');
  return (await unique(insert.executeTakeFirstOrThrow(), TAKEN)).id;
}

const updateGroup = (tx: SiteContext, id: number, values: { name: string; external_id: string | null }) =>
  tx.db
    .updateTable('provisioned_groups')
    .set(values)
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();

async function setMembers(
  tx: SiteContext,
  provider: ProviderRow,
  groupId: number,
  members: readonly number[],
): Promise<void> {
  const wanted = [...new Set(members)];
  await refuseStrangers(tx, provider, wanted);
  await tx.db
    .deleteFrom('provisioned_members')
    .where('site_id', '=', tx.site.id)
    .where('group_id', '=', groupId)
    .where('person_id', '<>', sql<number>`all(${wanted}::bigint[])`)
    .execute();
  await sql`
    insert into provisioned_members (site_id, group_id, person_id)
    select ${tx.site.id}, ${groupId}, unnest(${wanted}::bigint[]) on conflict do nothing`.execute(tx.db);
}

/** @throws ScimProblem 400 */
async function refuseStrangers(
  tx: SiteContext,
  provider: ProviderRow,
  ids: readonly number[],
): Promise<void> {
  const known = await tx.db
    .selectFrom('provisioned_people')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('provider_id', '=', provider.id)
    .where('id', '=', sql<number>`any(${ids})`)
    .execute();
  if (known.length === ids.length) return;
  throw new ScimProblem(400, 'invalidValue', 'A member is no user of this provider.');
}

/** Deletes a group; its members lose the role that it gave. @throws ScimProblem 404 */
export async function deleteGroup(tx: SiteContext, provider: ProviderRow, id: number): Promise<void> {
  const { members } = await getGroup(tx, provider, id);
  await tx.db
    .deleteFrom('provisioned_groups')
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  await followRoles(
    tx,
    provider,
    members.map((member) => member.id),
  );
}
