import { randomUUID } from 'node:crypto';
import type { Plan } from '@foyer/protocol';
import { type App, type AppOptions, createApp } from '../src/app/app.ts';
import { readConfig } from '../src/config.ts';
import type { Site, SiteContext } from '../src/core/context.ts';
import { createSite } from '../src/sites/sites.ts';
import { createToken, revokeToken } from '../src/sites/tokens/api-tokens.ts';
import { makeAgent, PASSWORD } from './accounts.ts';
import { silentLog, TEST_SECRET, type TestDatabase, testDatabase } from './harness.ts';

export { PASSWORD };

/** Tests read a response field by field and state what each field holds. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface TestSite {
  site: Site;
  publicKey: string;
  operator: SiteContext;
  admin: { agentId: number; email: string };
  /** Raw tokens. */
  read: string;
  write: string;
  /** The ids of these two. */
  tokenIds: number[];
}

export interface TestApp {
  app: App;
  url: string;
  databaseUrl: string;
  makeSite(plan?: Plan): Promise<TestSite>;
  /** Gives a site new tokens, for tests with more requests than one token may make a minute. */
  renewTokens(site: TestSite): Promise<void>;
  /** One REST call; `path` begins at `/v1/…`. */
  rest(
    token: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Signs in and returns the cookie. */
  signIn(email: string, password?: string): Promise<string>;
  /** One call of the desk; `site`: the site that its tab shows. */
  desk(cookie: string, operation: string, input?: unknown, site?: number | string): Promise<Answer>;
  close(): Promise<void>;
}

/** Reads a response with its body. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

type Options = Partial<Omit<AppOptions, 'config' | 'databaseUrl' | 'secret'>>;

/** Options that replace a part of the program, and a shared database, can't be passed to another process. */
const takesProcesses = (options: Options, database: TestDatabase | undefined): boolean =>
  process.env.FOYER_TEST_PROCESSES === 'true' && Object.keys(options).length === 0 && database === undefined;

/** Imported on demand: if Redis is missing, only tests that need it should report that. */
const startProcesses = async (databaseUrl: string, variables: Record<string, string>) =>
  (await import('./three-processes.ts')).startThreeProcesses(databaseUrl, variables);

/**
 * Foyer on a database (by default a new one), which it closes at its end, listening on a free port of the loopback.
 * With FOYER_TEST_PROCESSES=true the requests go to three processes in turn, which use Redis.
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  options: Options = {},
  database?: TestDatabase,
): Promise<TestApp> {
  const hasProcesses = takesProcesses(options, database);
  database ??= await testDatabase();
  const variables = { FOYER_WEBHOOK_ALLOW_PRIVATE: 'true', ...environment };
  const processes = hasProcesses ? await startProcesses(database.url, variables) : undefined;
  const config = readConfig({
    PORT: '0',
    ...variables,
    ...(processes && { REDIS_URL: processes.redisUrl }),
  });
  const app = await createApp({
    config,
    databaseUrl: database.url,
    secret: TEST_SECRET,
    log: silentLog,
    ...options,
  });
  const ownUrl = await app.listen();
  const url = processes?.url ?? ownUrl;
  const origin = url;

  const send = (path: string, init: RequestInit): Promise<Answer> => fetch(url + path, init).then(answerOf);

  const newTokens = async (operator: SiteContext): Promise<Pick<TestSite, 'read' | 'write' | 'tokenIds'>> => {
    const [read, write] = await Promise.all([
      createToken(operator, { name: 'read', scopes: 'read' }),
      createToken(operator, { name: 'write', scopes: 'read,write' }),
    ]);
    return { read: read.token, write: write.token, tokenIds: [read.id, write.id] };
  };

  return {
    app,
    url,
    databaseUrl: database.url,
    async makeSite(plan = 'growth') {
      const { id, publicKey } = await createSite(app.database.db, { name: 'Lantern & Loom', plan });
      const site: Site = { id, plan };
      const operator = app.contextFor(site, { kind: 'operator' });
      const email = `admin-${randomUUID()}@example.com`;
      const agent = await makeAgent(operator, { email, name: 'Ada', role: 'admin' });
      return {
        site,
        publicKey,
        operator,
        admin: { agentId: agent.id, email },
        ...(await newTokens(operator)),
      };
    },
    async renewTokens(site) {
      // The number of active tokens of a site is limited.
      for (const id of site.tokenIds) await revokeToken(site.operator, id);
      Object.assign(site, await newTokens(site.operator));
    },
    rest: (token, method, path, body, headers = {}) =>
      send(path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async signIn(email, password = PASSWORD) {
      const response = await fetch(`${url}/app/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ email, password }),
      });
      if (response.status !== 200)
        throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
      return response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    },
    desk: (cookie, operation, input = {}, site = undefined) =>
      send(`/app/api/${operation}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie,
          origin,
          ...(site === undefined ? {} : { 'x-foyer-site': String(site) }),
        },
        body: JSON.stringify(input),
      }),
    async close() {
      await processes?.close();
      await app.close();
      await database.close();
    },
  };
}
