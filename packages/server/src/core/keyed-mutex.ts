import type { SiteContext } from './context.ts';

/** The newest call for each key. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs changes of one visitor one after another within this process. Otherwise many calls for one key would each
 * hold a pool connection just to wait for the visitor's row, and leave none for others. Other processes, and calls
 * that already have a connection, wait at the row.
 */
export async function runExclusive<T>(
  { db, site }: SiteContext,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work();
  const lock = `${site.id} ${key}`;
  const before = last.get(lock);
  const mine = before ? before.then(work, work) : work();
  last.set(lock, mine);
  try {
    return await mine;
  } finally {
    if (last.get(lock) === mine) last.delete(lock);
  }
}
