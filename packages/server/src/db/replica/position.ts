import type pg from 'pg';

/** A server's position in the write-ahead log, and its identity. */
export interface Position {
  /** Created with the cluster, and the same in all copies of its files. */
  cluster: string;
  database: string;
  isStandby: boolean;
  /** Bytes since the beginning of the log: of a primary what is safe on disk, of a standby what it has replayed. */
  lsn: number;
}

/** Reads no table, and needs no right beyond connecting. */
export async function positionOf(client: pg.Pool | pg.Client): Promise<Position> {
  const { rows } = await client.query<Position>(
    `select (select system_identifier::text from pg_control_system()) as cluster, current_database() as database,
       pg_is_in_recovery() as "isStandby",
       coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
         - '0/0', 0)::float8 as lsn`,
  );
  const [row] = rows;
  if (!row) throw new Error('a server stands somewhere');
  return row;
}

/** Whether both are of the same database: one is a copy of the other's files that follows its log. */
export const isSameDatabase = (one: Position, other: Position): boolean =>
  one.cluster === other.cluster && one.database === other.database;

/** Enough for minutes; older marks are passed when the replica catches up. */
const MARKS_MAX = 120;

/**
 * The maximal age of a replica's data. Marks of the primary's position are compared with what the replica has replayed,
 * so neither clocks nor an idle primary matter, unlike with `pg_last_xact_replay_timestamp`.
 */
export class ReplicaLag {
  readonly #marks: { at: number; lsn: number }[] = [];
  #inStepAt = Number.NEGATIVE_INFINITY;

  /** Notes the primary's position at a time, in milliseconds of the caller's clock. */
  mark(at: number, lsn: number): void {
    if (this.#marks.length >= MARKS_MAX) this.#marks.pop();
    this.#marks.push({ at, lsn });
  }

  replayed(lsn: number): void {
    const open = this.#marks.findIndex((mark) => mark.lsn > lsn);
    const done = this.#marks.splice(0, open < 0 ? this.#marks.length : open);
    this.#inStepAt = done.at(-1)?.at ?? this.#inStepAt;
  }

  /** For when the replica's position is no longer known. */
  forget(): void {
    this.#marks.length = 0;
    this.#inStepAt = Number.NEGATIVE_INFINITY;
  }

  /** In milliseconds; infinite before the first mark was replayed. */
  at(now: number): number {
    return now - this.#inStepAt;
  }
}
