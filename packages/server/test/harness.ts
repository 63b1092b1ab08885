import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import type { Services } from '../src/core/context.ts';
import { fixedAddress } from '../src/core/public-address.ts';
import { createTokenDeriver, createVault } from '../src/core/vault.ts';
import type { Db } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { FreshMails } from '../src/email/inbound/fresh-mails.ts';
import { createSignedLinks } from '../src/files/signed-links.ts';
import { openQueue } from '../src/jobs/queue.ts';
import { HelpCatalogue } from '../src/knowledge/help/catalogue.ts';
import { buildIndex } from '../src/knowledge/search/search-index.ts';
import { createLimits, type Limits } from '../src/limits/limits.ts';
import { createMailProviders } from '../src/mail/oauth/providers.ts';
import { readMailSignIn } from '../src/mail/oauth/settings.ts';
import { createSender } from '../src/net/sender.ts';
import { createPushSender } from '../src/notifications/web-push.ts';
import { jobs } from '../src/registry.ts';
import { BlockRules } from '../src/sites/blocks/rules.ts';
import { neverBreached } from '../src/sites/sign-in/breached-passwords.ts';
import { createIdentityClient } from '../src/sites/single-sign-on/identity-client.ts';

/** At least 32 characters, as required of FOYER_SECRET. */
export const TEST_SECRET = 'a secret that only the tests know';

export const silentLog = pino({ level: 'silent' });

function serverUrl(): string {
  const url = process.env.FOYER_TEST_POSTGRES;
  if (!url)
    throw new Error('FOYER_TEST_POSTGRES is missing: run the tests with the config at the root (npx vitest)');
  return url;
}

const databaseUrl = (name: string): string =>
  Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;

async function onServer(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

const TEMPLATE = 'foyer_template';
/** Test files run concurrently; one of them creates the template. */
const TEMPLATE_LOCK = 4_711;

async function ensureTemplate(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
  if (rowCount) return;
  const building = `${TEMPLATE}_building`;
  await client.query(`drop database if exists ${building}`);
  await client.query(`create database ${building}`);
  const pool = new pg.Pool({ connectionString: databaseUrl(building) });
  await migrate(pool).finally(() => pool.end());
  // With the queues, which a process creates at its first start.
  await (await openQueue({ url: databaseUrl(building) }, jobs, silentLog)).stop();
  await client.query(`alter database ${building} rename to ${TEMPLATE}`);
}

export interface TestDatabase {
  url: string;
  close(): Promise<void>;
}

async function newDatabase(
  create: (client: pg.Client, name: string) => Promise<void>,
): Promise<TestDatabase> {
  const name = `foyer_${randomUUID().replaceAll('-', '')}`;
  await onServer((client) => create(client, name));
  return {
    url: databaseUrl(name),
    close: () =>
      onServer(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

/** A new migrated, empty database on the run's real PostgreSQL. */
export const testDatabase = (): Promise<TestDatabase> =>
  newDatabase(async (client, name) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(client);
    // Copied as files: writing every page of the template through the WAL takes four times as long.
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  });

/** A database without any table. */
export const emptyDatabase = (): Promise<TestDatabase> =>
  newDatabase(async (client, name) => void (await client.query(`create database ${name}`)));

/** A process's services for domains, for tests that run them without one. */
export function testServices(parts: Partial<Services> = {}): Services {
  return {
    address: fixedAddress('http://foyer.test'),
    presence: { onlineAgents: async () => [] },
    desks: { areOpen: async () => false },
    liveVisitors: { of: () => ({ visitors: [], beyond: 0 }), call: () => false },
    vault: createVault(TEST_SECRET),
    clamav: undefined,
    webhooks: { allowPrivate: false },
    attachmentUrl: createSignedLinks({ address: fixedAddress('http://foyer.test'), secret: TEST_SECRET })
      .urlOf,
    mailer: undefined,
    mailProviders: createMailProviders(readMailSignIn({}), fetch),
    identityClient: createIdentityClient({ allowPrivate: false, privateHosts: [] }),
    mailDns: async () => {
      throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' });
    },
    languageModels: {
      environment: undefined,
      articlesMaxChars: 0,
      of: async () => undefined,
      forget: () => undefined,
    },
    vectors: undefined,
    isBreached: neverBreached,
    newSitePlan: 'growth',
    freshMails: new FreshMails(),
    passing: { show: () => undefined },
    derivedToken: createTokenDeriver(TEST_SECRET),
    admit: async () => undefined,
    filesQuota: { maxBytes: null, hasRoom: async () => true },
    blocksOf: async () => BlockRules.NONE,
    hasChatSlas: async () => true,
    redactionOf: async () => ({ kinds: [], patterns: [] }),
    push: createPushSender({ seed: Buffer.alloc(32, 7), baseUrl: 'http://foyer.test', allowPrivate: false }),
    actions: createSender({ purpose: 'action', allowPrivate: false }),
    crawler: { get: async () => ({ kind: 'failed', problem: 'unreachable' }) },
    indexes: { indexOf: async () => buildIndex([]) },
    catalogues: { catalogueOf: async () => new HelpCatalogue(0, []) },
    ...parts,
  };
}

/** Limits with their own counters, independent of others in the same database. */
export const testLimits = (db: Db, clock?: () => Date): Limits =>
  createLimits({ db, redis: undefined, derive: createTokenDeriver(randomUUID()), clock });

/** Polls until the condition is true; the test's own time limit ends it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
