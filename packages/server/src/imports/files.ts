import { Readable } from 'node:stream';
import { ARCHIVE_MAX_BYTES, CSV_MAX_BYTES, IMPORT_PART_BYTES, type ImportKind } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { ImportRow } from './rows.ts';

export const MAX_BYTES: Readonly<Record<ImportKind, number>> = {
  archive: ARCHIVE_MAX_BYTES,
  visitors: CSV_MAX_BYTES,
  tickets: CSV_MAX_BYTES,
};

/** In how many parts a file of this many bytes is sent; only the last may be smaller than IMPORT_PART_BYTES. */
export const partsOf = (bytes: number): number => Math.ceil(bytes / IMPORT_PART_BYTES);

/** Queues the import's next step, once however often it is called before the job begins. */
export const queueWork = (ctx: SiteContext, id: number): Promise<void> =>
  ctx.enqueue('imports.work', { import_id: id }, { key: `${ctx.site.id}:${id}` });

/**
 * Stores the next part of a file; the last one queues the check. A repeated part is stored once.
 * @throws AppError 400 for a part that is not the next or has the wrong size, 404
 */
export function keepPart(
  ctx: SiteContext,
  id: number,
  number: number,
  content: Buffer,
): Promise<{ parts: number }> {
  return ctx.transaction(async (tx) => {
    const { db, site } = tx;
    const { rows } = await sql<Pick<ImportRow, 'bytes' | 'parts'>>`
      select bytes, parts from imports where site_id = ${site.id} and id = ${id} for update`.execute(db);
    const [row] = rows;
    if (!row) throw notFound('import');
    if (number <= row.parts) return { parts: row.parts };
    const size = Math.min(IMPORT_PART_BYTES, row.bytes - row.parts * IMPORT_PART_BYTES);
    if (number !== row.parts + 1 || content.length !== size)
      throw invalidInput([{ path: 'number', message: `must be ${row.parts + 1}, with ${size} bytes` }]);
    await sql`
      insert into import_parts (site_id, import_id, number, content)
      values (${site.id}, ${id}, ${number}, ${content})`.execute(db);
    await sql`update imports set parts = ${number} where site_id = ${site.id} and id = ${id}`.execute(db);
    if (number === partsOf(row.bytes)) await queueWork(tx, id);
    return { parts: number };
  });
}

async function* contentOf({ db, site }: SiteContext, id: number, parts: number): AsyncGenerator<Buffer> {
  for (let number = 1; number <= parts; number += 1) {
    const { rows } = await sql<{ content: Buffer }>`
      select content from import_parts
      where site_id = ${site.id} and import_id = ${id} and number = ${number}`.execute(db);
    const content = rows[0]?.content;
    if (!content) throw new AppError('not_found', 'The file was removed.');
    yield content;
  }
}

/** Streams a file from its beginning, with one part in memory. */
export const openFile = (ctx: SiteContext, { id, parts }: Pick<ImportRow, 'id' | 'parts'>): Readable =>
  Readable.from(contentOf(ctx, id, parts), { objectMode: false });

/** Deletes the file's bytes; the import and its results stay. */
export async function dropFile({ db, site }: SiteContext, id: number): Promise<void> {
  await sql`delete from import_parts where site_id = ${site.id} and import_id = ${id}`.execute(db);
}
