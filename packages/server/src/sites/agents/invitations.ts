import type { Invitation, OutputOf, ParsedInputOf, Role } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
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

/** How many invitations a site emails in a day, and to one address: nobody floods others through Foyer. */
const MAILS_A_DAY = 100;
const MAILS_TO_ADDRESS_A_DAY = 3;

interface InvitationRow {
  id: number;
  email: string;
  role: Role;
  expires_at: Date;
  accepted_at: Date | null;
  mail_queued_at: Date | null;
  mailed_at: Date | null;
  mail_failed_at: Date | null;
}

function present(row: InvitationRow, now: Date): Invitation {
  const isOpen = row.expires_at > now;
  const unsent = row.mail_failed_at ? 'failed' : row.mail_queued_at ? 'queued' : 'none';
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: row.accepted_at ? 'accepted' : isOpen ? 'open' : 'expired',
    mail: row.mailed_at ? 'sent' : unsent,
    expires_utc: row.expires_at.toISOString(),
    accepted_utc: row.accepted_at?.toISOString() ?? null,
  };
}

const COLUMNS = [
  ...(['id', 'email', 'role', 'expires_at', 'accepted_at'] as const),
  ...(['mail_queued_at', 'mailed_at', 'mail_failed_at'] as const),
];

const invitations = (ctx: SiteContext) =>
  ctx.db
    .selectFrom('invitations')
    .select(COLUMNS)
    .where('site_id', '=', ctx.site.id)
    .where('revoked_at', 'is', null);

const pending = (ctx: SiteContext) =>
  invitations(ctx).where('accepted_at', 'is', null).where('expires_at', '>', ctx.now());

/** Open and expired invitations, newest first. */
export async function listInvitations(ctx: SiteContext): Promise<Invitation[]> {
  const waiting = invitations(ctx).where('accepted_at', 'is', null);
  const rows = await waiting.orderBy('id', 'desc').limit(PENDING_MAX).execute();
  return rows.map((row) => present(row, ctx.now()));
}

/** The invitations that were accepted in the last seven days, newest first. */
export async function listAcceptedInvitations(ctx: SiteContext): Promise<Invitation[]> {
  const since = new Date(ctx.now().getTime() - INVITATION_DAYS * DAY_MS);
  const accepted = invitations(ctx).where('accepted_at', '>', since).orderBy('accepted_at', 'desc');
  return (await accepted.limit(PENDING_MAX).execute()).map((row) => present(row, ctx.now()));
}

/** Whether this invitation may be mailed: a mail server is set up, and the site hasn't sent too many today. */
async function mayMail(tx: SiteContext, email: string): Promise<boolean> {
  const since = new Date(tx.now().getTime() - DAY_MS);
  const { rows } = await sql<{ total: number; same: number; has_server: boolean }>`
    select count(*)::int as total, count(*) filter (where email = ${email})::int as same,
      exists (select from mail_settings where site_id = ${tx.site.id}) as has_server
    from invitations where site_id = ${tx.site.id} and mail_queued_at > ${since}`.execute(tx.db);
  const [sent] = rows;
  if (!sent || !(sent.has_server || tx.services.mailer)) return false;
  return sent.total < MAILS_A_DAY && sent.same < MAILS_TO_ADDRESS_A_DAY;
}

type Derived = Pick<InvitationRow, 'id' | 'email' | 'expires_at'>;

/**
 * The link's token can be derived again, so that it needn't be in the queue of mails. A restored backup gives ids a
 * second time, but not at the same moment.
 */
const purposeOf = (ctx: SiteContext, { id, email, expires_at }: Derived): string =>
  `invitation ${ctx.site.id} ${id} ${expires_at.toISOString()} ${email}`;

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
 * Creates an invitation and its link, which is returned only here, because only a hash of its token is stored. If
 * mail is set up, the link is emailed too. Inviting an address again replaces the link. A full plan refuses here
 * already, and again when the invitation is accepted.
 * @throws AppError 403 `plan_limit`, 409 for an agent of the site
 */
export async function inviteAgent(
  ctx: SiteContext,
  input: ParsedInputOf<'agents.invite'>,
): Promise<OutputOf<'agents.invite'>> {
  const { email } = checkedInput(z.object({ email: accountEmail }), { email: input.email });
  const { agentId } = agentActor(ctx);
  return ctx.transaction(async (tx) => {
    await assertRoomForAgent(tx, await lockSite(tx));
    await assertNotYetAgent(tx, email);
    await revoke(tx, { email });
    if ((await pending(tx).execute()).length >= PENDING_MAX)
      throw tooMany(
        PENDING_MAX,
        `A site can have at most ${PENDING_MAX} open invitations. Revoke some first.`,
      );
    const mails = await mayMail(tx, email);
    const created = await tx.db
      .insertInto('invitations')
      .values({
        site_id: tx.site.id,
        email,
        role: input.role,
        // Until the id is known, from which the token is derived.
        token_hash: hashSecret(newSecret()),
        mail_queued_at: mails ? tx.now() : null,
        invited_by: agentId,
        expires_at: new Date(tx.now().getTime() + INVITATION_DAYS * DAY_MS),
      })
      .returning(['id', 'email', 'expires_at'])
      .executeTakeFirstOrThrow();
    const { id } = created;
    const token = tx.services.derivedToken(purposeOf(tx, created));
    const row = await tx.db
      .updateTable('invitations')
      .set({ token_hash: hashSecret(token) })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    if (mails) await tx.enqueue('mail.invitation', { invitation_id: id });
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return { invitation: present(row, tx.now()), url: urlOf(tx, token) };
  });
}

const urlOf = ({ services }: SiteContext, token: string): string =>
  `${services.address.url}/app/invitation#${token}`;

interface MailedInvitation {
  email: string;
  inviter: string;
  site: string;
  url: string;
}

/** An open invitation with its link, for its email. An earlier secret may have derived the token. */
export async function findMailedInvitation(
  ctx: SiteContext,
  id: number,
): Promise<MailedInvitation | undefined> {
  const row = await ctx.db
    .selectFrom('invitations as i')
    .innerJoin('sites as s', 's.id', 'i.site_id')
    .innerJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'i.site_id').onRef('a.id', '=', 'i.invited_by'),
    )
    .select(['i.id', 'i.email', 'i.expires_at', 'i.token_hash', 'a.name as inviter', 's.name as site'])
    .where('i.site_id', '=', ctx.site.id)
    .where('i.id', '=', id)
    .where('i.accepted_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where('i.expires_at', '>', ctx.now())
    .executeTakeFirst();
  const tokens = row ? ctx.services.derivedToken.all(purposeOf(ctx, row)) : [];
  const token = row && tokens.find((one) => hashSecret(one).equals(row.token_hash));
  if (!row || !token) return undefined;
  const { email, inviter, site } = row;
  return { email, inviter, site, url: urlOf(ctx, token) };
}

/** Records that the email was sent, or refused for good, and shows it at open desks. */
export function noteInvitationMail(
  ctx: SiteContext,
  id: number,
  what: 'mailed_at' | 'mail_failed_at',
): Promise<void> {
  return ctx.transaction(async (tx) => {
    await tx.db
      .updateTable('invitations')
      .set({ [what]: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    await tx.emit({ notices: [{ kind: 'agents' }] });
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

/** The open invitation of an address, for a person who has proven that it is theirs. */
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

/** The data for the page of the link. @throws AppError 404 */
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
