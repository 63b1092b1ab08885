import type { SiteContext } from './context.ts';

/** The newest call for each key. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs what changes one visitor one after the other within this process. Otherwise many calls for one key would each
 * hold a connection of the pool only to wait for the visitor's row, and leave none for anybody else. Other processes, and
 * calls that already have their connection, wait at the row.
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
