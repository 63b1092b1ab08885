import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** A key that the provider doesn't publish. */
export const FOREIGN_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** The parts of an ID token. */
export interface Forged {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject | null;
}

/** A provider that issues any ID token that a test wants, and whose documents a test may break. */
export interface ForgingProvider {
  readonly issuer: string;
  /** Makes a token from the valid claims, for the client and the nonce of the last sign-in. */
  forge: (good: Record<string, unknown>) => Forged;
  document: Record<string, unknown>;
  keys: unknown[];
  /** The status of every response. */
  status: number;
  close(): Promise<void>;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(good: Record<string, unknown>, { claims, header, key = privateKey }: Forged): string {
  const signed = `${part({ alg: 'RS256', kid: 'good', ...header })}.${part({ ...good, ...claims })}`;
  return `${signed}.${key ? sign('sha256', Buffer.from(signed), key).toString('base64url') : ''}`;
}

/** Its sign-in needs no person: the browser is redirected back at once. */
export async function startForgingProvider(person: Record<string, unknown>): Promise<ForgingProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { n, e } = privateKey.export({ format: 'jwk' });
  let begun = new URLSearchParams();
  const provider: ForgingProvider = {
    issuer,
    forge: () => ({}),
    document: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
    keys: [{ kty: 'RSA', n, e, kid: 'good', alg: 'RS256', use: 'sig' }],
    status: 200,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = (path: string): object => {
    if (path === '/keys') return { keys: provider.keys };
    if (path !== '/token') return provider.document;
    const now = Math.floor(Date.now() / 1_000);
    const good = {
      iss: issuer,
      aud: begun.get('client_id'),
      nonce: begun.get('nonce'),
      iat: now,
      exp: now + 600,
      ...person,
    };
    const id_token = tokenOf(good, provider.forge(good));
    return { access_token: 'access', token_type: 'Bearer', expires_in: 600, id_token };
  };
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/authorize') {
      begun = url.searchParams;
      const back = new URL(begun.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'good');
      back.searchParams.set('state', begun.get('state') ?? '');
      response.writeHead(303, { location: back.href }).end();
      return;
    }
    response.writeHead(provider.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(url.pathname)));
  });
  return provider;
}
