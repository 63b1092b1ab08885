import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UPLOAD_MAX_BYTES } from '@foyer/protocol';
import { sql } from 'kysely';
import { extract } from 'tar-stream';
import type { SiteContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { renewWords } from '../tickets/search.ts';
import { newPlacing, type Placing, putLater, putRows, putSite, type Refused } from './archive-rows.ts';
import { type ArchiveManifest, archiveEnd, archiveManifest } from './manifest.ts';
import { bytesOf } from './tar.ts';

/** Of rows: far more than any batch that an export writes. */
const ENTRY_MAX_BYTES = 200 * 1024 * 1024;
/** Tickets whose words are made anew in one transaction. */
const WORDS_BATCH = 100;

export interface ImportReport {
  /** Rows that were put in by this run, by table. */
  taken: Record<string, number>;
  /** What could not be put in, and why; the first of each kind. */
  not_taken: Refused[];
  not_taken_count: number;
}

interface Entry {
  name: string;
  content: Buffer;
}

const notAnArchive = (why: string): AppError =>
  new AppError('invalid_input', `This is no archive of a site: ${why}. Nothing of the rest was put in.`);

/** The entries of an archive, one after the other; of each no more than its content is in memory. */
async function* entriesOf(source: Readable): AsyncGenerator<Entry> {
  const unzipped = createGunzip();
  const tar = extract();
  source.on('error', (error) => unzipped.destroy(error));
  unzipped.on('error', (error) => tar.destroy(error));
  source.pipe(unzipped).pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      const most = name.endsWith('.file') ? UPLOAD_MAX_BYTES : ENTRY_MAX_BYTES;
      if (size > most) throw notAnArchive(`${name} is too large`);
      yield { name, content: await bytesOf(entry) };
    }
  } catch (error) {
    throw error instanceof AppError
      ? error
      : notAnArchive(error instanceof Error ? error.message : 'unreadable');
  } finally {
    source.destroy();
  }
}

function parsed<T>(content: Buffer, schema: { safeParse(value: unknown): { data?: T } }, what: string): T {
  try {
    const { data } = schema.safeParse(JSON.parse(content.toString('utf8')));
    if (data !== undefined) return data;
  } catch {
    // Said below.
  }
  throw notAnArchive(what);
}

/** Tables that only a site at work has rows in: tags and the like may have been made on its first day. */
const AT_WORK = ['visitors', 'conversations', 'tickets', 'articles', 'tags', 'macros', 'segments'] as const;

/** Begins an import or finds the one that goes on. @throws AppError 409 for a site that is in use, or has another import. */
async function begin(ctx: SiteContext, { id }: ArchiveManifest): Promise<number> {
  const { db, site } = ctx;
  const { rows } = await sql<{ archive_id: string; entry: number; finished_at: Date | null }>`
    select archive_id, entry, finished_at from site_imports where site_id = ${site.id}`.execute(db);
  const [known] = rows;
  if (known?.finished_at)
    throw new AppError('conflict', 'An archive was imported into this site already: make a new site.');
  if (known && known.archive_id !== id)
    throw new AppError(
      'conflict',
      'Another archive was begun to be imported into this site: go on with that one.',
    );
  if (known) return known.entry;
  for (const table of AT_WORK) {
    const used = await sql`select from ${sql.table(table)} where site_id = ${site.id} limit 1`.execute(db);
    if (used.rows.length > 0)
      throw new AppError('conflict', `This site has ${table} already: import into a new site.`);
  }
  await sql`
    insert into site_imports (site_id, archive_id, entry, begun_at)
    values (${site.id}, ${id}, 0, ${ctx.now()})`.execute(db);
  return 0;
}

const noteEntry = ({ db, site }: SiteContext, entry: number) =>
  sql`update site_imports set entry = ${entry} where site_id = ${site.id}`.execute(db);

async function makeWords(ctx: SiteContext): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      select t.id from tickets t where t.site_id = ${ctx.site.id} and not exists (
        select from ticket_words w where w.site_id = t.site_id and w.ticket_id = t.id
      ) order by t.id limit ${WORDS_BATCH}`.execute(ctx.db);
    if (rows.length === 0) return;
    await ctx.transaction(async (tx) => {
      for (const { id } of rows) await renewWords(tx, id);
    });
  }
}

/**
 * Puts an archive into a site that has nothing yet. Each entry is one transaction that notes its number, so that an
 * import that was stopped goes on behind it when the same archive comes again.
 * @param open reads the archive from its beginning: it is read twice
 */
export async function importSite(ctx: SiteContext, open: () => Readable): Promise<ImportReport> {
  let placing: Placing | undefined;
  let number = 0;
  let from = 0;
  for (const pass of ['rows', 'later'] as const) {
    let row: Buffer | undefined;
    let isWhole = false;
    for await (const { name, content } of entriesOf(open())) {
      number += 1;
      if (name === 'manifest.json') {
        const manifest = parsed(content, archiveManifest, 'its manifest is not one that this version knows');
        if (pass === 'rows') from = await begin(ctx, manifest);
        placing ??= newPlacing(ctx.site.id, manifest.id);
        await placing.people.learn(ctx);
      } else if (name === 'end.json') {
        parsed(content, archiveEnd, 'its end is not one that this version knows');
        isWhole = true;
      } else if (name.startsWith('attachments/') && name.endsWith('.ndjson')) row = content;
      else if (number > from) {
        if (!placing) throw notAnArchive('it does not begin with a manifest');
        await putEntry(ctx, placing, { pass, name, content, row, number });
      }
    }
    if (!isWhole)
      throw notAnArchive('it is cut short. What was in it is kept, and a whole one goes on from there');
  }
  if (!placing) throw notAnArchive('it has no manifest');
  await makeWords(ctx);
  await sql`
    update sites set segments_version = gen_random_uuid() where id = ${ctx.site.id}`.execute(ctx.db);
  await sql`update site_imports set finished_at = ${ctx.now()} where site_id = ${ctx.site.id}`.execute(
    ctx.db,
  );
  await ctx.emit({ notices: [{ kind: 'site' }, { kind: 'agents' }] });
  return { taken: placing.taken, not_taken: placing.refused, not_taken_count: placing.refusedCount };
}

interface Place {
  pass: 'rows' | 'later';
  name: string;
  content: Buffer;
  /** Of a file: what is known of it. */
  row: Buffer | undefined;
  number: number;
}

/** Puts an entry in and notes its number, in one transaction. */
function putEntry(
  ctx: SiteContext,
  placing: Placing,
  { pass, name, content, row, number }: Place,
): Promise<void> {
  const table = name.split('/')[0] ?? '';
  return ctx.transaction(async (tx) => {
    if (name === 'site.ndjson') {
      if (pass === 'later') await putSite(tx, placing, content);
    } else if (pass === 'later') {
      if (!name.endsWith('.file')) await putLater(tx, placing, table, content);
    } else if (!name.endsWith('.file')) await putRows(tx, placing, table, content);
    else if (row) await putRows(tx, placing, table, row, content);
    await noteEntry(tx, number);
  });
}
