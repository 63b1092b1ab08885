import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { type Actor, createContext, type SiteContext } from '../src/context.ts';
import { type Database, type Db, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { createEmitter, type Notice } from '../src/events.ts';
import { createSiteIndexes } from '../src/knowledge/site-indexes.ts';
import { createVault } from '../src/vault.ts';

/** A migrated database of its own, with sites to work in. For tests alone. */
export interface Ground {
  db: Database['db'];
  url: string;
  /** What was told after a commit, in order. */
  notices: (Notice & { siteId: number })[];
  makeSite(): Promise<SiteContext>;
  /** Another door to the same site: another actor, clock or connection. */
  contextOf(siteId: number, parts?: { actor?: Actor; now?: () => Date; db?: Db }): SiteContext;
  close(): Promise<void>;
}

/** Databases are made on this server, or on one of this process's own. */
const SERVER_URL = process.env.FOYER_TEST_POSTGRES;

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  if (SERVER_URL) return { url: SERVER_URL, stop: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-ground-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, maxRetries: 5 });
  };
  return { url: postgres.url, stop };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

export async function openGround(): Promise<Ground> {
  const server = await startServer();
  const name = `foyer_${randomUUID().replaceAll('-', '')}`;
  await onServer(server.url, `create database ${name}`);
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const database = openDatabase(url, { max: 20 });
  await migrate(database.pool);
  const notices: Ground['notices'] = [];
  const emitter = createEmitter((siteId, notice) => notices.push({ siteId, ...notice }));
  const contextOf: Ground['contextOf'] = (siteId, parts = {}) =>
    createContext({
      site: { id: siteId, plan: 'free' },
      actor: { kind: 'operator' },
      db: database.db,
      now: () => new Date(),
      ...parts,
      log: pino({ level: 'silent' }),
      services: {
        baseUrl: 'http://localhost:3000',
        presence: { onlineAgents: () => [] },
        vault: createVault('a secret of thirty-two characters'),
        webhooks: { allowPrivate: false },
        indexes: createSiteIndexes({ db: database.db, maxSites: 10 }),
      },
      emitter,
      send: async () => undefined,
    });
  const makeSite = async (): Promise<SiteContext> => {
    const { id } = await database.db
      .insertInto('sites')
      .values({ name: 'Shop', greeting: 'Hello', public_key: randomUUID() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return contextOf(id);
  };
  const close = async (): Promise<void> => {
    await database.close();
    await onServer(server.url, `drop database ${name} with (force)`);
    await server.stop();
  };
  return { db: database.db, url, notices, makeSite, contextOf, close };
}
