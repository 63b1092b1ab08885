import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export const FOYER_CLIENT = { client_id: 'foyer', client_secret: 'secret-of-foyer-at-the-provider' };

/** A person's claims besides `sub`. */
export interface Person {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

/** A certified OpenID Connect provider on a free port of the loopback. */
export interface IdentityProvider {
  readonly issuer: string;
  /** People by their `sub`, which is also their name at the sign-in. */
  readonly people: Map<string, Person>;
  /** How many authorization codes were redeemed. */
  readonly redeemed: () => number;
  close(): Promise<void>;
}

const PAGE = (action: string): string => `<!doctype html><title>Log in</title>
<h1>Company login</h1>
<form method="post" action="${action}"><label>Account <input name="account" autofocus></label>
<button name="answer" value="yes">Log in</button><button name="answer" value="no">Cancel</button></form>`;

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

function settingsOf(people: Map<string, Person>, redirectUris: string[]): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [{ ...FOYER_CLIENT, redirect_uris: redirectUris }],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' }] as never,
    },
    cookies: { keys: ['identity provider of a test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // Without a consent page: the company has decided what the client may read.
    async loadExistingGrant(context) {
      const { session, client, provider } = context.oidc;
      if (!session?.accountId || !client) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    findAccount: (_context, sub) =>
      people.has(sub)
        ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) as { sub: string } }
        : undefined,
    ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
  };
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE(request.url ?? ''));
    return;
  }
  const form = await formOf(request);
  const result =
    form.get('answer') === 'yes'
      ? { login: { accountId: form.get('account') ?? '' } }
      : { error: 'access_denied', error_description: 'They cancelled.' };
  await provider.interactionFinished(request, response, result);
}

/** @param redirectUris the allowed targets of redirects */
export async function startIdentityProvider(redirectUris: string[]): Promise<IdentityProvider> {
  const people = new Map<string, Person>();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, settingsOf(people, redirectUris));
  const answer = provider.callback();
  let redeemed = 0;
  provider.on('grant.success', () => (redeemed += 1));
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      interact(provider, request, response).catch(() => response.destroy());
    else void answer(request, response);
  });
  return {
    issuer,
    people,
    redeemed: () => redeemed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
