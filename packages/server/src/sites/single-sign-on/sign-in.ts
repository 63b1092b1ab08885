import type { SiteContext } from '../../core/context.ts';
import { safeNext } from './addresses.ts';
import { type Admitted, admit } from './admission.ts';
import { SignInRefused, wantedClaims } from './claims.ts';
import { beginFlow, browserHash, errandOf, type Flow, findFlow, takeFlow } from './flows.ts';
import type { Claims } from './identity-client.ts';
import { clientOf, findEnabledProvider, kindOf, type ProviderRow } from './providers.ts';
import { keepAssertion, readAssertion, samlRequestUrl, takeAssertion } from './saml.ts';
import { wordsOf } from './test-provider.ts';

interface Begun {
  providerId: number;
  /** The value that only this browser has. */
  browserMark: string;
  /** The page of the desk to continue on, according to the browser. */
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
  if (kindOf(provider) === 'saml') return samlRequestUrl(ctx, provider, state);
  try {
    const about = { ...errandOf(ctx, state), loginHint };
    return await ctx.services.identityClient.authorizationUrl(clientOf(ctx, provider), about);
  } catch (error) {
    throw new SignInRefused('unavailable', { detail: wordsOf(error) });
  }
}

/** The provider of a sign-in, unless it was disabled or got another issuer or client since. */
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
    // Not as its cause: an unreadable response may contain tokens.
    throw new SignInRefused(isAnswer ? 'invalid' : 'unavailable', { detail: wordsOf(error) });
  }
}

/** An accepted sign-in, or one that a known provider refused. */
export interface Finished {
  provider: ProviderRow;
  /** The page that the browser wanted. */
  next: string;
  result: Admitted | SignInRefused;
}

/**
 * Ends a sign-in with the query of the redirect.
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
    const claims =
      kindOf(provider) === 'saml'
        ? await takeAssertion(ctx, state)
        : await claimsOf(ctx, provider, { state, parameters });
    // Somebody may have disabled it meanwhile.
    await providerOf(ctx, flow);
    return { provider, next: flow.next, result: await admit(ctx, provider, claims) };
  } catch (error) {
    if (error instanceof SignInRefused) return { provider, next: flow.next, result: error };
    throw error;
  }
}

/** A checked SAML response, or a refusal. */
export interface Answered {
  provider: ProviderRow;
  next: string;
  refusal: SignInRefused | undefined;
}

/**
 * Receives a provider's posted SAML response. The browser sends no cookie with it, so the response is kept until the
 * browser that began opens the page that ends the sign-in.
 * @throws SignInRefused for a response to no sign-in that is under way
 */
export async function acceptAnswer(
  ctx: SiteContext,
  { state, samlResponse }: { state: string; samlResponse: string },
): Promise<Answered> {
  const flow = await findFlow(ctx, state);
  if (!flow) throw new SignInRefused('expired');
  const provider = await providerOf(ctx, flow);
  if (kindOf(provider) !== 'saml') throw new SignInRefused('invalid');
  try {
    await keepAssertion(ctx, state, await readAssertion(ctx, provider, { state, samlResponse }));
    return { provider, next: flow.next, refusal: undefined };
  } catch (error) {
    if (error instanceof SignInRefused) return { provider, next: flow.next, refusal: error };
    throw error;
  }
}
