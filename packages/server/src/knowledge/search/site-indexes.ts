import { setImmediate as breathe } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { Db } from '../../db/database.ts';
import { knowledgeVersionOf } from '../knowledge-version.ts';
import { splitArticle } from './passages.ts';
import { SearchIndex } from './search-index.ts';
import { versionAndSynonyms } from './site-synonyms.ts';
import { loadSources, sourceVersions } from './sources.ts';
import type { PassageVectors } from './vectors/passage-vectors.ts';

/** Articles loaded by one statement. */
const CHUNK_ARTICLES = 50;
/** How long indexing and learning may block the event loop, except for a single article that takes longer. */
const HOLD_MS = 8;
/**
 * Up to this many sentences, the model is learned before the index is returned; with more, in the background while it
 * is in use.
 */
const LEARNED_AT_ONCE = 1_500;

export interface SiteIndexes {
  /**
   * The index over the site's published articles and training rows as they are committed now, on any node.
   * @throws AppError 404 for an unknown site.
   */
  indexOf(siteId: number): Promise<SearchIndex>;
}

interface Entry {
  readonly index: SearchIndex;
  /** The site's knowledge_version that the index is at least as new as. */
  version: number;
  /** The version of each article in it at the article's last change. */
  readonly versions: Map<number, number>;
  refreshing: Promise<void> | undefined;
  learning: Promise<void> | undefined;
  /** Changed since the learning began. */
  unlearned: boolean;
}

interface Options {
  db: Db;
  log: Logger;
  /** The limit of all indexes in memory; the least recently used is dropped first. */
  maxBytes?: number;
  /** Follow the articles of the indexes. */
  vectors?: PassageVectors | undefined;
}

/** Room for about 500 sites with twenty short articles, or a dozen with 10,000 passages. */
const BYTES_MAX = 512 * 2 ** 20;

/** Lets the rest of the process run once the caller has blocked the event loop for `HOLD_MS`. */
function createPause(): () => Promise<void> | undefined {
  let from = performance.now();
  return () => {
    if (performance.now() - from < HOLD_MS) return undefined;
    return breathe().then(() => {
      from = performance.now();
    });
  };
}

/**
 * Adds the changed articles and removes the others; `entry.version` is set last, so that a failed refresh is repeated.
 */
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

/** An index for each requested site: built at its first use, then updated by the changes. */
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
      // Stored before it is built, so that concurrent callers wait for the same one.
      entries.set(key, entry);
      // A refresh that began before the latest change may have missed it: then it runs again.
      while (entry.version < wanted) await shared(siteId, entry);
      // Counts its new size.
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
