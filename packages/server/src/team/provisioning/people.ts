import { sql } from 'kysely';
import { domainOf } from '../../base/email-address.ts';
import type { SiteContext } from '../../core/context.ts';
import { joinSite } from '../../sites/agents/agents.ts';
import { accountEmail, findAccount } from '../../sites/sign-in/accounts.ts';
import { findAgent, followGroups } from '../../sites/single-sign-on/admission.ts';
import { nameIn } from '../../sites/single-sign-on/claims.ts';
import type { ProviderRow } from '../../sites/single-sign-on/providers.ts';
import {
  linkProvisioned,
  type ProvisionedPerson,
  roleByProvisionedGroups,
} from '../../sites/single-sign-on/provisioned.ts';
import { removeAgent } from '../remove-agent.ts';
import { ScimProblem, unique } from './scim-problem.ts';

/** More than any team has: a provider that sends everybody in a company by mistake stops here. */
const PEOPLE_MAX = 10_000;
const TAKEN = 'Another user has this userName.';

/** A person as a provider describes them. */
export interface PersonGiven {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  givenName: string | null;
  familyName: string | null;
  active: boolean;
}

const people = ({ db, site }: SiteContext, provider: ProviderRow) =>
  db
    .selectFrom('provisioned_people')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('provider_id', '=', provider.id);

/** @throws ScimProblem 404 */
export const getPerson = (ctx: SiteContext, provider: ProviderRow, id: number): Promise<ProvisionedPerson> =>
  people(ctx, provider)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new ScimProblem(404, undefined, 'No such user.'));

/** Oldest first. @param by the provider's filter, such as before it creates somebody; empty: everybody */
export const listPeople = (
  ctx: SiteContext,
  provider: ProviderRow,
  by: { userName?: string; externalId?: string },
): Promise<ProvisionedPerson[]> =>
  people(ctx, provider)
    .$if(by.userName !== undefined, (query) =>
      query.where('user_name', '=', by.userName?.toLowerCase() ?? ''),
    )
    .$if(by.externalId !== undefined, (query) => query.where('external_id', '=', by.externalId ?? ''))
    .orderBy('id')
    .limit(PEOPLE_MAX)
    .execute();

/** @throws ScimProblem 400 if it is no address, or of a domain that isn't the provider's */
function addressOf({ domains }: ProviderRow, userName: string): string {
  const email = accountEmail.safeParse(userName).data;
  if (email === undefined) throw new ScimProblem(400, 'invalidValue', 'userName must be an email address.');
  const domain = domainOf(email);
  if (domains.includes(domain)) return email;
  throw new ScimProblem(400, 'invalidValue', `The provider has no domain ${domain} in Foyer.`);
}

/** Their name in Foyer: as the provider writes it, or else what precedes the @ of the address. */
export const nameOf = ({ display_name, given_name, family_name, user_name }: ProvisionedPerson): string =>
  nameIn({ name: display_name, given_name, family_name }, user_name);

const columnsOf = (provider: ProviderRow, given: PersonGiven) => ({
  user_name: addressOf(provider, given.userName),
  external_id: given.externalId,
  display_name: given.displayName,
  given_name: given.givenName,
  family_name: given.familyName,
  is_active: given.active,
});

/** @throws ScimProblem 409 */
async function refuseTooMany(tx: SiteContext, provider: ProviderRow): Promise<void> {
  const { count } = await tx.db
    .selectFrom('provisioned_people')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('site_id', '=', tx.site.id)
    .where('provider_id', '=', provider.id)
    .executeTakeFirstOrThrow();
  if (count < PEOPLE_MAX) return;
  throw new ScimProblem(409, undefined, `A provider can have at most ${PEOPLE_MAX} users.`);
}

/**
 * Creates a provisioned person, and makes them an agent if they are active. In the caller's transaction, under the
 * site's lock.
 * @throws ScimProblem 400, 409; AppError 403 `plan_limit`
 */
export async function createPerson(
  tx: SiteContext,
  provider: ProviderRow,
  given: PersonGiven,
): Promise<ProvisionedPerson> {
  await refuseTooMany(tx, provider);
  const now = tx.now();
  const values = { ...columnsOf(provider, given), site_id: tx.site.id, provider_id: provider.id };
  const insert = tx.db
    .insertInto('provisioned_people')
    .values({ ...values, created_at: now, updated_at: now })
    .returningAll();
  const person = await unique(insert.executeTakeFirstOrThrow(), TAKEN);
  await settle(tx, provider, person);
  await note(tx, provider, person, [null, person.is_active]);
  return person;
}

/**
 * Changes a provisioned person: if they are no longer active they are no longer an agent, and vice versa. The account
 * keeps its address, which other sites may know.
 * @throws ScimProblem 400, 404, 409; AppError 403 `plan_limit`, 409 for the last admin
 */
export async function changePerson(
  tx: SiteContext,
  provider: ProviderRow,
  id: number,
  given: PersonGiven,
): Promise<ProvisionedPerson> {
  const before = await getPerson(tx, provider, id);
  const update = tx.db
    .updateTable('provisioned_people')
    .set({ ...columnsOf(provider, given), updated_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .returningAll();
  const after = await unique(update.executeTakeFirstOrThrow(), TAKEN);
  await settle(tx, provider, after, before);
  if (before.is_active !== after.is_active)
    await note(tx, provider, after, [before.is_active, after.is_active]);
  return after;
}

/** Deletes a provisioned person, who is no longer an agent. @throws ScimProblem 404; AppError 409 for the last admin */
export async function deletePerson(tx: SiteContext, provider: ProviderRow, id: number): Promise<void> {
  const person = await getPerson(tx, provider, id);
  await leave(tx, person);
  await tx.db
    .deleteFrom('provisioned_people')
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  await note(tx, provider, person, [person.is_active, null]);
}

/** Gives each of them the role of their groups, if they are agents. */
export async function followRoles(
  tx: SiteContext,
  provider: ProviderRow,
  ids: readonly number[],
): Promise<void> {
  for (const person of await people(tx, provider).where('id', '=', sql<number>`any(${ids})`).execute())
    await followRole(tx, provider, person);
}

async function followRole(tx: SiteContext, provider: ProviderRow, person: ProvisionedPerson): Promise<void> {
  const agent = await currentAgent(tx, person);
  if (!agent) return;
  const role = await roleByProvisionedGroups(tx, provider, person.id);
  await followGroups(tx, agent.id, agent.role, role ?? agent.role);
}

async function currentAgent(tx: SiteContext, { user_id }: ProvisionedPerson) {
  const agent = await findAgent(tx, user_id ?? undefined);
  return agent?.removed_at === null ? agent : undefined;
}

/** Updates the team by a person's state. */
async function settle(
  tx: SiteContext,
  provider: ProviderRow,
  person: ProvisionedPerson,
  before?: ProvisionedPerson,
): Promise<void> {
  if (!person.is_active) return leave(tx, person);
  const agent = await currentAgent(tx, person);
  if (!agent) return join(tx, provider, person);
  // A name that was changed in Foyer stays.
  if (before && agent.name === nameOf(before)) await rename(tx, agent, nameOf(person));
}

async function rename(tx: SiteContext, agent: { id: number; name: string }, name: string): Promise<void> {
  if (agent.name === name) return;
  await tx.db
    .updateTable('agents')
    .set({ name })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', agent.id)
    .execute();
  await tx.emit({ notices: [{ kind: 'agents' }] });
}

async function leave(tx: SiteContext, person: ProvisionedPerson): Promise<void> {
  const agent = await currentAgent(tx, person);
  if (agent) await removeAgent(tx, agent.id);
}

/**
 * Makes a person an agent. Somebody who has an account but was never an agent of this site joins with their first
 * sign-in instead: a site can't add other sites' people without their consent.
 */
async function join(tx: SiteContext, provider: ProviderRow, person: ProvisionedPerson): Promise<void> {
  const known = person.user_id ?? (await findAccount(tx.db, person.user_name))?.userId;
  const agent = await findAgent(tx, known);
  if (known !== undefined && !agent) return;
  const name = nameOf(person);
  if (!agent || agent.removed_at !== null) {
    const account = known
      ? ({ kind: 'known', userId: known } as const)
      : ({ kind: 'new', email: person.user_name, name, passwordHash: null } as const);
    const role = (await roleByProvisionedGroups(tx, provider, person.id)) ?? provider.default_role;
    await joinSite(tx, { account, name, role }, 'the caller');
  }
  const userId = known ?? (await findAccount(tx.db, person.user_name))?.userId;
  if (userId !== undefined) await linkProvisioned(tx, person.id, userId);
}

/** Records the provider's change in the audit log. */
async function note(
  tx: SiteContext,
  { id, name }: ProviderRow,
  person: ProvisionedPerson,
  active: [boolean | null, boolean | null],
): Promise<void> {
  await tx.emit({
    audit: {
      subject: 'identity_provider',
      subjectId: id,
      label: name,
      action: 'identity_providers.provisioned',
      changes: { email: [null, person.user_name], active },
    },
  });
}
