import {
  type Agent,
  type ChosenPresence,
  type Language,
  PLAN_LIMITS,
  type Role,
  role,
} from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError, invalidInput, isUniqueViolation, notFound } from '../../base/errors.ts';
import { permissionsOf } from '../../core/access/permissions.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { dropPicture, picturePath } from '../pictures.ts';
import { holdRole } from '../roles/roles.ts';
import {
  accountEmail,
  type PreparedAccount,
  password,
  personName,
  prepareAccount,
  storeAccount,
} from '../sign-in/accounts.ts';
import type { AuthSession } from '../sign-in/auth.ts';
import { checkedInput } from '../sign-in/checked-input.ts';
import type { SessionLimits } from '../sign-in/sign-in-sessions.ts';
import { getSite, lockSite } from '../sites.ts';
import { leaveTeams } from '../teams/members.ts';

const LIST_MAX = 1000;

const agentRows = (ctx: SiteContext) =>
  ctx.db
    .selectFrom('agents')
    .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
    .leftJoin('roles', (join) =>
      join.onRef('roles.site_id', '=', 'agents.site_id').onRef('roles.id', '=', 'agents.custom_role_id'),
    )
    .select(['roles.id as role_id', 'roles.name as role_name', 'roles.permissions'])
    .select([
      'agents.id',
      'agents.name',
      'agents.role',
      'agents.chat_limit',
      'agents.ticket_limit',
      'agents.languages',
      'agents.picture',
      'agents.created_at',
      'auth_users.email',
      'auth_users.two_factor_enabled',
    ])
    .select((from) =>
      from
        .selectFrom('auth_passkeys')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('auth_passkeys.user_id', '=', 'agents.user_id')
        .as('passkeys'),
    )
    .select(
      sql<Agent['skills']>`coalesce((
        select json_agg(json_build_object('id', t.id, 'name', t.name) order by lower(t.name))
        from agent_skills s join tags t on t.site_id = s.site_id and t.id = s.tag_id
        where s.site_id = agents.site_id and s.agent_id = agents.id), '[]')`.as('skills'),
    )
    .where('agents.site_id', '=', ctx.site.id)
    .where('agents.removed_at', 'is', null);

function present(
  row: {
    id: number;
    name: string;
    role: Role;
    chat_limit: number;
    ticket_limit: number;
    languages: Language[];
    skills: Agent['skills'];
    picture: string | null;
    created_at: Date;
    email: string;
    two_factor_enabled: boolean;
    passkeys: string | null;
    role_id: number | null;
    role_name: string | null;
    permissions: Permission[] | null;
  },
  online: readonly number[],
): Agent {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    custom_role: row.role_id === null ? null : { id: row.role_id, name: row.role_name ?? '' },
    can_answer: permissionsOf(row.role, row.permissions).includes('answer'),
    online: online.includes(row.id),
    chat_limit: row.chat_limit,
    ticket_limit: row.ticket_limit,
    languages: row.languages,
    skills: row.skills,
    picture_url: picturePath(row.picture),
    two_factor: row.two_factor_enabled,
    passkeys: Number(row.passkeys),
    created_utc: row.created_at.toISOString(),
  };
}

/** @throws AppError 404, also for another site's agent and for a removed one. */
export async function getAgent(ctx: SiteContext, id: number): Promise<Agent> {
  const row = await agentRows(ctx)
    .where('agents.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('agent'));
  return present(row, await ctx.services.presence.onlineAgents(ctx.site.id));
}

/** Oldest first, at most 1,000. */
export async function listAgents(ctx: SiteContext): Promise<Agent[]> {
  const rows = await agentRows(ctx).orderBy('agents.id').limit(LIST_MAX).execute();
  const online = await ctx.services.presence.onlineAgents(ctx.site.id);
  return rows.map((row) => present(row, online));
}

/** The number that the plan's limit is compared with: without removed agents. */
export async function countAgents(ctx: SiteContext): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('agents')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('site_id', '=', ctx.site.id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * The caller holds the site's lock if it adds an agent afterwards.
 * @throws AppError 403 `plan_limit`
 */
export async function assertRoomForAgent(ctx: SiteContext, { plan }: Pick<Site, 'plan'>): Promise<void> {
  const limit = PLAN_LIMITS[plan].agents;
  if (limit === null || (await countAgents(ctx)) < limit) return;
  const covers = limit === 1 ? '1 agent' : `${limit} agents`;
  throw new AppError(
    'plan_limit',
    `The ${plan} plan covers ${covers}. Upgrade it, or remove an agent first.`,
    { reason: 'plan_full', values: { count: limit } },
  );
}

/**
 * Makes a person an agent, in the caller's transaction and under the site's lock.
 * @param by `themselves`: the audit log names the new agent as the actor.
 * @throws AppError 403 `plan_limit`, 409 when the person is an agent already.
 */
export async function joinSite(
  tx: SiteContext,
  { account, name, role: as }: { account: PreparedAccount; name: string; role: Role },
  by: 'themselves' | 'the caller',
): Promise<number> {
  await assertRoomForAgent(tx, await lockSite(tx));
  const userId = await storeAccount(tx.db, account);
  try {
    const { id } = await tx.db
      .insertInto('agents')
      .values({ site_id: tx.site.id, user_id: userId, name, role: as })
      .returning('id')
      .executeTakeFirstOrThrow();
    const actor: Actor = by === 'themselves' ? { kind: 'agent', agentId: id, name, role: as } : tx.actor;
    await tx.emit({
      notices: [{ kind: 'agents' }],
      audit: {
        subject: 'agent',
        subjectId: id,
        label: name,
        action: 'agents.join',
        changes: { role: [null, as] },
        actor,
      },
    });
    return id;
  } catch (error) {
    if (!isUniqueViolation(error, 'agents_user')) throw error;
    throw new AppError('conflict', 'This person is already an agent of the site.', {
      reason: 'agent_already',
    });
  }
}

const newAgent = z.object({
  email: accountEmail,
  name: personName,
  password: password.optional(),
  role: role.default('agent'),
});

/**
 * The operator adds an agent. An existing account is kept: a given password must be the account's; without one, the
 * account is used as it is.
 * @throws AppError 401 for another password, 403 `plan_limit`, 409 when the person is an agent already.
 */
export async function addAgent(ctx: SiteContext, input: z.input<typeof newAgent>): Promise<Agent> {
  const person = checkedInput(newAgent, input);
  const { name: siteName } = await getSite(ctx.db, ctx.site.id);
  const account = await prepareAccount(ctx.db, { ...person, siteName }, ctx.services.isBreached);
  return ctx.transaction(async (tx) => {
    const id = await joinSite(tx, { account, name: person.name, role: person.role }, 'the caller');
    return getAgent(tx, id);
  });
}

/** @throws AppError 409 when the site has no other admin. */
async function assertAnotherAdmin(tx: SiteContext, id: number): Promise<void> {
  const other = await tx.db
    .selectFrom('agents')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('removed_at', 'is', null)
    .where('role', '=', 'admin')
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  if (!other)
    throw new AppError('conflict', 'A site needs an admin. Make someone else an admin first.', {
      reason: 'last_admin',
    });
}

/**
 * Their sockets are closed, because rights are fixed at the handshake.
 * @param custom the custom role; undefined: an agent keeps theirs
 * @throws AppError 404, also for another site's custom role; 400 for an admin's; 409 for the last admin
 */
export function setAgentRole(ctx: SiteContext, id: number, to: Role, custom?: number | null): Promise<Agent> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const before = await getAgent(tx, id);
    if (custom && to === 'admin')
      throw invalidInput([{ path: 'custom_role_id', message: 'must be null: an admin may do everything' }]);
    const kept = before.custom_role?.id ?? null;
    const next = to === 'admin' ? null : custom === undefined ? kept : custom;
    if (before.role === to && next === kept) return before;
    if (before.role === 'admin' && to !== 'admin') await assertAnotherAdmin(tx, id);
    if (next !== null) await holdRole(tx, next);
    await tx.db
      .updateTable('agents')
      .set({ role: to, custom_role_id: next })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return getAgent(tx, id);
  });
}

/**
 * Marks an agent as removed, in the caller's transaction. The row stays, without a picture, because chats name it; the
 * person can be invited again.
 * @throws AppError 404 for an unknown agent, 409 for the caller themselves and for the last admin.
 */
export async function markRemoved(tx: SiteContext, id: number): Promise<void> {
  await lockSite(tx);
  const { role: was } = await getAgent(tx, id);
  if (tx.actor.kind === 'agent' && tx.actor.agentId === id) {
    throw new AppError('conflict', 'You can’t remove yourself. Ask another admin.', {
      reason: 'remove_self',
    });
  }
  if (was === 'admin') await assertAnotherAdmin(tx, id);
  const { picture } = await agentRows(tx).where('agents.id', '=', id).executeTakeFirstOrThrow();
  await tx.db
    .updateTable('agents')
    .set({ removed_at: tx.now(), picture: null, earlier_pictures: [] })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  await dropPicture(tx, picture);
  await leaveTeams(tx, id);
  await forgetAtProviders(tx, id);
}

/**
 * Ends an agent's sessions, links and provisioning by the site's identity providers. They may only return by an
 * invitation.
 */
async function forgetAtProviders(tx: SiteContext, id: number): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    with person as (select user_id from agents where site_id = ${tx.site.id} and id = ${id}),
    links as (
      delete from auth_accounts a using person, identity_providers p
      where a.user_id = person.user_id and p.site_id = ${tx.site.id} and a.provider_id = 'provider-' || p.id
    ), provisioned as (
      update provisioned_people p set is_active = false from person
      where p.user_id = person.user_id and p.site_id = ${tx.site.id}
    ), sessions as (
      delete from auth_sessions s using person
      where s.user_id = person.user_id and s.site_id = ${tx.site.id}
    )
    select user_id from person`.execute(tx.db);
  await tx.emit({ notices: rows.map(({ user_id: userId }) => ({ kind: 'signed_out', userId })) });
}

/** The sites that a person is an agent of, the first joined first. */
export function listSitesOfUser(db: Db, userId: string): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('agents')
    .innerJoin('sites', 'sites.id', 'agents.site_id')
    .select(['sites.id', 'sites.name'])
    .where('agents.user_id', '=', userId)
    .where('agents.removed_at', 'is', null)
    .orderBy('agents.created_at')
    .orderBy('sites.id')
    .limit(LIST_MAX)
    .execute();
}

interface AgentOfUser {
  site: Site;
  actor: Extract<Actor, { kind: 'agent' }>;
  presence: ChosenPresence;
  sessionLimits: SessionLimits;
  /** The site requires two-factor sign-in and the person hasn't set it up, and may do nothing else. */
  mustEnrol: boolean;
}

/** No provider has this id. */
const NO_PROVIDER = 0;

/** Whether the site wants people with this address to sign in with its provider. */
const refusesPassword = sql<boolean>`exists (
  select from identity_providers p
  where p.site_id = agents.site_id and p.disabled_at is null and p.refuses_passwords_at is not null
    and split_part(auth_users.email, '@', 2) = any (p.domains))`;

/**
 * The agent that a signed-in person acts as: in the requested site, or in the first one joined. Read for every
 * call, so that a removal or a new role takes effect at once.
 * @param session how they signed in: with a site's identity provider, they act at that site only, and with a
 *   password or passkey only where that is accepted. Undefined for callers who sign nobody in.
 */
export async function findAgentOfUser(
  db: Db,
  userId: string,
  siteId?: number,
  session?: Pick<AuthSession, 'provider' | 'passkeyId'>,
): Promise<AgentOfUser | undefined> {
  const provider = session?.provider;
  const row = await db
    .selectFrom('agents')
    .innerJoin('sites', 'sites.id', 'agents.site_id')
    .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
    .leftJoin('identity_providers as provider', (join) =>
      join
        .onRef('provider.site_id', '=', 'agents.site_id')
        .on('provider.id', '=', provider?.providerId ?? NO_PROVIDER)
        .on('provider.disabled_at', 'is', null),
    )
    .modifyFront(prepared)
    .select(['agents.id', 'agents.name', 'agents.role', 'agents.presence', 'agents.site_id', 'sites.plan'])
    .select(['sites.two_factor_required_at', 'auth_users.two_factor_enabled'])
    .select(['sites.session_idle_hours', 'sites.session_max_days'])
    .select(['provider.id as provider_id', 'provider.asks_code'])
    .leftJoin('roles', (join) =>
      join.onRef('roles.site_id', '=', 'agents.site_id').onRef('roles.id', '=', 'agents.custom_role_id'),
    )
    .select('roles.permissions')
    .where('agents.user_id', '=', userId)
    .where('agents.removed_at', 'is', null)
    .$if(provider !== undefined, (query) =>
      query.where('agents.site_id', '=', provider?.siteId ?? 0).where('provider.id', 'is not', null),
    )
    .$if(session !== undefined && provider === undefined, (query) =>
      query.where((where) => where.not(refusesPassword)),
    )
    .$if(siteId !== undefined, (query) => query.where('agents.site_id', '=', siteId ?? 0))
    .orderBy('agents.created_at')
    .orderBy('agents.site_id')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  // The provider's sign-in is a second factor of its own, unless the site wants Foyer's as well.
  const wantsCode = row.provider_id === null ? row.two_factor_required_at !== null : row.asks_code === true;
  const mustEnrol = wantsCode && !row.two_factor_enabled && session?.passkeyId === undefined;
  return {
    site: { id: row.site_id, plan: row.plan },
    actor: {
      kind: 'agent',
      agentId: row.id,
      name: row.name,
      role: row.role,
      ...(row.permissions && { permissions: row.permissions }),
      ...(provider && { isThroughProvider: true }),
      ...(mustEnrol && { mustEnrol }),
    },
    presence: row.presence,
    sessionLimits: { idleHours: row.session_idle_hours, maxDays: row.session_max_days },
    mustEnrol,
  };
}

/** The account behind an agent. */
export async function userOfAgent(ctx: SiteContext, agentId: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('agents')
    .select('user_id')
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound('agent'));
  return row.user_id;
}
