import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { AppError, isDeadlock, isLockTimeout } from '../../base/errors.ts';
import type { Db } from '../database.ts';

/** Below PostgreSQL's deadlock_timeout (1 s), so that this work gives way and never the chat that holds a row. */
export const LOCK_WAIT_MS = 300;
const ATTEMPTS = 12;
const PAUSE_MAX_MS = 60;

/**
 * Runs work that locks many rows which others lock too (a visitor with all its chats), in the transaction `tx`. Chats
 * lock theirs in another order, so where the two meet, this work releases all its locks and tries again.
 * @throws AppError 503 when the rows stay busy.
 */
export async function retryOnLockTimeout<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await sql`savepoint lock_retry`.execute(tx);
    try {
      await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx);
      const result = await work();
      await sql`set local lock_timeout to default`.execute(tx);
      await sql`release savepoint lock_retry`.execute(tx);
      return result;
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      await sql`rollback to savepoint lock_retry`.execute(tx);
      if (attempt === ATTEMPTS) {
        throw new AppError(
          'unavailable',
          'This visitor is being changed elsewhere. Nothing was changed; try again in a moment.',
          {
            reason: 'visitor_busy',
            cause: error,
            headers: { 'retry-after': '1' },
          },
        );
      }
      await delay(Math.random() * PAUSE_MAX_MS);
    }
  }
}
