import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { LanguageModels } from '../src/ai/site-models.ts';
import type { Actor } from '../src/core/actor.ts';
import { createContext, type Presence, type Services, type SiteContext } from '../src/core/context.ts';
import type { Notice } from '../src/core/domain-event.ts';
import { createEmitter } from '../src/core/events.ts';
import { type Database, type Db, openDatabase } from '../src/db/database.ts';
import { createHelpCatalogues } from '../src/knowledge/help/catalogue.ts';
import { createSiteIndexes } from '../src/knowledge/search/site-indexes.ts';
import type { Crawler } from '../src/knowledge/sources/crawl/crawler.ts';
import { silentLog, testDatabase, testServices } from './harness.ts';

/** A new migrated database with sites. Only for tests. */
export interface Ground {
  db: Database['db'];
  url: string;
  /** The notices that were sent after a commit, in order. */
  notices: (Notice & { siteId: number })[];
  makeSite(): Promise<SiteContext>;
  /** Another context of the same site: another actor, clock or connection, or other agents online. */
  contextOf(
    siteId: number,
    parts?: {
      actor?: Actor;
      now?: () => Date;
      db?: Db;
      presence?: Presence;
      desks?: Services['desks'];
      crawler?: Crawler;
      languageModels?: LanguageModels;
    },
  ): SiteContext;
  close(): Promise<void>;
}

export async function openGround(): Promise<Ground> {
  const { url, close: drop } = await testDatabase();
  // Bulk inserts on a busy machine take longer than the product's limits for a statement and a connection.
  const database = openDatabase(url, { max: 20, patient: true });
  const notices: Ground['notices'] = [];
  const emitter = createEmitter((siteId, notice) => notices.push({ siteId, ...notice }));
  const indexes = createSiteIndexes({ db: database.db, log: silentLog });
  const catalogues = createHelpCatalogues({ db: database.db });
  const contextOf: Ground['contextOf'] = (
    siteId,
    { presence, desks, crawler, languageModels, ...parts } = {},
  ) =>
    createContext({
      site: { id: siteId, plan: 'free' },
      actor: { kind: 'operator' },
      db: database.db,
      now: () => new Date(),
      ...parts,
      log: silentLog,
      services: testServices({
        indexes,
        catalogues,
        ...(presence && { presence }),
        ...(desks && { desks }),
        ...(crawler && { crawler }),
        ...(languageModels && { languageModels }),
      }),
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
    await drop();
  };
  return { db: database.db, url, notices, makeSite, contextOf, close };
}

/** A ground for the tests of a file, available once they begin. */
export function useGround(): Ground {
  const ground = {} as Ground;
  beforeAll(async () => {
    Object.assign(ground, await openGround());
  });
  afterAll(() => ground.close());
  return ground;
}
