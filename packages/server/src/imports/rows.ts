import type { ArchiveFound, CsvColumn, CsvFound, DataImport, ImportKind } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';

const LISTED_MAX = 20;

export interface ImportRow {
  id: number;
  kind: ImportKind;
  agent_id: number;
  agent_name: string;
  file_name: string;
  bytes: number;
  parts: number;
  found: ArchiveFound | CsvFound | null;
  chosen: { replace: boolean; columns?: CsvColumn[] } | null;
  position: number;
  created_count: number;
  updated_count: number;
  unchanged_count: number;
  failed_count: number;
  begun_at: Date | null;
  finished_at: Date | null;
  failure: DataImport['failure'];
  created_at: Date;
}

/** The imports that meet a condition on `i`, newest first. */
export async function importRows(
  { db, site }: SiteContext,
  condition: RawBuilder<unknown>,
): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select i.id, i.kind, i.agent_id, a.name as agent_name, i.file_name, i.bytes, i.parts, i.found, i.chosen,
      i.begun_at, i.finished_at, i.failure, i.created_at, i.position, i.created_count, i.updated_count,
      i.unchanged_count, i.failed_count
    from imports i join agents a on a.site_id = i.site_id and a.id = i.agent_id
    where i.site_id = ${site.id} ${condition} order by i.id desc limit ${LISTED_MAX}`.execute(db);
  return rows;
}

/** @returns undefined for an import that was deleted. */
export async function findImportRow(ctx: SiteContext, id: number): Promise<ImportRow | undefined> {
  const [row] = await importRows(ctx, sql`and i.id = ${id}`);
  return row;
}

/** @throws AppError 404 for an import that does not exist, also for another site's. */
export async function getImportRow(ctx: SiteContext, id: number): Promise<ImportRow> {
  const row = await findImportRow(ctx, id);
  if (!row) throw notFound('import');
  return row;
}
