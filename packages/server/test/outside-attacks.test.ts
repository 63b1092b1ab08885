import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/registry.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { inputFields } from './input-fields.ts';
import { TestSocket } from './sockets.ts';

// What attackers try first: raw requests as scanners send them, without a client that would normalise them.

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a request with its path unchanged. */
const send = (
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += String(part)));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** An answer without its request id, in which any letters can occur. */
const withoutId = (body: string): string => body.replace(/"request_id":"[^"]*"/, '');

const SQL = [
  "'",
  "' or '1'='1",
  "'; select pg_sleep(9);--",
  '1); drop table tags;--',
  '\\',
  '$1',
  "a' || (select current_setting('data_directory')) || 'b",
  '%',
  '{1,2}',
];

describe('SQL in the filters of a list', () => {
  const lists = operations.filter(({ rest }) => rest?.method === 'GET');

  it.each(lists.map((operation) => [operation.name, operation] as const))(
    '%s is treated as text, or as invalid input',
    async (name, { rest }) => {
      await app.renewTokens(site);
      for (const { path } of inputFields(name).filter(({ path }) => !path.includes('.')))
        for (const text of SQL) {
          const query = new URLSearchParams({ [path]: text });
          const answer = await app.rest(site.read, 'GET', `/v1/${rest?.resource}?${query}`);
          expect([200, 400, 404], `${path}=${text}`).toContain(answer.status);
          const shown = withoutId(JSON.stringify(answer.body));
          expect(shown).not.toMatch(/data_directory|syntax error|\/var\/|pg_/);
        }
    },
  );

  it('finds nothing in a search', async () => {
    for (const text of SQL) {
      const answer = await app.rest(site.read, 'GET', `/v1/tickets?${new URLSearchParams({ q: text })}`);
      expect([answer.status, answer.body.data], text).toEqual([200, []]);
    }
    expect((await app.rest(site.read, 'GET', '/v1/tags')).status).toBe(200);
  });
});

const PATHS = [
  '/app/api/../api/me.get',
  '/app/api/%2e%2e/api/me.get',
  '//app/api/me.get',
  '/app//api/me.get',
  '/app/api/me.get/',
  '/app/api/me.get;x=1',
  '/app/api/me%2eget',
  '/app/api/%6de.get',
  '/APP/API/me.get',
  '/app/api/me.get%00',
  '/app/api/me.get%0d%0aset-cookie:%20a=b',
  '/app/api/__proto__',
  '/app/api/constructor',
  '/v1/tags/../../app/api/me.get',
  '/v1/..%2fapp/api/me.get',
  '/v1/tags%2f..',
  '/v1/%74ags',
  '/v1//tags',
  '/v1/tags.json',
  '/v1/__proto__',
  '/v1/api.ashx?resource=__proto__',
  '/v1/api.ashx?resource=tags&resource=tickets',
  '/assets/../../../../../../etc/passwd',
  '/assets/..%2f..%2f..%2f..%2fetc%2fpasswd',
  '/assets/%2e%2e/%2e%2e/secret',
  '/assets/..\\..\\secret',
  '/assets/js/..%5c..%5csecret',
  '/app/../../secret',
  '/help/..%2f..%2fsecret',
  '/files/../secret',
  '/pictures/..%2f..%2fsecret',
  '/widget/../app/api/me.get',
  '/portal/../app/api/me.get',
  '/.env',
  '/.git/config',
  '/secret',
  '/foyer.json',
];

describe('a path around the sign-in', () => {
  it.each(PATHS)('%s reveals nothing of the site or the machine', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, headers, body } = await send(path, {
        method,
        headers: { origin: app.url, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect(status, method).toBeLessThan(500);
      expect(headers['set-cookie']).toBeUndefined();
      expect(withoutId(body)).not.toMatch(/root:|"agent"|Lantern|public_key|pk_/);
      // The desk's page for a person who isn't signed in has no data.
      if (status === 200) expect(headers['content-type']).toMatch(/^text\/html/);
    }
  });

  it('does not work for signed-in agents either: only the operation’s own path runs it', async () => {
    const own = { cookie, origin: app.url, 'content-type': 'application/json' };
    const real = await send('/app/api/me.get', { method: 'POST', headers: own, body: '{}' });
    expect(real.body).toContain('Lantern');
    for (const path of [
      '/app/api/me.get%00',
      '/APP/API/me.get',
      '/app/api/__proto__',
      '/app/api/constructor',
    ])
      expect((await send(path, { method: 'POST', headers: own, body: '{}' })).status, path).toBe(404);
  });
});

// At most nine: an address has twenty attempts a minute at two of these endpoints.
const TOKENS = ['', ' ', 'null', 'undefined', '%00', '[]', "'or'1'='1", '../x', 'x'.repeat(5_000)];

const WORDS = 'an unlikely passphrase';

describe('a link without its secret', () => {
  it.each(TOKENS)('%j opens no portal, setup, invitation or reset', async (token) => {
    const portal = await send(`/portal/${encodeURIComponent(token)}`);
    expect(portal.status).toBeGreaterThanOrEqual(400);
    expect(portal.status).toBeLessThan(500);
    const doors = [
      ['/app/setup', { name: 'Eve', email: 'eve@example.com', password: WORDS, site_name: 'Eve’s' }],
      ['/app/invitation/accept', { name: 'Eve', password: WORDS }],
      ['/app/password/reset', { password: WORDS }],
    ] as const;
    for (const [path, more] of doors) {
      const headers = { origin: app.url, 'content-type': 'application/json' };
      const body = JSON.stringify({ token, ...more });
      const answer = await send(path, { method: 'POST', headers, body });
      expect([400, 404], path).toContain(answer.status);
      expect(answer.body).toMatch(/token|link|invitation/i);
    }
  });
});

describe('a secret', () => {
  it('of a visitor’s browser is unique, and invalid once a bit is changed', async () => {
    const key = `anon_${randomUUID()}`;
    const greet = async (token?: string) => {
      const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, { key, token });
      return { socket, welcome };
    };
    const { socket, welcome } = await greet();
    await socket.call('chat.send', { session_id: null, client_id: randomUUID(), text: 'Hello' });
    const tokens = new Set([welcome.token]);
    for (let count = 0; count < 20; count++) tokens.add((await greet()).welcome.token);
    expect(tokens.size).toBe(21);
    const bytes = Buffer.from(welcome.token.slice('vis_'.length), 'base64url');
    for (const place of [0, 15, 16, 31]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const other = await greet(`vis_${changed.toString('base64url')}`);
      expect([place, other.welcome.sessions]).toEqual([place, []]);
    }
    expect((await greet(welcome.token)).welcome.sessions).toHaveLength(1);
  });

  it('of a portal link can be guessed at most 240 times a minute', async () => {
    const fresh = await startTestApp();
    const seen: number[] = [];
    for (let count = 0; count < 300; count++) {
      const answer = await fetch(`${fresh.url}/portal/${randomUUID()}${randomUUID()}`);
      await answer.body?.cancel();
      seen.push(answer.status);
    }
    await fresh.close();
    expect(seen.filter((status) => status === 404)).toHaveLength(240);
    expect(seen.slice(240)).toEqual(Array.from({ length: 60 }, () => 429));
  });
});

describe('a host named by the caller', () => {
  it('never gets into a link', async () => {
    const evil = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      'x-forwarded-proto': 'https',
    };
    const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
      subject: 'A',
      body: 'B',
      requester: { name: 'C' },
    });
    const answer = await send('/v1/portal_token', {
      method: 'POST',
      headers: { ...evil, authorization: `Bearer ${site.write}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ticket_id: ticket.body.data.id }),
    });
    expect(answer.status).toBe(201);
    expect(answer.body).not.toContain('evil.example');
    const page = await send('/app/sign-in', { headers: evil });
    expect(JSON.stringify(page.headers) + page.body).not.toContain('evil.example');
  });
});
