import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MailEndpoints } from '../src/mail/oauth/providers.ts';

interface Behaviour {
  withoutRefresh?: boolean;
  withoutScopes?: boolean;
  withoutClient?: boolean;
  isDown?: boolean;
}

/** A mail provider's sign-in: RFC 6749 with PKCE. A refresh token works once and is replaced by the next. */
export interface OAuthServer {
  readonly url: string;
  /** How many refreshes of an account's access token were requested. */
  refreshes(account: string): number;
  endpoints(imapPort: number, smtpPort: number): MailEndpoints;
  /** Whether a mail server should accept this token. */
  accepts(user: string, token: string): boolean;
  /** Gives an account access to a mailbox that is not its own. */
  share(mailbox: string, account: string): void;
  /** Expires all access tokens that were issued so far: mail servers refuse them. */
  expireTokens(): void;
  /** Revokes the grants of an account. */
  revoke(account: string): void;
  /** Issues no refresh tokens, grants no scope, doesn't know its client, or has an outage, from now on. */
  behave(next: Behaviour): void;
  /** Holds all refreshes until it is called with false. */
  hold(isHeld: boolean): void;
  /** Signs in as this account like a browser. @returns the parameters of the redirect back */
  signIn(authorizationUrl: string, account: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** The grant behind a refresh token; a used token is refused. */
interface Grant {
  account: string;
  scope: string;
  isSpent: boolean;
}

interface Code {
  account: string;
  challenge: string;
  redirectUri: string;
  scope: string;
}

export const OAUTH_CLIENT = { id: 'foyer-client', secret: 'foyer-client-secret' };

const hash = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

class Provider {
  readonly codes = new Map<string, Code>();
  readonly grants = new Map<string, Grant>();
  readonly access = new Map<string, string>();
  readonly shared = new Set<string>();
  readonly refreshed: string[] = [];
  behaviour: Behaviour = {};
  held: PromiseWithResolvers<void> | undefined;

  /** The redirect after somebody chose an account, or declined. */
  redirectOf(asked: URLSearchParams, account: string | null): string {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (account === null) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.codes.set(code, {
        account,
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
        scope: asked.get('scope') ?? '',
      });
      back.searchParams.set('code', code);
    }
    return back.href;
  }

  issue({ account, scope }: { account: string; scope: string }): object {
    const [access, refresh] = [randomUUID(), randomUUID()];
    this.access.set(access, account);
    if (!this.behaviour.withoutRefresh) this.grants.set(refresh, { account, scope, isSpent: false });
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: this.behaviour.withoutScopes ? 'openid' : scope,
      ...(this.behaviour.withoutRefresh ? {} : { refresh_token: refresh }),
    };
  }

  redeem(form: URLSearchParams): object | undefined {
    const given = form.get('code') ?? '';
    const code = this.codes.get(given);
    this.codes.delete(given);
    const isRight =
      code?.redirectUri === form.get('redirect_uri') &&
      code?.challenge === hash(form.get('code_verifier') ?? '');
    return code && isRight ? this.issue(code) : undefined;
  }

  async refresh(form: URLSearchParams): Promise<object | undefined> {
    const grant = this.grants.get(form.get('refresh_token') ?? '');
    if (grant) this.refreshed.push(grant.account);
    await this.held?.promise;
    if (!grant || grant.isSpent) return undefined;
    grant.isSpent = true;
    return this.issue(grant);
  }

  async token(form: URLSearchParams): Promise<{ status: number; body: object }> {
    const { id, secret } = OAUTH_CLIENT;
    const { isDown, withoutClient } = this.behaviour;
    if (isDown) return { status: 503, body: {} };
    if (withoutClient || form.get('client_id') !== id || form.get('client_secret') !== secret)
      return { status: 401, body: { error: 'invalid_client' } };
    const issued = form.get('grant_type') === 'refresh_token' ? await this.refresh(form) : this.redeem(form);
    return issued
      ? { status: 200, body: issued }
      : {
          status: 400,
          body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
        };
  }
}

const page = (provider: Provider, asked: URLSearchParams): string => `<!doctype html><title>Sign in</title>
<h1>Choose an account</h1>
${[asked.get('login_hint') ?? '', 'ada@shop.example'].map((account) => `<p><a href="${provider.redirectOf(asked, account)}">${account}</a></p>`).join('')}
<p><a href="${provider.redirectOf(asked, null)}">Cancel</a></p>`;

async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/authorize') {
    const isKnown = url.searchParams.get('client_id') === OAUTH_CLIENT.id;
    response.writeHead(isKnown ? 200 : 400, { 'content-type': 'text/html' });
    response.end(isKnown ? page(provider, url.searchParams) : 'unknown client');
    return;
  }
  let form = '';
  for await (const chunk of request) form += String(chunk);
  const { status, body } = await provider.token(new URLSearchParams(form));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A real authorization server on a free port of the loopback. */
export async function startOAuthServer(): Promise<OAuthServer> {
  const provider = new Provider();
  const server = createServer((request, response) => {
    answer(provider, request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    refreshes: (account) => provider.refreshed.filter((one) => one === account).length,
    endpoints: (imapPort, smtpPort) => ({
      issuer: url,
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      imap: { host: '127.0.0.1', port: imapPort, security: 'starttls' },
      smtp: { host: '127.0.0.1', port: smtpPort, security: 'starttls' },
    }),
    accepts(user, token) {
      const account = provider.access.get(token);
      return account === user || provider.shared.has(`${user} ${account}`);
    },
    share: (mailbox, account) => void provider.shared.add(`${mailbox} ${account}`),
    expireTokens: () => provider.access.clear(),
    revoke(account) {
      for (const grant of provider.grants.values()) if (grant.account === account) grant.isSpent = true;
      for (const [token, owner] of provider.access) if (owner === account) provider.access.delete(token);
    },
    behave(next) {
      provider.behaviour = next;
    },
    hold(isHeld) {
      provider.held?.resolve();
      provider.held = isHeld ? Promise.withResolvers<void>() : undefined;
    },
    async signIn(authorizationUrl, account) {
      const { origin, searchParams } = new URL(authorizationUrl);
      if (origin !== url) throw new Error('another provider');
      return new URL(provider.redirectOf(searchParams, account)).searchParams;
    },
    async close() {
      provider.held?.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
