import { randomUUID } from 'node:crypto';
import type { Role } from '@foyer/protocol';
import { AppError, isUniqueViolation } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { joinSite, setAgentRole } from '../agents/agents.ts';
import { acceptOpenInvitation, findOpenInvitation } from '../agents/invitations.ts';
import { audited } from '../audit/audited.ts';
import { findAccount, type PreparedAccount } from '../sign-in/accounts.ts';
import { lockSite } from '../sites.ts';
import { nameIn, provenEmail, roleByGroups, SignInRefused } from './claims.ts';
import type { Claims } from './identity-client.ts';
import { accountsOf, type ProviderRow } from './providers.ts';
import {
  findProvisioned,
  linkProvisioned,
  type ProvisionedPerson,
  roleByProvisionedGroups,
} from './provisioned.ts';

/** The agent whose identity was proven. */
export interface Admitted {
  userId: string;
  email: string;
  agentId: number;
  name: string;
  role: Role;
}

interface Person {
  /** Undefined: the account is created. */
  userId: string | undefined;
  email: string;
  isLinked: boolean;
}

/** A person whom the provider has identified before, by its own id. */
const findLinked = (tx: SiteContext, provider: ProviderRow, { sub }: Claims) =>
  tx.db
    .selectFrom('auth_accounts')
    .innerJoin('auth_users', 'auth_users.id', 'auth_accounts.user_id')
    .select(['auth_users.id', 'auth_users.email'])
    .where('auth_accounts.provider_id', '=', accountsOf(provider.id))
    .where('auth_accounts.account_id', '=', sub)
    .executeTakeFirst();

/**
 * An account of another of the provider's people isn't given to a second one: an address may pass to a new colleague.
 */
async function refuseSecondLink(tx: SiteContext, provider: ProviderRow, person: Person): Promise<void> {
  if (person.userId === undefined) return;
  const other = await tx.db
    .selectFrom('auth_accounts')
    .select('id')
    .where('provider_id', '=', accountsOf(provider.id))
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
  if (other) throw new SignInRefused('other_account', { email: person.email });
}

/** @throws SignInRefused without a verified address of the provider's, for a person it has not identified before */
async function identify(tx: SiteContext, provider: ProviderRow, claims: Claims): Promise<Person> {
  const linked = await findLinked(tx, provider, claims);
  if (linked) return { userId: linked.id, email: linked.email, isLinked: true };
  const email = provenEmail(provider, claims);
  const person = { userId: (await findAccount(tx.db, email))?.userId, email, isLinked: false };
  await refuseSecondLink(tx, provider, person);
  return person;
}

/** The agent of an account at the site, also one who was removed. */
export const findAgent = (tx: SiteContext, userId: string | undefined) =>
  userId === undefined
    ? undefined
    : tx.db
        .selectFrom('agents')
        .select(['id', 'name', 'role', 'removed_at'])
        .where('site_id', '=', tx.site.id)
        .where('user_id', '=', userId)
        // Somebody who was removed and invited again has two rows.
        .orderBy('removed_at', (order) => order.desc().nullsFirst())
        .executeTakeFirst();

const link = (tx: SiteContext, provider: ProviderRow, sub: string, userId: string) =>
  tx.db
    .insertInto('auth_accounts')
    .values({ id: randomUUID(), account_id: sub, provider_id: accountsOf(provider.id), user_id: userId })
    .execute();

/** Whether they may become an agent, and why not. */
function checkJoin(
  { creates_agents }: ProviderRow,
  email: string,
  { isExpected, wasRemoved }: { isExpected: boolean; wasRemoved: boolean },
): void {
  if (isExpected) return;
  if (wasRemoved) throw new SignInRefused('removed', { email });
  if (!creates_agents) throw new SignInRefused('no_account', { email });
}

/**
 * Makes a person an agent: if they were invited or provisioned, or if the provider creates agents. Removed agents
 * return only by an invitation or by being provisioned again.
 */
async function join(
  tx: SiteContext,
  provider: ProviderRow,
  claims: Claims,
  {
    person,
    wasRemoved,
    provisioned,
  }: { person: Person; wasRemoved: boolean; provisioned: ProvisionedPerson | undefined },
): Promise<Admitted> {
  const { email, userId } = person;
  const invitation = await findOpenInvitation(tx, email);
  checkJoin(provider, email, {
    isExpected: invitation !== undefined || provisioned?.is_active === true,
    wasRemoved,
  });
  const name = nameIn(claims, email);
  const byGroups = provisioned && (await roleByProvisionedGroups(tx, provider, provisioned.id));
  const role = roleByGroups(provider, claims) ?? byGroups ?? invitation?.role ?? provider.default_role;
  const account: PreparedAccount = userId
    ? { kind: 'known', userId }
    : { kind: 'new', email, name, passwordHash: null };
  const agentId = await joinSite(tx, { account, name, role }, 'themselves').catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'plan_limit')
      throw new SignInRefused('plan_full', { email });
    throw error;
  });
  if (invitation) await acceptOpenInvitation(tx, invitation.id);
  const known = userId ?? (await findAccount(tx.db, email))?.userId;
  if (known === undefined) throw new Error('the account that was just stored is missing');
  if (provisioned) await linkProvisioned(tx, provisioned.id, known);
  return { userId: known, email, agentId, name, role };
}

/** Gives an agent the role of their groups. The site keeps its last admin. */
export async function followGroups(tx: SiteContext, id: number, was: Role, role: Role): Promise<Role> {
  if (was === role) return was;
  try {
    return await tx.attempt(async (attempt) => {
      const change = { subject: 'agent', action: 'agents.set_role', input: { id } } as const;
      return (await audited(attempt, change, (inner) => setAgentRole(inner, id, role))).role;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'last_admin') throw error;
    tx.log.warn({ agent_id: id }, 'the last admin keeps the role, whatever their groups are');
    return was;
  }
}

/**
 * The agent for a person's claims, who is linked or created if the provider's settings allow it, with the role of their
 * groups.
 * @throws SignInRefused
 */
export async function admit(ctx: SiteContext, provider: ProviderRow, claims: Claims): Promise<Admitted> {
  const attempt = (): Promise<Admitted> =>
    ctx.transaction(async (tx) => {
      // Two first sign-ins of one person at once would create two agents.
      await lockSite(tx);
      const person = await identify(tx, provider, claims);
      const agent = await findAgent(tx, person.userId);
      const provisioned = await findProvisioned(tx, provider, person);
      const isAgent = agent !== undefined && agent.removed_at === null;
      const admitted =
        isAgent && person.userId !== undefined
          ? {
              userId: person.userId,
              email: person.email,
              agentId: agent.id,
              name: agent.name,
              role: await followGroups(
                tx,
                agent.id,
                agent.role,
                roleByGroups(provider, claims) ?? agent.role,
              ),
            }
          : await join(tx, provider, claims, {
              person,
              provisioned,
              wasRemoved: agent !== undefined || provisioned?.is_active === false,
            });
      if (!person.isLinked) await link(tx, provider, claims.sub, admitted.userId);
      return admitted;
    });
  try {
    return await attempt();
  } catch (error) {
    // Another site has created the account at this moment.
    const isTaken = error instanceof AppError && error.code === 'conflict';
    if (!isTaken && !isUniqueViolation(error)) throw error;
    return attempt();
  }
}
