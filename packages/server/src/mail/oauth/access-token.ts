import { mailboxProblem, SERVER_SAYS } from '@foyer/protocol/values/mail/mailbox-problems';
import { sql } from 'kysely';
import { pause } from '../../base/pause.ts';
import type { SiteContext } from '../../core/context.ts';
import type { MailProvider } from './providers.ts';
import { findSignIn, type SignInRow } from './sign-ins.ts';
import { clientOf, GrantRefused, refreshTokens, SignInProblem, type Tokens } from './token-requests.ts';

/** An access token is replaced before it expires, so that none expires while it is used. */
const MARGIN_MS = 5 * 60_000;
/** Longer than a request to the provider may take. */
const LEASE_MS = 15_000;
const WAIT_MS = 20_000;
const LOOK_MS = 200;

/** An access token, and what distinguishes it from the next. */
interface AccessToken {
  value: string;
  refreshedAt: Date | null;
}

const providerOf = ({ services }: SiteContext, { provider }: SignInRow): MailProvider =>
  services.mailProviders[provider];

/** @throws SignInProblem if nobody has signed in, or the provider no longer accepts the sign-in */
function requireGrant(ctx: SiteContext, row: SignInRow): Buffer {
  const provider = providerOf(ctx, row);
  clientOf(provider);
  const { name } = provider;
  if (!row.refresh_token_cipher)
    throw new SignInProblem(mailboxProblem('sign_in_missing', { provider: name }), { isFinal: true });
  if (row.ended_at) {
    const answer = row.ended_reason ? SERVER_SAYS + row.ended_reason : '';
    throw new SignInProblem(mailboxProblem('sign_in_ended', { provider: name, answer }), { isFinal: true });
  }
  return row.refresh_token_cipher;
}

/** The stored token, if it can still be used. */
function usableToken(
  ctx: SiteContext,
  row: SignInRow,
  refused: AccessToken | undefined,
): AccessToken | undefined {
  const { access_token_cipher: cipher, access_expires_at: expiresAt, refreshed_at: refreshedAt } = row;
  if (!cipher || !expiresAt || expiresAt.getTime() < ctx.now().getTime() + MARGIN_MS) return undefined;
  if (refused && refused.refreshedAt?.getTime() === refreshedAt?.getTime()) return undefined;
  return { value: ctx.services.vault.open(cipher), refreshedAt };
}

/** Takes the lease to refresh, unless another process has it, or has refreshed since the row was read. */
async function claim(ctx: SiteContext, { mailbox_id, refreshed_at }: SignInRow): Promise<Date | undefined> {
  const now = ctx.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const { rows } = await sql`
    update mailbox_sign_ins set refreshing_until = ${until}
    where site_id = ${ctx.site.id} and mailbox_id = ${mailbox_id} and ended_at is null
      and refreshed_at is not distinct from ${refreshed_at}
      and (refreshing_until is null or refreshing_until <= ${now})
    returning mailbox_id`.execute(ctx.db);
  return rows.length > 0 ? until : undefined;
}

/** Stores the next tokens. Does nothing if somebody has signed in again meanwhile. */
async function storeTokens(ctx: SiteContext, row: SignInRow, lease: Date, tokens: Tokens): Promise<Date> {
  const { vault } = ctx.services;
  const now = ctx.now();
  const refresh = tokens.refresh === undefined ? null : vault.seal(tokens.refresh);
  await sql`
    update mailbox_sign_ins set access_token_cipher = ${vault.seal(tokens.access)},
      access_expires_at = ${new Date(now.getTime() + tokens.lifeMs)}, refreshed_at = ${now},
      refresh_token_cipher = coalesce(${refresh}, refresh_token_cipher), refreshing_until = null
    where site_id = ${ctx.site.id} and mailbox_id = ${row.mailbox_id} and refreshing_until = ${lease}`.execute(
    ctx.db,
  );
  return now;
}

/** Records that the provider refuses the refresh token. The mailbox reconnects, and reports it. */
async function endSignIn(ctx: SiteContext, row: SignInRow, lease: Date, reason: string): Promise<void> {
  const now = ctx.now();
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update mailbox_sign_ins set ended_at = ${now}, ended_reason = ${reason}, refreshing_until = null,
        access_token_cipher = null
      where site_id = ${tx.site.id} and mailbox_id = ${row.mailbox_id} and refreshing_until = ${lease}
      returning mailbox_id`.execute(tx.db);
    if (rows.length > 0)
      await sql`
        update mailboxes set updated_at = ${now}
        where site_id = ${tx.site.id} and id = ${row.mailbox_id}`.execute(tx.db);
  });
}

const endLease = (ctx: SiteContext, row: SignInRow, lease: Date) =>
  sql`
    update mailbox_sign_ins set refreshing_until = null
    where site_id = ${ctx.site.id} and mailbox_id = ${row.mailbox_id} and refreshing_until = ${lease}`.execute(
    ctx.db,
  );

/** @returns undefined if the sign-in has ended */
async function refresh(
  ctx: SiteContext,
  row: SignInRow,
  { sealed, lease }: { sealed: Buffer; lease: Date },
): Promise<AccessToken | undefined> {
  const { vault, mailProviders } = ctx.services;
  try {
    const tokens = await refreshTokens(mailProviders, providerOf(ctx, row), vault.open(sealed));
    return { value: tokens.access, refreshedAt: await storeTokens(ctx, row, lease, tokens) };
  } catch (error) {
    if (error instanceof GrantRefused) {
      await endSignIn(ctx, row, lease, error.message);
      return undefined;
    }
    await endLease(ctx, row, lease);
    throw error;
  }
}

/**
 * The access token of a mailbox, refreshed if it is about to expire or was refused. Of all processes one refreshes,
 * because a provider may replace the refresh token by each refresh; the others wait for it.
 * @param refused by a mail server
 * @throws SignInProblem
 */
async function accessToken(ctx: SiteContext, mailboxId: number, refused?: AccessToken): Promise<AccessToken> {
  const signal = AbortSignal.timeout(WAIT_MS);
  while (true) {
    const row = await findSignIn(ctx, mailboxId);
    if (!row) throw new SignInProblem('The mailbox no longer signs in with a provider.');
    const sealed = requireGrant(ctx, row);
    const usable = usableToken(ctx, row, refused);
    if (usable) return usable;
    const lease = await claim(ctx, row);
    // A sign-in that has ended is read again, to report the reason.
    const token = lease && (await refresh(ctx, row, { sealed, lease }));
    if (token) return token;
    if (signal.aborted) {
      const { name } = providerOf(ctx, row);
      throw new SignInProblem(mailboxProblem('sign_in_away', { provider: name, detail: 'no answer' }));
    }
    if (!lease) await pause(LOOK_MS, signal);
  }
}

/** Whether a mail server has refused a sign-in, as the libraries for IMAP and SMTP report it. */
export const isSignInRefused = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('authenticationFailed' in error && error.authenticationFailed === true) ||
    ('code' in error && error.code === 'EAUTH'));

/**
 * Signs in with the mailbox's access token. If the mail server refuses it, `work` is repeated once with another.
 * @throws SignInProblem, and what `work` throws
 */
export async function withAccessToken<T>(
  ctx: SiteContext,
  mailboxId: number,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const first = await accessToken(ctx, mailboxId);
  try {
    return await work(first.value);
  } catch (error) {
    if (!isSignInRefused(error)) throw error;
    const next = await accessToken(ctx, mailboxId, first);
    return work(next.value);
  }
}
