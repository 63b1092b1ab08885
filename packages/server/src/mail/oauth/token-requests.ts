import { mailboxProblem } from '@foyer/protocol/values/mail/mailbox-problems';
import type {
  AuthorizationServer,
  CustomFetchOptions,
  TokenEndpointRequestOptions,
  TokenEndpointResponse,
} from 'oauth4webapi';
import type { MailProvider, MailProviders } from './providers.ts';
import type { OAuthClient } from './settings.ts';

/** Why a mailbox has no access token, as a sentence of `mailboxProblem`. */
export class SignInProblem extends Error {
  /** Only another sign-in, or the operator, can help: retrying is of no use. */
  readonly isFinal: boolean;

  constructor(sentence: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause });
    this.name = 'SignInProblem';
    this.isFinal = isFinal;
  }
}

/** The provider refuses the given code, or a refresh token that was revoked or has expired. */
export class GrantRefused extends Error {}

const TIMEOUT_MS = 10_000;
const WORDS_MAX = 300;
/** The lifetime that RFC 6749 recommends to assume if a provider gives none. */
const DEFAULT_LIFE_S = 3_600;

/** The tokens that a provider has issued. */
export interface Tokens {
  access: string;
  lifeMs: number;
  /** Undefined: the former one stays valid. */
  refresh: string | undefined;
  /** Undefined: all requested ones. */
  scopes: readonly string[] | undefined;
}

/** Loaded by the first mailbox that needs it. */
const library = () => import('oauth4webapi');

const serverOf = ({ issuer, tokenUrl, authorizeUrl }: MailProvider): AuthorizationServer => ({
  issuer,
  token_endpoint: tokenUrl,
  authorization_endpoint: authorizeUrl,
});

const tokensOf = ({ access_token, expires_in, refresh_token, scope }: TokenEndpointResponse): Tokens => ({
  access: access_token,
  lifeMs: (expires_in ?? DEFAULT_LIFE_S) * 1_000,
  refresh: refresh_token,
  scopes: scope?.split(' '),
});

/** @throws SignInProblem without a registration of this installation */
export function clientOf({ client, name }: MailProvider): OAuthClient {
  if (!client)
    throw new SignInProblem(mailboxProblem('sign_in_unset', { provider: name }), { isFinal: true });
  return client;
}

async function optionsOf(
  { tokenUrl }: MailProvider,
  guardedFetch: typeof fetch,
): Promise<TokenEndpointRequestOptions> {
  const { allowInsecureRequests, customFetch } = await library();
  return {
    [customFetch]: (
      url: string,
      { body, headers, method, signal }: CustomFetchOptions<'POST', URLSearchParams>,
    ) => guardedFetch(url, { method, headers, body: String(body), ...(signal ? { signal } : {}) }),
    // The providers' own are https.
    [allowInsecureRequests]: tokenUrl.startsWith('http:'),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
}

/** @throws GrantRefused, or SignInProblem for everything else */
async function request({ name }: MailProvider, work: () => Promise<TokenEndpointResponse>): Promise<Tokens> {
  try {
    return tokensOf(await work());
  } catch (error) {
    const { ResponseBodyError } = await library();
    const words = (text: string): string => text.replace(/\s+/g, ' ').slice(0, WORDS_MAX).toWellFormed();
    if (error instanceof ResponseBodyError) {
      const said = words(error.error_description ?? error.error);
      if (error.error === 'invalid_grant' || error.error === 'interaction_required')
        throw new GrantRefused(said, { cause: error });
      if (error.error === 'invalid_client' || error.error === 'unauthorized_client')
        throw new SignInProblem(mailboxProblem('sign_in_client', { provider: name, detail: said }), {
          cause: error,
        });
    }
    const detail = words(error instanceof Error ? error.message : String(error));
    // Not as its cause: an unreadable response may contain tokens.
    throw new SignInProblem(mailboxProblem('sign_in_away', { provider: name, detail }));
  }
}

/** The address where a browser signs in. */
export async function authorizationUrl(
  provider: MailProvider,
  about: { redirectUri: string; state: string; verifier: string; loginHint: string },
): Promise<string> {
  const { calculatePKCECodeChallenge } = await library();
  const url = new URL(provider.authorizeUrl);
  const parameters = {
    ...provider.parameters,
    client_id: clientOf(provider).id,
    response_type: 'code',
    redirect_uri: about.redirectUri,
    scope: provider.scopes.join(' '),
    state: about.state,
    code_challenge: await calculatePKCECodeChallenge(about.verifier),
    code_challenge_method: 'S256',
    login_hint: about.loginHint,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code of the redirect. @throws GrantRefused, SignInProblem */
export async function redeemCode(
  { fetch: guardedFetch }: MailProviders,
  provider: MailProvider,
  about: { code: string; redirectUri: string; verifier: string },
): Promise<Tokens> {
  const oauth = await library();
  const { id, secret } = clientOf(provider);
  const [server, client] = [serverOf(provider), { client_id: id }];
  return request(provider, async () => {
    // The state was checked before.
    const given = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code: about.code }),
      oauth.expectNoState,
    );
    const auth = oauth.ClientSecretPost(secret);
    const options = await optionsOf(provider, guardedFetch);
    const { redirectUri, verifier } = about;
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      given,
      redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
}

/** Gets the next access token. @throws GrantRefused, SignInProblem */
export async function refreshTokens(
  { fetch: guardedFetch }: MailProviders,
  provider: MailProvider,
  refreshToken: string,
): Promise<Tokens> {
  const oauth = await library();
  const { id, secret } = clientOf(provider);
  const [server, client] = [serverOf(provider), { client_id: id }];
  return request(provider, async () => {
    const auth = oauth.ClientSecretPost(secret);
    const options = await optionsOf(provider, guardedFetch);
    const response = await oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, options);
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}
