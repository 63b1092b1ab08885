import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '@foyer/protocol';
import { createContext, type Site, type SiteContext } from '../src/core/context.ts';
import { createEmitter } from '../src/core/events.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { clusterFolder } from '../src/db/embedded/cluster.ts';
import { findRunningPostgres } from '../src/db/embedded/embedded.ts';
import { findPostmaster } from '../src/db/embedded/postmaster.ts';
import { createSite } from '../src/sites/sites.ts';
import { createToken } from '../src/sites/tokens/api-tokens.ts';
import { makeAgent } from './accounts.ts';
import { type Answer, type Json, PASSWORD } from './app.ts';
import { type Installation, makeInstallation } from './foyer-process.ts';
import { silentLog, testServices, until } from './harness.ts';
import { TestSocket } from './sockets.ts';

/** A real installation with a site, and direct access to its database. */
export interface Stand {
  foyer: Installation;
  url: string;
  database: Database;
  operator: SiteContext;
  publicKey: string;
  email: string;
  token: string;
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
  desk(cookie: string, operation: string, input?: unknown): Promise<Answer>;
  /** @param email of another agent than the first one */
  signIn(email?: string): Promise<string>;
  transcript(sessionId: string): Promise<Message[]>;
  strike(): Promise<void>;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

async function furnish(database: Database) {
  const { db } = database;
  const { id, publicKey } = await createSite(db, { name: 'Lantern & Loom', plan: 'growth' });
  const site: Site = { id, plan: 'growth' };
  const operator = createContext({
    site,
    actor: { kind: 'operator' },
    db,
    now: () => new Date(),
    log: silentLog,
    services: testServices({ webhooks: { allowPrivate: true } }),
    emitter: createEmitter(() => undefined),
    send: async () => undefined,
  });
  const email = `admin-${randomUUID()}@example.com`;
  await makeAgent(operator, { email, name: 'Ada', role: 'admin' });
  const { token } = await createToken(operator, { name: 'stand', scopes: 'read,write' });
  return { operator, publicKey, email, token };
}

export async function makeStand(environment: Record<string, string> = {}): Promise<Stand> {
  const foyer = await makeInstallation({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'true', ...environment });
  await foyer.start();
  const found = await findRunningPostgres(foyer.dataDir);
  if (!found) throw new Error('the database does not run');
  const database = openDatabase(found.url, { max: 3, onError: () => undefined });
  const site = await furnish(database);
  const { url } = foyer;
  const json = (body: unknown): RequestInit =>
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

  const stand: Stand = {
    ...site,
    foyer,
    url,
    database,
    rest(method, path, body) {
      const init = json(body);
      const headers = { ...init.headers, authorization: `Bearer ${site.token}` };
      return fetch(`${url}${path}`, { ...init, method, headers }).then(answerOf);
    },
    desk(cookie, operation, input = {}) {
      const init = json(input);
      const headers = { ...init.headers, cookie, origin: url };
      return fetch(`${url}/app/api/${operation}`, { ...init, method: 'POST', headers }).then(answerOf);
    },
    async signIn(email = site.email) {
      const init = json({ email, password: PASSWORD });
      const headers = { ...init.headers, origin: url };
      const response = await fetch(`${url}/app/auth/sign-in/email`, { ...init, method: 'POST', headers });
      if (!response.ok) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
      return response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    },
    async transcript(sessionId) {
      const { body } = await stand.rest('GET', `/v1/transcripts?sessionId=${sessionId}`);
      return body.data.messages;
    },
    async strike() {
      await database.close();
      await foyer.remove();
    },
  };
  return stand;
}

/** All processes of the installation's PostgreSQL, its first one first. */
export async function postgresOf({ foyer }: Pick<Stand, 'foyer'>): Promise<number[]> {
  const folder = clusterFolder(foyer.dataDir);
  const home = await stat(folder);
  const worksThere = async (pid: string): Promise<boolean> => {
    const [cwd, name] = await Promise.all([
      stat(`/proc/${pid}/cwd`),
      readFile(join('/proc', pid, 'comm'), 'utf8'),
    ]);
    return cwd.ino === home.ino && cwd.dev === home.dev && name.trim() === 'postgres';
  };
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const mine = await Promise.all(pids.map((pid) => worksThere(pid).catch(() => false)));
  const first = (await findPostmaster(folder))?.pid ?? 0;
  return pids
    .filter((_, index) => mine[index])
    .map(Number)
    .sort((a, b) => Number(b === first) - Number(a === first));
}

/** Sends a signal to all of them; ignores those that have ended meanwhile. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

export interface Sent {
  session: { session_id: string; status: string } | null;
  message: Message;
}

export const say = (
  socket: TestSocket,
  session_id: string | null,
  text: string,
  client_id: string = randomUUID(),
) => socket.call('chat.send', { session_id, client_id, text }) as Promise<Sent>;

/** A visitor who has begun a chat and is subscribed to it. */
export async function openChat(
  { url, publicKey }: { url: string; publicKey: string },
  text = 'Good morning',
) {
  const { socket, welcome } = await TestSocket.visitor(url, publicKey);
  const sent = await say(socket, null, text);
  const id = sent.session?.session_id ?? '';
  await socket.subscribe(id);
  return { socket, welcome, id, sent };
}

/** The same browser again, after its connection or the server was gone. */
export async function comeBack(
  { url, publicKey }: { url: string; publicKey: string },
  welcome: { token: string; visitor: { key: string } },
) {
  let back: Awaited<ReturnType<typeof TestSocket.visitor>> | undefined;
  await until(async () => {
    back = await TestSocket.visitor(url, publicKey, { token: welcome.token, key: welcome.visitor.key }).catch(
      () => undefined,
    );
    return back !== undefined;
  });
  if (!back) throw new Error('unreachable');
  return back;
}

/** A receiver's events about one chat. */
export const eventsOf = (
  requests: readonly { body: string; headers: Record<string, string> }[],
  name: string,
  id: string,
) =>
  requests
    .map(({ body, headers }) => ({ headers, body: JSON.parse(body) as Json }))
    .filter(({ body }) => body.event === name && body.session_id === id);
