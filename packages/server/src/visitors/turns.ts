import type { SiteContext } from '../context.ts';

const last = new Map<string, Promise<unknown>>();

/**
 * Runs what changes one visitor one after the other within this process. Many calls for one key would else each hold a
 * connection of the pool only to wait for the visitor's row, and everybody else with them. Other processes, and calls
 * that have their connection already, wait at the row.
 */
export async function inTurn<T>({ db, site }: SiteContext, key: string, work: () => Promise<T>): Promise<T> {
  if (db.isTransaction) return work();
  const turn = `${site.id} ${key}`;
  const before = last.get(turn);
  const mine = before ? before.then(work, work) : work();
  last.set(turn, mine);
  try {
    return await mine;
  } finally {
    if (last.get(turn) === mine) last.delete(turn);
  }
}
