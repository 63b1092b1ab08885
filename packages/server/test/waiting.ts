import pg from 'pg';

/** A separate connection, in a transaction with locks that others wait for. */
export interface Holder {
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>;
  /** Resolves once so many other connections wait for this one's locks. */
  awaited(count?: number): Promise<void>;
  commit(): Promise<void>;
}

/** Begins a transaction that blocks others until it commits, which makes tests of concurrent callers deterministic. */
export async function holdUp(url: string): Promise<Holder> {
  const [holder, watcher] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([holder.connect(), watcher.connect()]);
  await holder.query('begin');
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid;
  let isOver = false;
  return {
    query: (text, values = []) => holder.query(text, [...values]),
    async awaited(count = 1) {
      const waiting = async (): Promise<number> => {
        // Of several that wait for one row, the later ones wait for the first of them.
        const found = await watcher.query(
          `with recursive held (pid) as (
             select $1::integer union
             select a.pid from pg_stat_activity a join held h on h.pid = any (pg_blocking_pids(a.pid))
             where a.datname = current_database()
           ) select from held`,
          [pid],
        );
        return (found.rowCount ?? 0) - 1;
      };
      while (!isOver && (await waiting()) < count);
    },
    async commit() {
      isOver = true;
      await holder.query('commit');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}
