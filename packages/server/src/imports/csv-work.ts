import type { CsvColumn, DeskIssue } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import { sql } from 'kysely';
import type { CsvRecord } from '../base/csv.ts';
import { toAppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { LOCK_WAIT_MS } from '../db/transactions/lock-retry.ts';
import { type Definition, holdFields } from '../sites/fields/field-values.ts';
import { attemptOne } from '../tickets/bulk.ts';
import { readCells, type Told } from './cells.ts';
import { decodeCsv, rowsOf } from './csv-file.ts';

const OUTCOMES = ['created', 'updated', 'unchanged', 'failed'] as const;
export type RowOutcome = Exclude<(typeof OUTCOMES)[number], 'failed'>;
/** @param fields the site's custom fields of these records, which can't be deleted meanwhile */
type PutRow = (tx: SiteContext, fields: readonly Definition[]) => Promise<RowOutcome>;
/** Parses a record before anything is changed. @throws AppError 400 for invalid values */
export type ReadRow = (told: Told) => PutRow;

/** The number of stored issues per record. */
const ISSUES_KEPT = 5;
const CELL_KEPT_CHARS = 2_000;
/** Records per transaction: the commit takes longer than a record. */
const BATCH_ROWS = 50;

interface CsvWork {
  id: number;
  columns: readonly CsvColumn[];
  /** The number of records that are done. */
  position: number;
  read: ReadRow;
  /** The kind of records whose custom fields apply. */
  owner: FieldOwner;
}

interface Row {
  record: CsvRecord;
  /** The parsed record, or its issues. */
  put: PutRow | DeskIssue[];
}

function issuesIn(error: unknown): DeskIssue[] {
  const { message, issues = [{ path: '', message }] } = toAppError(error);
  return issues.slice(0, ISSUES_KEPT);
}

function readRow({ columns, read }: CsvWork, record: CsvRecord): Row['put'] {
  if (record.fault) return [{ path: '', message: record.fault, reason: 'form' }];
  try {
    return read(readCells(columns, record.cells));
  } catch (error) {
    return issuesIn(error);
  }
}

/** Advances past records, in the transaction of their results. @returns whether they were still to be done */
async function step(tx: SiteContext, { id, position }: CsvWork, count: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update imports set position = ${position + count}
    where site_id = ${tx.site.id} and id = ${id} and position = ${position} and finished_at is null
      and failure is null`.execute(tx.db);
  return numAffectedRows === 1n;
}

async function keepProblem(tx: SiteContext, id: number, { line, cells }: CsvRecord, issues: DeskIssue[]) {
  const kept = cells.map((cell) => cell.replaceAll('\0', '').toWellFormed().slice(0, CELL_KEPT_CHARS));
  await sql`
    insert into import_problems (site_id, import_id, line, cells, issues)
    values (${tx.site.id}, ${id}, ${line}, ${JSON.stringify(kept)}::jsonb, ${JSON.stringify(issues)}::jsonb)
    on conflict do nothing`.execute(tx.db);
}

/** Imports records and stores the results. @returns false if another worker has them, or the import was stopped */
async function putRows(tx: SiteContext, work: CsvWork, rows: readonly Row[]): Promise<boolean> {
  if (!(await step(tx, work, rows.length))) return false;
  const fields = await holdFields(tx, work.owner);
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { record, put } of rows) {
    const isRead = typeof put === 'function';
    if (!isRead) await keepProblem(tx, work.id, record, put);
    counts[isRead ? await put(tx, fields) : 'failed'] += 1;
  }
  const added = OUTCOMES.map((outcome) => {
    const column = sql.ref(`${outcome}_count`);
    return sql`${column} = ${column} + ${counts[outcome]}`;
  });
  await sql`
    update imports set ${sql.join(added)} where site_id = ${tx.site.id} and id = ${work.id}`.execute(tx.db);
  return true;
}

/** A batch holds many locks: in a deadlock with other work, the batch is the one that fails. */
async function putTogether(ctx: SiteContext, work: CsvWork, rows: readonly Row[]): Promise<boolean> {
  let goesOn = true;
  await attemptOne(ctx, async (tx) => {
    if (rows.length > 1) await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx.db);
    goesOn = await putRows(tx, work, rows);
  });
  return goesOn;
}

/** As one transaction, or if a record fails, as two of half the size, down to that record. */
async function bringRows(ctx: SiteContext, work: CsvWork, rows: readonly Row[]): Promise<boolean> {
  try {
    return await putTogether(ctx, work, rows);
  } catch (error) {
    const { code } = toAppError(error);
    // The database is down: the job will be retried.
    if (code === 'unavailable') throw error;
    const [first] = rows;
    if (first && rows.length === 1) {
      const { record } = first;
      if (code === 'internal')
        ctx.log.error({ err: error, import_id: work.id, line: record.line }, 'importing a row failed');
      return putTogether(ctx, work, [{ record, put: issuesIn(error) }]);
    }
    const half = Math.ceil(rows.length / 2);
    const behind = { ...work, position: work.position + half };
    return (
      (await bringRows(ctx, work, rows.slice(0, half))) && (await bringRows(ctx, behind, rows.slice(half)))
    );
  }
}

/**
 * Imports the records of a CSV file from where an earlier worker stopped: a record's result and the progress are
 * one transaction.
 * @returns whether it reached the end
 */
export async function bringFile(ctx: SiteContext, bytes: Buffer, work: CsvWork): Promise<boolean> {
  const { text } = decodeCsv(bytes);
  let at = 0;
  let { position } = work;
  let rows: Row[] = [];
  for await (const record of rowsOf(text)) {
    at += 1;
    if (at <= work.position) continue;
    rows.push({ record, put: readRow(work, record) });
    if (rows.length < BATCH_ROWS) continue;
    if (!(await bringRows(ctx, { ...work, position }, rows))) return false;
    position += rows.length;
    rows = [];
  }
  return rows.length === 0 || bringRows(ctx, { ...work, position }, rows);
}
