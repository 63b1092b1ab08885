import type { SiteContext } from '../../core/context.ts';
import { safeNext } from './addresses.ts';
import { type Admitted, admit } from './admission.ts';
import { SignInRefused, wantedClaims } from './claims.ts';
import { beginFlow, browserHash, errandOf, type Flow, takeFlow } from './flows.ts';
import type { Claims } from './identity-client.ts';
import { clientOf, findEnabledProvider, type ProviderRow } from './providers.ts';
import { wordsOf } from './test-provider.ts';

interface Begun {
  providerId: number;
  /** What only this browser has. */
  browserMark: string;
  /** The page of the desk to go on to, as the browser says it. */
  next: string | undefined;
  loginHint: string | undefined;
}

/**
 * Begins a sign-in. @returns the provider's page
 * @throws SignInRefused if the provider is unknown, disabled, or out of reach
 */
export async function beginSignIn(
  ctx: SiteContext,
  { providerId, browserMark, next, loginHint }: Begun,
): Promise<string> {
  const provider = await findEnabledProvider(ctx, providerId);
  if (!provider) throw new SignInRefused('disabled');
  const state = await beginFlow(ctx, {
    provider: provider.id,
    issuer: provider.issuer,
    client: provider.client_id,
    browser: browserHash(browserMark),
    next: safeNext(next),
  });
  try {
    const about = { ...errandOf(ctx, state), loginHint };
    return await ctx.services.identityClient.authorizationUrl(clientOf(ctx, provider), about);
  } catch (error) {
    throw new SignInRefused('unavailable', { detail: wordsOf(error) });
  }
}

/** The provider that a sign-in was begun with, unless it was disabled or is another one now. */
async function providerOf(ctx: SiteContext, flow: Flow): Promise<ProviderRow> {
  const provider = await findEnabledProvider(ctx, flow.provider);
  if (provider?.issuer !== flow.issuer || provider.client_id !== flow.client)
    throw new SignInRefused('disabled');
  return provider;
}

async function claimsOf(
  ctx: SiteContext,
  provider: ProviderRow,
  { state, parameters }: { state: string; parameters: URLSearchParams },
): Promise<Claims> {
  const oauth = await import('oauth4webapi');
  try {
    return await ctx.services.identityClient.redeem(
      clientOf(ctx, provider),
      { ...errandOf(ctx, state), parameters },
      wantedClaims(provider),
    );
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw new SignInRefused('denied', { detail: wordsOf(error.error_description ?? error.error) });
    const isAnswer =
      error instanceof oauth.OperationProcessingError ||
      error instanceof oauth.ResponseBodyError ||
      error instanceof oauth.WWWAuthenticateChallengeError ||
      error instanceof oauth.UnsupportedOperationError;
    // Not as its cause: an answer that was not understood may hold tokens.
    throw new SignInRefused(isAnswer ? 'invalid' : 'unavailable', { detail: wordsOf(error) });
  }
}

/** A sign-in that was accepted, or refused by a provider that is known. */
export interface Finished {
  provider: ProviderRow;
  /** Where the browser wanted to go. */
  next: string;
  result: Admitted | SignInRefused;
}

/**
 * Ends a sign-in with what the browser came back with.
 * @throws SignInRefused if it wasn't begun in this browser, or its provider is no longer the same
 */
export async function finishSignIn(
  ctx: SiteContext,
  { parameters, browserMark }: { parameters: URLSearchParams; browserMark: string },
): Promise<Finished> {
  const state = parameters.get('state') ?? '';
  const flow = await takeFlow(ctx, state, browserMark);
  if (!flow) throw new SignInRefused('expired');
  const provider = await providerOf(ctx, flow);
  try {
    const claims = await claimsOf(ctx, provider, { state, parameters });
    // Somebody may have disabled it meanwhile.
    await providerOf(ctx, flow);
    return { provider, next: flow.next, result: await admit(ctx, provider, claims) };
  } catch (error) {
    if (error instanceof SignInRefused) return { provider, next: flow.next, result: error };
    throw error;
  }
}
