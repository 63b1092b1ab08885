import type { Actor } from '../packages/server/src/core/actor.ts';
import { createContext, type SiteContext } from '../packages/server/src/core/context.ts';
import { createEmitter } from '../packages/server/src/core/events.ts';
import type { Db } from '../packages/server/src/db/database.ts';
import type { JobQueue } from '../packages/server/src/jobs/queue.ts';
import { addAgent } from '../packages/server/src/sites/agents/agents.ts';
import { silentLog, testServices } from '../packages/server/test/harness.ts';

/** A context of a site within this process. Sends no notices, and queues no jobs unless `send` is given. */
export const contextOf = (
  db: Db,
  siteId: number,
  actor: Actor = { kind: 'operator' },
  send: JobQueue['send'] = async () => undefined,
): SiteContext =>
  createContext({
    site: { id: siteId, plan: 'growth' },
    actor,
    db,
    send,
    log: silentLog,
    services: testServices(),
    now: () => new Date(),
    emitter: createEmitter(() => undefined),
  });

/** The account with which benchmarks sign in to the desk. */
export const ACCOUNT = { email: 'ada@example.com', password: 'correct horse battery' };

/** Adds the admin of `ACCOUNT` to a site. */
export const addAda = (db: Db, siteId: number): Promise<unknown> =>
  addAgent(contextOf(db, siteId), { ...ACCOUNT, name: 'Ada', role: 'admin' });

/** @param origin the public address of the process, if it isn't its own. @returns the `cookie` header */
export async function signIn(url: string, account = ACCOUNT, origin = url): Promise<string> {
  const response = await fetch(`${url}/app/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
