import { setImmediate as breathe } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { Db } from '../../db/database.ts';
import { knowledgeVersionOf } from '../knowledge-version.ts';
import type { PassageVectors } from './passage-vectors.ts';
import { splitArticle } from './passages.ts';
import { SearchIndex } from './search-index.ts';
import { versionAndSynonyms } from './site-synonyms.ts';
import { loadSources, sourceVersions } from './sources.ts';

/** Articles loaded by one statement. */
const CHUNK_ARTICLES = 50;
/** How long indexing and learning hold the event loop, except for a single article that takes longer. */
const HOLD_MS = 8;
/** What so many sentences teach is learned before the index is given out; of more, behind it, while it is in use. */
const LEARNED_AT_ONCE = 1_500;

export interface SiteIndexes {
  /**
   * The index over the site's published articles and training rows as they are committed now, on whatever node they were changed.
   * @throws AppError 404 for a site that there is not.
   */
  indexOf(siteId: number): Promise<SearchIndex>;
}

interface Entry {
  readonly index: SearchIndex;
  /** The site's knowledge_version that the index is at least as new as. */
  version: number;
  /** Of each article in it: the version at its last change. */
  readonly versions: Map<number, number>;
  refreshing: Promise<void> | undefined;
  learning: Promise<void> | undefined;
  /** Changed since what it is learning from. */
  unlearned: boolean;
}

interface Options {
  db: Db;
  log: Logger;
  /** For the indexes kept in memory, whatever the number of sites; the one not asked for the longest goes first. */
  maxBytes?: number;
  /** Are told of what an index has taken in. */
  vectors?: PassageVectors | undefined;
}

/** Of sites with twenty short articles about 500, of those with 10,000 passages a dozen. */
const BYTES_MAX = 512 * 2 ** 20;

/** Lets the rest of the process run once the caller has held the event loop for `HOLD_MS`. */
function createPause(): () => Promise<void> | undefined {
  let from = performance.now();
  return () => {
    if (performance.now() - from < HOLD_MS) return undefined;
    return breathe().then(() => {
      from = performance.now();
    });
  };
}

/** Takes the changed articles in and the others out; `entry.version` moves last, so that a failure is made up for. */
async function refresh({ db, log, vectors }: Options, siteId: number, entry: Entry): Promise<void> {
  const { version, synonyms } = await versionAndSynonyms(db, siteId);
  const { index, versions } = entry;
  index.setSynonyms(synonyms);
  const present = await sourceVersions(db, siteId);
  const drop = (id: number): void => {
    index.remove(id);
    versions.delete(id);
  };
  const before = versions.size;
  const pause = createPause();
  for (const id of [...versions.keys()]) if (!present.has(id)) drop(id);
  const stale = [...present].filter(([id, changed]) => versions.get(id) !== changed).map(([id]) => id);
  for (let at = 0; at < stale.length; at += CHUNK_ARTICLES) {
    const ids = stale.slice(at, at + CHUNK_ARTICLES);
    const loaded = new Map((await loadSources(db, siteId, ids)).map((row) => [row.id, row]));
    for (const id of ids) {
      const row = loaded.get(id);
      // Unpublished between the two queries.
      if (!row) drop(id);
      else {
        index.add(splitArticle(row));
        versions.set(id, row.version);
      }
      await pause();
    }
  }
  const changed = stale.length > 0 || present.size !== before;
  if (changed) {
    entry.unlearned = true;
    const learned = learnChanges(entry);
    if (index.room <= LEARNED_AT_ONCE) await learned;
    else
      learned.catch((error) => log.error({ err: error, site_id: siteId }, 'an index could not be updated'));
  }
  entry.version = version;
  if (changed) vectors?.follow(siteId, index);
}

/** Learns until nothing has changed since; one at a time for each index. */
function learnChanges(entry: Entry): Promise<void> {
  const run = async (): Promise<void> => {
    while (entry.unlearned) {
      entry.unlearned = false;
      const pause = createPause();
      for (const _step of entry.index.learn()) await pause();
    }
  };
  entry.learning ??= run().finally(() => {
    entry.learning = undefined;
  });
  return entry.learning;
}

/** An index for each site that is asked for: built at its first use, then brought up to date by what has changed. */
export function createSiteIndexes(options: Options): SiteIndexes {
  const { db, maxBytes = BYTES_MAX } = options;
  const entries = createBoundedCache<Entry>({ max: maxBytes, weightOf: ({ index }) => index.bytes });

  const newEntry = (): Entry => ({
    index: new SearchIndex(),
    version: -1,
    versions: new Map(),
    refreshing: undefined,
    learning: undefined,
    unlearned: false,
  });

  const shared = (siteId: number, entry: Entry): Promise<void> => {
    entry.refreshing ??= refresh(options, siteId, entry).finally(() => {
      entry.refreshing = undefined;
    });
    return entry.refreshing;
  };

  return {
    async indexOf(siteId) {
      const wanted = await knowledgeVersionOf(db, siteId);
      const key = String(siteId);
      const entry = entries.get(key) ?? newEntry();
      // Before it is built, so that others who ask meanwhile wait for the same one.
      entries.set(key, entry);
      // A refresh that began before the change that we know of may have missed it: then it takes another one.
      while (entry.version < wanted) await shared(siteId, entry);
      // Weighs what it has become.
      entries.set(key, entry);
      return entry.index;
    },
  };
}

declare module '../../core/context.ts' {
  interface Services {
    /** The bot's search index of each site's published knowledge, as fresh as the database. */
    readonly indexes: { indexOf(siteId: number): Promise<SearchIndex> };
  }
}
