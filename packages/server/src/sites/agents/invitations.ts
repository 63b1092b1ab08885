import type { Invitation, OutputOf, ParsedInputOf, Role } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { z } from 'zod';
import { AppError, notFound, tooMany } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import { agentActor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { accountEmail, findAccount, password, personName, prepareAccount } from '../sign-in/accounts.ts';
import type { IsBreached } from '../sign-in/breached-passwords.ts';
import { checkedInput } from '../sign-in/checked-input.ts';
import { lockSite } from '../sites.ts';
import { assertRoomForAgent, joinSite } from './agents.ts';

const INVITATION_DAYS = 7;
const PENDING_MAX = 100;

const present = (row: { id: number; email: string; role: Role; expires_at: Date }): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  expires_utc: row.expires_at.toISOString(),
});

const pending = (ctx: SiteContext) =>
  ctx.db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('site_id', '=', ctx.site.id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', ctx.now());

/** Open invitations, newest first. */
export async function listInvitations(ctx: SiteContext): Promise<Invitation[]> {
  const rows = await pending(ctx).orderBy('id', 'desc').limit(PENDING_MAX).execute();
  return rows.map(present);
}

async function assertNotYetAgent(tx: SiteContext, address: string): Promise<void> {
  const agent = await tx.db
    .selectFrom('agents')
    .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
    .select('agents.id')
    .where('agents.site_id', '=', tx.site.id)
    .where('agents.removed_at', 'is', null)
    .where('auth_users.email', '=', address)
    .executeTakeFirst();
  if (agent)
    throw new AppError('conflict', 'This person is already an agent of the site.', {
      reason: 'agent_already',
    });
}

/**
 * Creates an invitation and its link, which is returned only here, because only a hash of its token is stored.
 * Inviting an address again replaces the link. A full plan refuses here already, and again when the invitation is
 * accepted.
 * @throws AppError 403 `plan_limit`, 409 for an agent of the site
 */
export async function inviteAgent(
  ctx: SiteContext,
  input: ParsedInputOf<'agents.invite'>,
): Promise<OutputOf<'agents.invite'>> {
  const { email } = checkedInput(z.object({ email: accountEmail }), { email: input.email });
  const { agentId } = agentActor(ctx);
  const token = newSecret();
  return ctx.transaction(async (tx) => {
    await assertRoomForAgent(tx, await lockSite(tx));
    await assertNotYetAgent(tx, email);
    await revoke(tx, { email });
    if ((await listInvitations(tx)).length >= PENDING_MAX)
      throw tooMany(
        PENDING_MAX,
        `A site can have at most ${PENDING_MAX} open invitations. Revoke some first.`,
      );
    const row = await tx.db
      .insertInto('invitations')
      .values({
        site_id: tx.site.id,
        email,
        role: input.role,
        token_hash: hashSecret(token),
        invited_by: agentId,
        expires_at: new Date(tx.now().getTime() + INVITATION_DAYS * DAY_MS),
      })
      .returning(['id', 'email', 'role', 'expires_at'])
      .executeTakeFirstOrThrow();
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return { invitation: present(row), url: `${ctx.services.address.url}/app/invitation#${token}` };
  });
}

/** Also ends expired invitations, so that their addresses can be invited again. */
async function revoke(tx: SiteContext, which: { email: string } | { id: number }): Promise<boolean> {
  const rows = await tx.db
    .updateTable('invitations')
    .set({ revoked_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where((where) => ('email' in which ? where('email', '=', which.email) : where('id', '=', which.id)))
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** The link stops working at once. @throws AppError 404, also for one that was accepted or revoked. */
export function revokeInvitation(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  return ctx.transaction(async (tx) => {
    if (!(await revoke(tx, { id }))) throw notFound('invitation');
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return { id, deleted: true };
  });
}

interface OpenInvitation {
  site: Site;
  siteName: string;
  id: number;
  email: string;
  role: Role;
}

/**
 * The only lookup without a site: the token identifies it.
 * @throws AppError 404, the same for an unknown, used, revoked or expired token
 */
async function getOpenInvitation(db: Db, token: string, now: Date): Promise<OpenInvitation> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('sites', 'sites.id', 'invitations.site_id')
    .select(['sites.id as site_id', 'sites.plan', 'sites.name as site_name'])
    .select(['invitations.id', 'invitations.email', 'invitations.role'])
    .where('token_hash', '=', hashSecret(token))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) {
    throw new AppError('not_found', 'This invitation is no longer valid. Ask for a new one.', {
      reason: 'invitation_spent',
    });
  }
  const { site_id, plan, site_name, id, email, role } = row;
  return { site: { id: site_id, plan }, siteName: site_name, id, email, role };
}

/** The open invitation of an address, for somebody who has proven that it is theirs. */
export const findOpenInvitation = (
  tx: SiteContext,
  address: string,
): Promise<{ id: number; role: Role } | undefined> =>
  pending(tx).where('email', '=', address).orderBy('id', 'desc').executeTakeFirst();

/** Marks an invitation as accepted, in the transaction in which its person becomes an agent. */
export async function acceptOpenInvitation(tx: SiteContext, id: number): Promise<void> {
  await tx.db
    .updateTable('invitations')
    .set({ accepted_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
}

const tokenInput = z.strictObject({ token: z.string().min(1, 'must not be empty').max(100) });
const acceptInput = tokenInput.extend({ name: personName, password });

/** What the page behind the link shows. @throws AppError 404 */
export async function checkInvitation(
  db: Db,
  input: unknown,
  now: Date,
): Promise<{ email: string; site_name: string; role: Role; has_account: boolean }> {
  const { token } = checkedInput(tokenInput, input);
  const { email, siteName, role } = await getOpenInvitation(db, token, now);
  return { email, site_name: siteName, role, has_account: (await findAccount(db, email)) !== undefined };
}

/**
 * Makes the invited person an agent, once, however often and concurrently it is called. An existing account is kept,
 * and must give its password.
 * @param contextOf the context of the site that the token names
 * @returns the site, and what to sign in with
 * @throws AppError 401 for another password, 403 `plan_limit`, 404 for a link that is not open
 */
export async function acceptInvitation(
  {
    db,
    now,
    contextOf,
    isBreached,
  }: { db: Db; now: Date; contextOf(site: Site): SiteContext; isBreached?: IsBreached },
  input: unknown,
): Promise<{ siteId: number; email: string; password: string }> {
  const { token, name, password: given } = checkedInput(acceptInput, input);
  const invitation = await getOpenInvitation(db, token, now);
  const { email, siteName } = invitation;
  const account = await prepareAccount(db, { email, name, password: given, siteName }, isBreached);
  await contextOf(invitation.site).transaction(async (tx) => {
    await lockSite(tx);
    // Checked again under the lock: the same link may be in use at this moment.
    const { role } = await getOpenInvitation(tx.db, token, now);
    await joinSite(tx, { account, name, role }, 'themselves');
    await acceptOpenInvitation(tx, invitation.id);
  });
  return { siteId: invitation.site.id, email, password: given };
}
