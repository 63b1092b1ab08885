import { randomBytes } from 'node:crypto';
import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { MAIL_PROVIDERS } from '@foyer/protocol/values/wire-names';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { isSignInRefused } from '../../mail/oauth/access-token.ts';
import type { MailProvider } from '../../mail/oauth/providers.ts';
import { findSignIn, storeSignIn } from '../../mail/oauth/sign-ins.ts';
import {
  authorizationUrl,
  GrantRefused,
  redeemCode,
  SignInProblem,
  type Tokens,
} from '../../mail/oauth/token-requests.ts';
import { audited } from '../../sites/audit/audited.ts';
import { openImap } from '../routes/imap/client.ts';
import { connectionProblem } from '../routes/imap/problems.ts';
import { getMailboxRow, readMailbox, reconnectMailbox } from './mailboxes.ts';
import type { MailboxRow } from './servers.ts';

/** Enough to choose an account, type a password and confirm a second factor. */
const SIGN_IN_MS = 15 * 60_000;
/** No message is fetched. */
const NOTHING_BYTES = 1024;
/** The desk's page that a provider sends the browser back to. */
const RETURN_PATH = '/app/settings/mailboxes/sign-in';

/** What a sign-in was begun for. It is encrypted, so nobody can forge one. */
const begun = z.object({
  site: z.int(),
  mailbox: z.int(),
  /** The agent's session at the desk: nobody else can be made to finish it. */
  session: z.string(),
  provider: z.enum(MAIL_PROVIDERS),
  nonce: z.string(),
  until: z.int(),
});
type Begun = z.infer<typeof begun>;

const redirectUri = ({ services }: SiteContext): string => services.address.url + RETURN_PATH;

/** The PKCE verifier of a sign-in: unpredictable without the secret, and stored nowhere. */
const verifierOf = ({ services }: SiteContext, { nonce }: Begun): string =>
  services.derivedToken(`mailbox sign-in ${nonce}`);

/** The providers that mailboxes can sign in with, and whether the operator has registered with them. */
export async function listMailProviders(ctx: SiteContext): Promise<OutputOf<'mailboxes.providers'>> {
  const { mailProviders } = ctx.services;
  return {
    providers: MAIL_PROVIDERS.map((id) => ({ id, is_set_up: mailProviders[id].client !== undefined })),
    redirect_url: redirectUri(ctx),
  };
}

const failed = (detail: string, cause: unknown): AppError =>
  new AppError('conflict', `The sign-in failed. ${detail}`, {
    reason: 'mailbox_sign_in_failed',
    values: { detail },
    cause,
  });

const expired = (): AppError =>
  new AppError('conflict', 'This sign-in has expired. Begin it again.', {
    reason: 'mailbox_sign_in_expired',
  });

/** @throws AppError 404, 409 for a mailbox with a password */
async function signInOf(ctx: SiteContext, id: number) {
  const row = await getMailboxRow(ctx, id);
  const signIn = await findSignIn(ctx, id);
  if (!signIn) throw new AppError('conflict', 'This mailbox signs in with a password.');
  return { row, signIn, provider: ctx.services.mailProviders[signIn.provider] };
}

/**
 * Begins the sign-in of a mailbox. Its state travels with it, so any process can finish it.
 * @throws AppError 404, 409
 */
export async function beginSignIn(
  ctx: SiteContext,
  { id }: ParsedInputOf<'mailboxes.begin_sign_in'>,
): Promise<OutputOf<'mailboxes.begin_sign_in'>> {
  const { row, signIn, provider } = await signInOf(ctx, id);
  const about: Begun = {
    site: ctx.site.id,
    mailbox: id,
    session: agentActor(ctx).signInId ?? '',
    provider: signIn.provider,
    nonce: randomBytes(24).toString('base64url'),
    until: ctx.now().getTime() + SIGN_IN_MS,
  };
  const sealed = ctx.services.vault.seal(JSON.stringify(about)).toString('base64url');
  try {
    const url = await authorizationUrl(provider, {
      redirectUri: redirectUri(ctx),
      // The desk reads the mailbox's id from it, to return to its page.
      state: `${id}.${sealed}`,
      verifier: verifierOf(ctx, about),
      loginHint: row.imap_username ?? row.address,
    });
    return { url };
  } catch (error) {
    throw error instanceof SignInProblem ? failed(error.message, error) : error;
  }
}

/** @returns undefined for a state that was forged, is another session's or site's, or has expired */
function readState(ctx: SiteContext, mailboxId: number, state: string): Begun | undefined {
  try {
    const sealed = Buffer.from(state.slice(state.indexOf('.') + 1), 'base64url');
    const about = begun.parse(JSON.parse(ctx.services.vault.open(sealed)));
    const isOwn =
      about.site === ctx.site.id &&
      about.mailbox === mailboxId &&
      about.session === (agentActor(ctx).signInId ?? '') &&
      about.until > ctx.now().getTime();
    return isOwn ? about : undefined;
  } catch {
    return undefined;
  }
}

/** @throws AppError 409 if the provider refuses the code, or grants less than mail needs */
async function tokensFor(
  ctx: SiteContext,
  provider: MailProvider,
  about: { code: string; verifier: string },
): Promise<Tokens & { refresh: string }> {
  const tokens = await redeemCode(ctx.services.mailProviders, provider, {
    ...about,
    redirectUri: redirectUri(ctx),
  }).catch((error: unknown) => {
    if (error instanceof GrantRefused) throw failed(`${provider.name}: ${error.message}`, error);
    throw error instanceof SignInProblem ? failed(error.message, error) : error;
  });
  const values = { name: provider.name };
  const granted = tokens.scopes;
  if (granted && !provider.neededScopes.every((scope) => granted.includes(scope)))
    throw new AppError('conflict', `${provider.name} was not allowed to give Foyer access to the mail.`, {
      reason: 'mailbox_sign_in_scopes',
      values,
    });
  const { refresh } = tokens;
  if (refresh === undefined)
    throw new AppError('conflict', `${provider.name} gave no refresh token.`, {
      reason: 'mailbox_refresh_token',
      values,
    });
  return { ...tokens, refresh };
}

/**
 * Opens the mailbox with the granted tokens, which fails for an account without access to it.
 * @throws AppError 409
 */
async function checkAccount(
  ctx: SiteContext,
  row: MailboxRow,
  { name, imap }: MailProvider,
  accessToken: string,
): Promise<void> {
  const user = row.imap_username ?? row.address;
  const { imap_folder: folder } = row;
  try {
    const settings = { ...imap, user, accessToken, folder };
    const client = await openImap(settings, ctx.services.webhooks, NOTHING_BYTES);
    await client.logout().catch(() => client.close());
  } catch (error) {
    if (!isSignInRefused(error))
      throw failed(connectionProblem(error, { ...imap, user, provider: name, protocol: 'IMAP' }), error);
    throw new AppError(
      'conflict',
      `The account that signed in with ${name} can’t open ${user} by IMAP. Choose the mailbox’s own account.`,
      { reason: 'mailbox_account', values: { name, user }, cause: error },
    );
  }
}

/**
 * Finishes the sign-in of a mailbox: redeems the code, checks the account and stores the tokens, encrypted. The
 * requests are made before the transaction.
 * @throws AppError 404, 409
 */
export async function finishSignIn(
  ctx: SiteContext,
  { id, code, state }: ParsedInputOf<'mailboxes.finish_sign_in'>,
): Promise<OutputOf<'mailboxes.finish_sign_in'>> {
  const { row, signIn, provider } = await signInOf(ctx, id);
  const about = readState(ctx, id, state);
  if (about?.provider !== signIn.provider) throw expired();
  const tokens = await tokensFor(ctx, provider, { code, verifier: verifierOf(ctx, about) });
  await checkAccount(ctx, row, provider, tokens.access);
  const what = { subject: 'mailbox', action: 'mailboxes.finish_sign_in', input: { id } } as const;
  return audited(ctx, what, async (tx) => {
    await storeSignIn(tx, signIn, tokens);
    await reconnectMailbox(tx, id);
    return readMailbox(tx, id);
  });
}
