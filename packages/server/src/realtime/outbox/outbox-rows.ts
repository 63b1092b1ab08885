import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Which changes were committed at some moment. */
export interface Position {
  /** Transactions from here on were still running. */
  xmax: string;
  /** Nor had these before it ended. */
  running: string[];
}

/** The notices of one change. */
export interface OutboxRow {
  siteId: number;
  node: string;
  n: number;
  notices: unknown[];
}

export interface OutboxPage {
  position: Position;
  /** Differs from before if the database has lost the outbox. Null if it has none yet. */
  epoch: string | null;
  rows: OutboxRow[];
}

/** Which changes a reader needs. */
interface Wanted {
  /** This process, which knows its own changes. */
  node: string;
  /** Of its own changes those whose commit was not answered. */
  unanswered: readonly number[];
  sites: readonly number[];
}

/** `xmin:xmax:running,…` */
function positionOf(snapshot: string): Position {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  return { xmax, running: running.split(',').filter(Boolean) };
}

/**
 * The rows that were committed since a position: of transactions that were running then, and of later ones. In the
 * order of the index, so that it is used whatever the statistics say.
 */
export function rowsSince(
  since: Position,
  { node, unanswered, sites }: Wanted,
  max: number,
): RawBuilder<OutboxRow> {
  const wanted = sql`(everyone or site_id = any (${sites}::bigint[]))
      and (node <> ${node} or n = any (${unanswered}::bigint[]))`;
  const from = sql`select site_id, node, n, notices from notice_outbox`;
  return sql`
    (${from} where tx >= ${since.xmax}::xid8 and ${wanted} order by tx limit ${max})
    union all
    (${from} where tx = any (${since.running}::xid8[]) and ${wanted} order by tx limit ${max})`;
}

/**
 * The changes committed since a position, each once, in one round trip.
 * @param since undefined reads only the position
 * @param max beyond this number, rows may be missing
 */
export async function readOutbox(
  db: Db,
  since: Position | undefined,
  wanted: Wanted,
  max: number,
): Promise<OutboxPage> {
  const changes = since
    ? sql`(select json_agg(json_build_array(site_id, node, n, notices) order by node, n)
        from (${rowsSince(since, wanted, max)}) found)`
    : sql`null::json`;
  // Not `prepared`: only a plan for these very positions is certain to use the index.
  const { rows } = await sql<{
    snapshot: string;
    epoch: string | null;
    changes: [number, string, number, unknown][] | null;
  }>`
    select pg_current_snapshot()::text as snapshot, (select epoch::text from notice_outbox_epochs) as epoch,
      ${changes} as changes`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('no answer from the outbox');
  return {
    position: positionOf(row.snapshot),
    epoch: row.epoch,
    rows: (row.changes ?? []).map(([siteId, by, n, notices]) => ({
      siteId,
      node: by,
      n,
      notices: Array.isArray(notices) ? notices : [],
    })),
  };
}

/** Marks a new outbox, which nobody has read. */
export async function beginEpoch(db: Db): Promise<void> {
  await sql`insert into notice_outbox_epochs default values on conflict do nothing`.execute(db);
}

/**
 * Deletes changes that were committed at a position. Several processes may do it at once.
 * @returns how many, at most `max`
 */
export async function pruneOutbox(db: Db, { xmax, running }: Position, max: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notice_outbox where ctid = any (array(
      select ctid from notice_outbox
      where tx < ${xmax}::xid8 and tx <> all (${running}::xid8[])
      order by tx limit ${max} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows);
}
