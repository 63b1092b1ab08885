import type { ArchiveFound, DataImport, ImportKind, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { agentActor } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { checkImport, findStanding } from '../site-archive/standing.ts';
import { recordsOf } from '../site-archive/trial.ts';
import { MAX_BYTES, partsOf, queueWork } from './files.ts';

const LISTED_MAX = 20;

export interface ImportRow {
  id: number;
  kind: ImportKind;
  agent_id: number;
  agent_name: string;
  file_name: string;
  bytes: number;
  parts: number;
  found: ArchiveFound | null;
  chosen: { replace: boolean } | null;
  begun_at: Date | null;
  finished_at: Date | null;
  failure: DataImport['failure'];
  created_at: Date;
}

async function rowsWhere({ db, site }: SiteContext, condition: RawBuilder<unknown>): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select i.id, i.kind, i.agent_id, a.name as agent_name, i.file_name, i.bytes, i.parts, i.found, i.chosen,
      i.begun_at, i.finished_at, i.failure, i.created_at
    from imports i join agents a on a.site_id = i.site_id and a.id = i.agent_id
    where i.site_id = ${site.id} ${condition} order by i.id desc limit ${LISTED_MAX}`.execute(db);
  return rows;
}

/** @throws AppError 404 */
export async function getImportRow(ctx: SiteContext, id: number): Promise<ImportRow> {
  const [row] = await rowsWhere(ctx, sql`and i.id = ${id}`);
  if (!row) throw notFound('import');
  return row;
}

function stateOf(row: ImportRow): DataImport['state'] {
  if (row.failure) return 'failed';
  if (row.finished_at) return 'done';
  if (row.begun_at) return 'running';
  if (row.found) return 'ready';
  return row.parts < partsOf(row.bytes) ? 'sending' : 'looking';
}

async function present(ctx: SiteContext, row: ImportRow): Promise<DataImport> {
  const known = await findStanding(ctx);
  const standing = known && known.archive_id === row.found?.id && row.begun_at ? known : undefined;
  return {
    id: row.id,
    kind: row.kind,
    state: stateOf(row),
    file_name: row.file_name,
    bytes: row.bytes,
    agent: { id: row.agent_id, name: row.agent_name },
    archive: row.found,
    done: standing?.entry ?? 0,
    // It is read twice.
    total: (row.found?.entries ?? 0) * 2,
    taken: Object.values(standing?.taken ?? {}).reduce((sum, count) => sum + count, 0),
    not_taken: standing?.refused_count ?? 0,
    refused: standing?.refused ?? [],
    failure: row.failure,
    created_utc: row.created_at.toISOString(),
    finished_utc: row.finished_at?.toISOString() ?? null,
  };
}

export const getImport = async (ctx: SiteContext, id: number): Promise<DataImport> =>
  present(ctx, await getImportRow(ctx, id));

export async function listImports(ctx: SiteContext): Promise<OutputOf<'imports.list'>> {
  const standing = await findStanding(ctx);
  const archive = standing ? (standing.finished_at ? 'done' : 'begun') : 'none';
  const imports: DataImport[] = [];
  for (const row of await rowsWhere(ctx, sql``)) imports.push(await present(ctx, row));
  return { imports, there: { ...(await recordsOf(ctx)), archive } };
}

const isUnderWay = ({ begun_at, finished_at, failure }: ImportRow): boolean =>
  begun_at !== null && finished_at === null && failure === null;

/**
 * Announces a file, whose parts are then sent. One of before that its agent has not put in goes.
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
 * Has what was looked through put in by a job, or one that failed gone on with.
 * @throws AppError 409 for what is not there yet, is under way or is in, and for a site that has no room
 */
export function startImport(
  ctx: SiteContext,
  { id, replace }: ParsedInputOf<'imports.start'>,
): Promise<DataImport> {
  return ctx.transaction(async (tx) => {
    const row = await lockImport(tx, id);
    if (!row.found || row.finished_at || isUnderWay(row))
      throw new AppError('conflict', 'This file is not ready to be put in.', { reason: 'import_under_way' });
    await checkImport(tx, row.found, replace);
    await sql`
      update imports set begun_at = ${tx.now()}, failure = null, chosen = ${JSON.stringify({ replace })}::jsonb
      where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    await queueWork(tx, id);
    return getImport(tx, id);
  });
}

/** @throws AppError 409 for one that is under way */
export function deleteImport(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  return ctx.transaction(async (tx) => {
    if (isUnderWay(await lockImport(tx, id)))
      throw new AppError('conflict', 'This import is under way.', { reason: 'import_under_way' });
    await sql`delete from imports where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    return { id, deleted: true };
  });
}
