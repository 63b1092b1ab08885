import type { CsvColumn, DeskIssue } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { CsvRecord } from '../csv.ts';
import { toAppError } from '../errors.ts';
import { attemptOne } from '../tickets/bulk.ts';
import { readCells, type Told } from './cells.ts';
import { decodeCsv, rowsOf } from './csv-file.ts';

export type RowOutcome = 'created' | 'updated' | 'unchanged';
export type BringRow = (tx: SiteContext, told: Told) => Promise<RowOutcome>;

/** Of what is wrong with one record. */
const ISSUES_KEPT = 5;
const CELL_KEPT_CHARS = 2_000;

interface CsvWork {
  id: number;
  columns: readonly CsvColumn[];
  /** Records that are done. */
  position: number;
  bring: BringRow;
}

/** Steps behind a record, in the transaction of what becomes of it. @returns whether it was still to be done. */
async function step(tx: SiteContext, id: number, position: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update imports set position = ${position}
    where site_id = ${tx.site.id} and id = ${id} and position = ${position} - 1 and finished_at is null
      and failure is null`.execute(tx.db);
  return numAffectedRows === 1n;
}

const count = (tx: SiteContext, id: number, outcome: RowOutcome | 'failed') =>
  sql`
    update imports set ${sql.ref(`${outcome}_count`)} = ${sql.ref(`${outcome}_count`)} + 1
    where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);

function issuesIn(error: unknown): DeskIssue[] {
  const { message, issues = [{ path: '', message }] } = toAppError(error);
  return issues.slice(0, ISSUES_KEPT);
}

async function keepProblem(
  tx: SiteContext,
  id: number,
  record: CsvRecord,
  issues: DeskIssue[],
): Promise<void> {
  const cells = record.cells.map((cell) =>
    cell.replaceAll('\0', '').toWellFormed().slice(0, CELL_KEPT_CHARS),
  );
  await sql`
    insert into import_problems (site_id, import_id, line, cells, issues)
    values (${tx.site.id}, ${id}, ${record.line}, ${JSON.stringify(cells)}::jsonb, ${JSON.stringify(issues)}::jsonb)
    on conflict do nothing`.execute(tx.db);
}

/** Does one record, and what became of it in the same transaction. @returns false when somebody else has it, or it was stopped. */
async function bringOne(
  ctx: SiteContext,
  { id, columns, bring }: CsvWork,
  record: CsvRecord,
  position: number,
) {
  let goesOn = true;
  try {
    await attemptOne(ctx, async (tx) => {
      goesOn = await step(tx, id, position);
      if (!goesOn) return;
      if (record.fault) await fail(tx, [{ path: '', message: record.fault, reason: 'form' }]);
      else await count(tx, id, await bring(tx, readCells(columns, record.cells)));
    });
  } catch (error) {
    const { code } = toAppError(error);
    // The database is gone: the job comes again.
    if (code === 'unavailable') throw error;
    if (code === 'internal') ctx.log.error({ err: error, import_id: id, line: record.line }, 'a row failed');
    await ctx.transaction(async (tx) => {
      goesOn = await step(tx, id, position);
      if (goesOn) await fail(tx, issuesIn(error));
    });
  }
  return goesOn;

  async function fail(tx: SiteContext, issues: DeskIssue[]): Promise<void> {
    await count(tx, id, 'failed');
    await keepProblem(tx, id, record, issues);
  }
}

/**
 * Brings the records of a CSV file in, one transaction each, from where a worker before has left it.
 * @returns whether it came to the end
 */
export async function bringRows(ctx: SiteContext, bytes: Buffer, work: CsvWork): Promise<boolean> {
  const { text } = decodeCsv(bytes);
  let position = 0;
  for await (const record of rowsOf(text)) {
    position += 1;
    if (position > work.position && !(await bringOne(ctx, work, record, position))) return false;
  }
  return true;
}
