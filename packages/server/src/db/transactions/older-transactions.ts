import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../database.ts';

const PAUSE_MS = 20;

/**
 * Waits until every transaction that our processes have open now has ended. Whatever begins after that sees everything
 * committed before. A transaction that has written nothing and whose statement runs longer than the pool allows
 * (db/database.ts) is a backup, which this doesn't wait for. Call it outside a transaction: inside one, its own view of
 * the others would never change.
 */
export async function waitForOlderTransactions(db: Db): Promise<void> {
  const { rows } = await sql<{ pid: number; since: string }>`
    select pid, xact_start::text as since from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and xact_start is not null`.execute(db);
  const pids = rows.map(({ pid }) => pid);
  const since = rows.map((row) => row.since);
  for (;;) {
    const left = await sql`
      select from pg_stat_activity a
      join unnest(${pids}::integer[], ${since}::text[]) as t (pid, since) on a.pid = t.pid and a.xact_start::text = t.since
      where a.backend_xid is not null or (a.state = 'active' and a.query_start > now() - interval '10 seconds')
      limit 1`.execute(db);
    if (left.rows.length === 0) return;
    await delay(PAUSE_MS);
  }
}
