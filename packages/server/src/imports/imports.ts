import {
  type ArchiveFound,
  type CsvColumn,
  type CsvFound,
  type CsvTarget,
  type DataImport,
  type IssueReason,
  type OutputOf,
  type ParsedInputOf,
  TICKET_FIELDS,
  TICKET_TARGETS,
  VISITOR_FIELDS,
  VISITOR_TARGETS,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput, notFound } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { checkImport, findStanding } from '../site-archive/import-progress.ts';
import { recordsOf } from '../site-archive/trial-data.ts';
import { type Audited, audited } from '../sites/audit/audited.ts';
import { MAX_BYTES, partsOf, queueWork } from './files.ts';
import { firstProblems } from './problems.ts';
import { getImportRow, type ImportRow, importRows } from './rows.ts';

/** Whether the checked file is a site archive; any other is a CSV. */
export const isArchive = (found: ArchiveFound | CsvFound): found is ArchiveFound => 'entries' in found;

function stateOf(row: ImportRow): DataImport['state'] {
  if (row.failure) return 'failed';
  if (row.finished_at) return 'done';
  if (row.begun_at) return 'running';
  if (row.found) return 'ready';
  return row.parts < partsOf(row.bytes) ? 'sending' : 'looking';
}

const NO_FIGURES = { archive: null, csv: null, updated: 0, unchanged: 0, problems: [], refused: [] };

/** The progress of an archive. */
async function archiveFigures(ctx: SiteContext, { begun_at }: ImportRow, found: ArchiveFound) {
  const known = await findStanding(ctx);
  const standing = known && known.archive_id === found.id && begun_at ? known : undefined;
  return {
    ...NO_FIGURES,
    archive: found,
    done: standing?.entry ?? 0,
    // The file is read twice.
    total: found.entries * 2,
    taken: Object.values(standing?.taken ?? {}).reduce((sum, count) => sum + count, 0),
    not_taken: standing?.refused_count ?? 0,
    refused: standing?.refused ?? [],
  };
}

const csvFigures = (row: ImportRow, found: CsvFound) => ({
  ...NO_FIGURES,
  csv: found,
  done: row.position,
  total: found.rows,
  taken: row.created_count,
  updated: row.updated_count,
  unchanged: row.unchanged_count,
  not_taken: row.failed_count,
});

async function present(ctx: SiteContext, row: ImportRow): Promise<DataImport> {
  const { found } = row;
  const figures = !found
    ? { ...NO_FIGURES, done: 0, total: 0, taken: 0, not_taken: 0 }
    : isArchive(found)
      ? await archiveFigures(ctx, row, found)
      : csvFigures(row, found);
  return {
    ...figures,
    id: row.id,
    kind: row.kind,
    state: stateOf(row),
    file_name: row.file_name,
    bytes: row.bytes,
    agent: { id: row.agent_id, name: row.agent_name },
    failure: row.failure,
    created_utc: row.created_at.toISOString(),
    finished_utc: row.finished_at?.toISOString() ?? null,
  };
}

/** With the first problems of a CSV. @throws AppError 404, also for another site's. */
export async function getImport(ctx: SiteContext, id: number): Promise<DataImport> {
  const one = await present(ctx, await getImportRow(ctx, id));
  return one.csv && one.not_taken > 0 ? { ...one, problems: await firstProblems(ctx, id) } : one;
}

/**
 * Newest first, without their problems. `there` counts the site's records, which decides whether an archive can be
 * imported.
 */
export async function listImports(ctx: SiteContext): Promise<OutputOf<'imports.list'>> {
  const standing = await findStanding(ctx);
  const archive = standing ? (standing.finished_at ? 'done' : 'begun') : 'none';
  const imports: DataImport[] = [];
  for (const row of await importRows(ctx, sql``)) imports.push(await present(ctx, row));
  return { imports, there: { ...(await recordsOf(ctx)), archive } };
}

/** The audit log's entry for an import. */
export const auditOf = ({ kind }: ImportRow): Audited => ({
  subject: 'site',
  action: `${kind === 'archive' ? 'site' : kind}.import`,
});

const isUnderWay = ({ begun_at, finished_at, failure }: ImportRow): boolean =>
  begun_at !== null && finished_at === null && failure === null;

/**
 * Announces a file, whose parts are then sent. Replaces the agent's previous file if it was never imported.
 * @throws AppError 413
 */
export function createImport(
  ctx: SiteContext,
  { kind, file_name, bytes }: ParsedInputOf<'imports.create'>,
): Promise<DataImport> {
  const { agentId } = agentActor(ctx);
  const most = MAX_BYTES[kind];
  if (bytes > most)
    throw new AppError('payload_too_large', `The file is larger than ${most} bytes.`, {
      reason: 'upload_large',
      values: { megabytes: most / 1024 / 1024 },
    });
  return ctx.transaction(async (tx) => {
    await sql`
      delete from imports where site_id = ${tx.site.id} and agent_id = ${agentId} and kind = ${kind}
        and begun_at is null`.execute(tx.db);
    const { rows } = await sql<{ id: number }>`
      insert into imports (site_id, kind, agent_id, file_name, bytes, created_at)
      values (${tx.site.id}, ${kind}, ${agentId}, ${file_name}, ${bytes}, ${tx.now()}) returning id`.execute(
      tx.db,
    );
    const [made] = rows;
    if (!made) throw notFound('import');
    return getImport(tx, made.id);
  });
}

async function lockImport(tx: SiteContext, id: number): Promise<ImportRow> {
  await sql`select from imports where site_id = ${tx.site.id} and id = ${id} for update`.execute(tx.db);
  return getImportRow(tx, id);
}

/**
 * Queues the import of a checked file, or continues one that failed.
 * @throws AppError 409 if the file is incomplete, is being imported or has been, and for a site that isn't empty
 */
export function startImport(
  ctx: SiteContext,
  { id, replace, columns: given }: ParsedInputOf<'imports.start'>,
): Promise<DataImport> {
  return ctx.transaction(async (tx) => {
    const row = await lockImport(tx, id);
    const columns = given ?? row.chosen?.columns;
    if (!row.found || row.finished_at || isUnderWay(row))
      throw new AppError('conflict', 'This import is running or isn’t ready yet.', {
        reason: 'import_under_way',
      });
    if (isArchive(row.found)) await checkImport(tx, row.found, replace);
    else checkColumns(row, row.found, columns);
    await sql`
      update imports set begun_at = ${tx.now()}, failure = null, chosen = ${JSON.stringify({ replace, columns })}::jsonb
      where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    await queueWork(tx, id);
    return getImport(tx, id);
  });
}

const ONCE: readonly CsvTarget[] = [...VISITOR_FIELDS, ...TICKET_FIELDS];

/** @throws AppError 400 for columns that the file doesn't have, or that give no record */
function checkColumns(
  { kind }: ImportRow,
  { columns: heads }: CsvFound,
  columns: readonly CsvColumn[] = [],
): void {
  const targets: readonly CsvTarget[] = kind === 'visitors' ? VISITOR_TARGETS : TICKET_TARGETS;
  const has = (...some: CsvTarget[]): boolean => columns.some(({ to }) => some.includes(to));
  const wrong = (message: string, reason: IssueReason) =>
    invalidInput([{ path: 'columns', message, reason }]);
  if (columns.length !== heads.length || columns.some(({ to }) => !targets.includes(to)))
    throw wrong('must map every column', 'choice');
  const names = columns.flatMap(({ to, name }) => (to === 'attribute' || to === 'field' ? [name ?? ''] : []));
  if (names.includes('')) throw wrong('must name every attribute and custom field', 'empty');
  const once = [
    ...names,
    ...columns
      .map(({ to }) => to)
      .filter((to) => ONCE.includes(to))
      .map((to) => `=${to}`),
  ];
  if (new Set(once).size < once.length) throw wrong('must not map two columns to the same field', 'twice');
  const isEnough =
    kind === 'visitors'
      ? has('key', 'email')
      : has('subject', 'body') && has('requester_key', 'requester_email', 'requester_name');
  if (!isEnough) throw wrong('must map a column that identifies the record', 'missing');
}

/** Stops the import of a CSV; imported rows stay. @throws AppError 409 for an archive */
export function stopImport(ctx: SiteContext, id: number): Promise<DataImport> {
  return ctx.transaction(async (tx) => {
    const row = await lockImport(tx, id);
    if (!isUnderWay(row)) return getImport(tx, id);
    if (row.kind === 'archive')
      throw new AppError('conflict', 'This import can’t be stopped.', { reason: 'import_under_way' });
    const failure = { code: 'conflict', message: 'The import was stopped.', reason: 'import_stopped' };
    // The imported rows stay and are reported as the result.
    await audited(tx, auditOf(row), () =>
      sql`
        update imports set failure = ${JSON.stringify(failure)}::jsonb
        where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db),
    );
    await tx.emit({ notices: [{ kind: 'lists' }] });
    return getImport(tx, id);
  });
}

/** @throws AppError 409 while the import is running */
export function deleteImport(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  return ctx.transaction(async (tx) => {
    if (isUnderWay(await lockImport(tx, id)))
      throw new AppError('conflict', 'This import is running.', { reason: 'import_under_way' });
    await sql`delete from imports where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    return { id, deleted: true };
  });
}
