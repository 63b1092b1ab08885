import { ADDRESS_PROBLEMS } from '@foyer/protocol/values/webhook-sentences';
import type { AuthorizationServer, Client, ClientAuth, JsonObject } from 'oauth4webapi';
import { withoutEndSlashes } from '../../base/end-slashes.ts';
import { addressProblem } from '../../net/address-guard.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';

const TIMEOUT_MS = 10_000;

/** Foyer's registration with a provider. */
export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What connects a browser's redirects to the provider and back. */
export interface Errand {
  state: string;
  nonce: string;
  /** The verifier of PKCE. */
  verifier: string;
  redirectUri: string;
}

/** A provider's data of a person: the ID token, and claims that only its user info endpoint has. */
export type Claims = JsonObject & { sub: string };

/** Requests to identity providers, by OpenID Connect. */
export interface IdentityClient {
  /** The problem of an issuer's address, without a request; null if there is none. */
  issuerProblem(issuer: string): string | null;
  /** Reads the provider's discovery document. @throws an error of oauth4webapi, or of the connection */
  discover(provider: Pick<ProviderClient, 'issuer'>): Promise<AuthorizationServer>;
  /** The address where a browser signs in. @throws like `discover` */
  authorizationUrl(
    provider: ProviderClient,
    about: Errand & { loginHint: string | undefined },
  ): Promise<string>;
  /**
   * Redeems the code, and checks the ID token: signature, issuer, audience, time and nonce.
   * @param parameters the query of the redirect
   * @param wanted claims without which the user info endpoint is queried too
   * @throws an error of oauth4webapi, or of the connection
   */
  redeem(
    provider: ProviderClient,
    about: Errand & { parameters: URLSearchParams },
    wanted: readonly string[],
  ): Promise<Claims>;
  /** How many keys the provider publishes to check its signatures. @throws an error of the connection */
  countKeys(server: AuthorizationServer): Promise<number>;
  /** Follows no redirect. @throws an error of the connection */
  readDocument(url: string): Promise<{ status: number; text: string }>;
  /** Offers a code that no provider has issued. @throws the provider's answer */
  offerCode(provider: ProviderClient, server: AuthorizationServer, about: Errand): Promise<void>;
}

declare module '../../core/context.ts' {
  interface Services {
    readonly identityClient: IdentityClient;
  }
}

interface Options {
  /** FOYER_WEBHOOK_ALLOW_PRIVATE: every outgoing request may go to private addresses. */
  allowPrivate: boolean;
  /** FOYER_SSO_PRIVATE_HOSTS: `name` or `name:port`, which may have a private address and no TLS. */
  privateHosts: readonly string[];
}

/** The parts of a request. */
interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Loaded by the first sign-in with a provider. */
const library = () => import('oauth4webapi');
type Oauth = Awaited<ReturnType<typeof library>>;

/** The address of a provider's discovery document. */
export const discoveryUrl = (issuer: string): string =>
  `${withoutEndSlashes(issuer)}/.well-known/openid-configuration`;

const isClientRefused = (oauth: Oauth, error: unknown): boolean =>
  (error instanceof oauth.ResponseBodyError && error.error === 'invalid_client') ||
  error instanceof oauth.WWWAuthenticateChallengeError;

/** A document doesn't say with which of the provider's methods this client was registered. */
async function withClientAuth<T>(
  oauth: Oauth,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: AuthorizationServer,
  secret: string,
  work: (auth: ClientAuth) => Promise<T>,
): Promise<T> {
  if (!methods.includes('client_secret_basic')) return work(oauth.ClientSecretPost(secret));
  try {
    return await work(oauth.ClientSecretBasic(secret));
  } catch (error) {
    if (!methods.includes('client_secret_post') || !isClientRefused(oauth, error)) throw error;
    return work(oauth.ClientSecretPost(secret));
  }
}

/** Loads the library, and gives each request its guarded `fetch` and a time limit. */
function createRequests({ allowPrivate, privateHosts }: Options) {
  const [openFetch, guardedFetch] = [
    createGuardedFetch({ allowPrivate: true }),
    createGuardedFetch({ allowPrivate }),
  ];
  const mayBePrivate = ({ host, hostname }: URL): boolean =>
    allowPrivate || privateHosts.includes(host) || privateHosts.includes(hostname);
  /** The problem of a provider's address; null if there is none. */
  const problemOf = (address: string): string | null => {
    const url = URL.parse(address);
    if (!url) return 'must be a URL such as https://login.example.com';
    if (url.protocol !== 'https:' && !mayBePrivate(url)) return 'must start with https://';
    const problem = addressProblem(address, { allowPrivate: mayBePrivate(url) });
    return problem === null ? null : ADDRESS_PROBLEMS[problem];
  };
  /** For the library, and for the one request that it doesn't make. */
  const send = (address: string, { body, headers, method, signal }: Sent): Promise<Response> => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && !mayBePrivate(url)) throw new Error(`${url.host} must use https://`);
    const through = mayBePrivate(url) ? openFetch : guardedFetch;
    return through(address, {
      method,
      headers,
      ...(body instanceof URLSearchParams ? { body: String(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  };
  return {
    problemOf,
    send,
    async begin() {
      const oauth = await library();
      return {
        oauth,
        options: {
          [oauth.customFetch]: send,
          // `send` decides.
          [oauth.allowInsecureRequests]: true,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      };
    },
  };
}

type Requests = ReturnType<typeof createRequests>;

async function discover(
  { begin }: Requests,
  { issuer }: Pick<ProviderClient, 'issuer'>,
): Promise<AuthorizationServer> {
  const { oauth, options } = await begin();
  const response = await oauth.discoveryRequest(new URL(issuer), { ...options, algorithm: 'oidc' });
  return oauth.processDiscoveryResponse(new URL(issuer), response);
}

/** Exchanges a code for tokens. */
async function redeemCode(
  { begin }: Requests,
  { clientId, clientSecret }: ProviderClient,
  server: AuthorizationServer,
  { parameters, state, nonce, verifier, redirectUri }: Errand & { parameters: URLSearchParams },
) {
  const { oauth, options } = await begin();
  const client: Client = { client_id: clientId };
  const given = oauth.validateAuthResponse(server, client, parameters, state);
  return withClientAuth(oauth, server, clientSecret, async (auth) => {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      given,
      redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims) throw new Error('the provider sent no ID token');
    return { client, claims, accessToken: tokens.access_token };
  });
}

async function countKeys(
  { send }: Requests,
  { jwks_uri: address = '' }: AuthorizationServer,
): Promise<number> {
  const response = await send(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`it answered ${response.status}`);
  const { keys } = (await response.json()) as { keys?: unknown };
  return Array.isArray(keys) ? keys.length : 0;
}

async function readDocument({ send }: Requests, url: string): Promise<{ status: number; text: string }> {
  const response = await send(url, {
    method: 'GET',
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}

/** Requests go through the address guard; `privateHosts` are the operator's exceptions. */
export function createIdentityClient(settings: Options): IdentityClient {
  const requests = createRequests(settings);
  const { begin, problemOf } = requests;
  return {
    issuerProblem: problemOf,
    discover: (provider) => discover(requests, provider),
    countKeys: (server) => countKeys(requests, server),
    readDocument: (url) => readDocument(requests, url),
    async authorizationUrl(provider, { state, nonce, verifier, redirectUri, loginHint }) {
      const { oauth } = await begin();
      const { authorization_endpoint: address = '' } = await discover(requests, provider);
      if (problemOf(address) !== null) throw new Error('the provider names no authorization endpoint');
      const url = new URL(address);
      const parameters = {
        client_id: provider.clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem(provider, about, wanted) {
      const server = await discover(requests, provider);
      const { client, claims, accessToken } = await redeemCode(requests, provider, server, about);
      if (server.userinfo_endpoint === undefined || wanted.every((name) => name in claims)) return claims;
      const { oauth, options } = await begin();
      const response = await oauth.userInfoRequest(server, client, accessToken, options);
      // The ID token is signed, so nothing of it is replaced.
      return { ...(await oauth.processUserInfoResponse(server, client, claims.sub, response)), ...claims };
    },
    async offerCode(provider, server, about) {
      const parameters = new URLSearchParams({ code: 'test', state: about.state, iss: server.issuer });
      await redeemCode(requests, provider, server, { ...about, parameters });
    },
  };
}
