import { randomBytes } from 'node:crypto';
import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { providerProblem } from '@foyer/protocol/values/sign-in/single-sign-on';
import type { AuthorizationServer } from 'oauth4webapi';
import { invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { codeOf, reasonOf } from '../../net/exchange-error.ts';
import { redirectUri } from './addresses.ts';
import { discoveryUrl, type Errand, type ProviderClient } from './identity-client.ts';
import { checkIssuer, clientOf, getProvider, kindOf, refuseForeignSecret } from './providers.ts';

const WORDS_MAX = 200;
/** The provider knows this client, but not the code, which nobody has issued. */
const CLIENT_REFUSALS = ['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch'];

/** The message of an error as one limited line. Its cause may contain tokens. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .slice(0, WORDS_MAX)
    .toWellFormed();

/** An error of the connection in words; undefined for any other. */
export function connectionProblem(error: unknown, address: string): string | undefined {
  const host = URL.parse(address)?.host ?? address;
  const reason = reasonOf(error);
  if (error instanceof Error && error.name === 'TimeoutError') return providerProblem('silent', { host });
  if (reason === undefined) {
    const code = codeOf(error);
    return /^ERR_(TLS|SSL)/.test(code) ? providerProblem('tls', { host, detail: code }) : undefined;
  }
  if (reason === 'name_unknown' || reason === 'name_servers_silent')
    return providerProblem('dns_unknown', { host });
  if (reason === 'name_not_public') return providerProblem('dns_private', { host });
  if (reason === 'refused') return providerProblem('refused', { host });
  if (reason === 'no_tls' || reason.startsWith('certificate'))
    return providerProblem('tls', { host, detail: codeOf(error) });
  return providerProblem('unreachable', { host });
}

/** The document's issuer, if that is its only problem. */
async function discoveryProblem(error: unknown, issuer: string): Promise<string> {
  const oauth = await import('oauth4webapi');
  const url = discoveryUrl(issuer);
  const connection = connectionProblem(error, issuer);
  if (connection !== undefined) return connection;
  if (error instanceof oauth.OperationProcessingError) {
    const { cause } = error;
    if (error.code === oauth.JSON_ATTRIBUTE_COMPARISON) {
      const named = namedIssuer(cause);
      if (named !== undefined) return providerProblem('issuer', { issuer: named });
    }
    if (cause instanceof Response) {
      if (cause.status !== 200) return providerProblem('status', { url, status: cause.status });
    }
  }
  return providerProblem('document', { url, detail: wordsOf(error) });
}

/** An issuer without spaces, as an error about it contains the document. */
function namedIssuer(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('body' in cause)) return undefined;
  const { body } = cause;
  if (typeof body !== 'object' || body === null || !('issuer' in body)) return undefined;
  return typeof body.issuer === 'string' && /^\S{1,2000}$/.test(body.issuer) ? body.issuer : undefined;
}

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

async function keysProblem(ctx: SiteContext, server: AuthorizationServer): Promise<string | null> {
  const url = server.jwks_uri ?? '';
  try {
    const count = await ctx.services.identityClient.countKeys(server);
    return count > 0 ? null : providerProblem('keys', { url, detail: 'there are none' });
  } catch (error) {
    return connectionProblem(error, url) ?? providerProblem('keys', { url, detail: wordsOf(error) });
  }
}

async function clientProblem(
  ctx: SiteContext,
  provider: ProviderClient,
  server: AuthorizationServer,
): Promise<string | null> {
  const oauth = await import('oauth4webapi');
  const random = (): string => randomBytes(32).toString('base64url');
  const about: Errand = {
    state: random(),
    nonce: random(),
    verifier: random(),
    redirectUri: redirectUri(ctx.services.address.url, ctx.site.id),
  };
  try {
    await ctx.services.identityClient.offerCode(provider, server, about);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      if (!CLIENT_REFUSALS.includes(error.error)) return null;
      return providerProblem('client', { detail: error.error_description ?? error.error });
    }
    if (error instanceof oauth.WWWAuthenticateChallengeError)
      return providerProblem('client', { detail: String(error.status) });
    return (
      connectionProblem(error, server.token_endpoint ?? '') ??
      providerProblem('token', { detail: wordsOf(error) })
    );
  }
  return providerProblem('token', { detail: 'it accepted a code that nobody issued' });
}

/** @throws AppError 400 for missing settings, 404 */
async function testedClient(
  ctx: SiteContext,
  { id, ...given }: ParsedInputOf<'identity_providers.test'>,
): Promise<ProviderClient> {
  const stored = id === undefined ? undefined : await getProvider(ctx, id);
  if (stored) refuseForeignSecret(stored, given);
  const known = stored && clientOf(ctx, stored);
  const client = {
    issuer: given.issuer ?? known?.issuer,
    clientId: given.client_id ?? known?.clientId,
    clientSecret: given.client_secret ?? known?.clientSecret,
  };
  const { issuer, clientId, clientSecret } = client;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, clientId, clientSecret };
  const missing = { issuer, client_id: clientId, client_secret: clientSecret };
  throw invalidInput(
    Object.entries(missing)
      .filter(([, value]) => value === undefined)
      .map(([path]) => ({ path, message: 'is required', reason: 'missing' })),
  );
}

/**
 * Runs the steps of a sign-in that need no person, and names the first that fails.
 * @throws AppError 400, 404
 */
export async function testProvider(
  ctx: SiteContext,
  input: ParsedInputOf<'identity_providers.test'>,
): Promise<OutputOf<'identity_providers.test'>> {
  const stored = input.id === undefined ? undefined : await getProvider(ctx, input.id);
  if (stored && kindOf(stored) === 'saml')
    throw invalidInput([{ path: 'id', message: 'SAML has nothing to ask: sign in to test it' }]);
  const client = await testedClient(ctx, input);
  checkIssuer(ctx, client.issuer);
  let server: AuthorizationServer;
  try {
    server = await ctx.services.identityClient.discover(client);
  } catch (error) {
    return { problem: await discoveryProblem(error, client.issuer) };
  }
  const lacking = NEEDED.find(
    (name) => ctx.services.identityClient.issuerProblem(server[name] ?? '') !== null,
  );
  if (lacking) {
    const url = discoveryUrl(client.issuer);
    return { problem: providerProblem('document', { url, detail: lacking }) };
  }
  return {
    problem: (await keysProblem(ctx, server)) ?? (await clientProblem(ctx, client, server)),
  };
}
