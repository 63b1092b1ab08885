import { type DataImport, type OutputOf, type ParsedInputOf, PROBLEMS_SHOWN } from '@foyer/protocol';
import { sql } from 'kysely';
import { csvText } from '../base/csv.ts';
import type { SiteContext } from '../core/context.ts';
import { getImportRow } from './rows.ts';

const PART_ROWS = 1_000;

type Problem = DataImport['problems'][number];

async function problemsAfter({ db, site }: SiteContext, id: number, after: number, limit: number) {
  const { rows } = await sql<Problem & { cells: string[] }>`
    select line, issues, cells from import_problems
    where site_id = ${site.id} and import_id = ${id} and line > ${after} order by line limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** By line, at most PROBLEMS_SHOWN; `exportProblems` has all. */
export const firstProblems = async (ctx: SiteContext, id: number): Promise<Problem[]> =>
  (await problemsAfter(ctx, id, 0, PROBLEMS_SHOWN)).map(({ line, issues }) => ({ line, issues }));

/** The skipped rows as a CSV to correct and import again: line, reason, and the original cells. */
export async function exportProblems(
  ctx: SiteContext,
  { id, after }: ParsedInputOf<'imports.problems'>,
): Promise<OutputOf<'imports.problems'>> {
  const { found } = await getImportRow(ctx, id);
  const rows = await problemsAfter(ctx, id, after ?? 0, PART_ROWS);
  const heads = found && 'columns' in found ? found.columns : [];
  const lines = rows.map(({ line, issues, cells }) => [
    line,
    issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '),
    ...cells,
  ]);
  const text = csvText(after === undefined ? [['line', 'problem', ...heads], ...lines] : lines);
  // Only the beginning of the file has the byte order mark.
  return {
    text: after === undefined ? text : text.replace(/^\ufeff/, ''),
    next: rows.length < PART_ROWS ? null : (rows.at(-1)?.line ?? null),
  };
}
