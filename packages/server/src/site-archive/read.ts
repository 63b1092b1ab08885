import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import { z } from 'zod';
import { withoutMalware } from '../attachments/scan.ts';
import { readAllChats } from '../conversations/search/index-messages.ts';
import type { SiteContext } from '../core/context.ts';
import { ARCHIVED } from '../db/site-data.ts';
import { renewWords } from '../tickets/search/search.ts';
import { newPlacing, type Placing, putLater, putRows, putSite, type Refused } from './archive-rows.ts';
import { cutShort, entriesOf, notAnArchive, readEnd, readManifest } from './entries.ts';
import { beginImport, findStanding, finishImport, once } from './import-progress.ts';
import { fillLastWords } from './last-words.ts';

/** Tickets per transaction when search words are rebuilt. */
const WORDS_BATCH = 100;

interface ImportReport {
  /** The number of imported rows by table. */
  taken: Record<string, number>;
  /** Records that couldn't be imported, and why; the first of each kind. */
  not_taken: Refused[];
  not_taken_count: number;
}

async function makeWords(ctx: SiteContext): Promise<void> {
  let after = 0;
  for (;;) {
    // After the last one: a ticket may have no words.
    const { rows } = await sql<{ id: number }>`
      select t.id from tickets t where t.site_id = ${ctx.site.id} and t.id > ${after} and not exists (
        select from ticket_words w where w.site_id = t.site_id and w.ticket_id = t.id
      ) order by t.id limit ${WORDS_BATCH}`.execute(ctx.db);
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? after;
    await ctx.transaction(async (tx) => {
      for (const { id } of rows) await renewWords(tx, id);
    });
  }
}

/**
 * Imports an archive into an empty site. Each entry is a transaction that records its number, so an interrupted
 * import continues after it when the same archive is imported again.
 * @param open reads the archive from its beginning; it is read twice
 * @param options `replace`: trial records are deleted first
 */
export async function importSite(
  ctx: SiteContext,
  open: () => Readable,
  { replace = false } = {},
): Promise<ImportReport> {
  let placing: Placing | undefined;
  let number = 0;
  let from = 0;
  for (const pass of ['rows', 'later'] as const) {
    let row: Buffer | undefined;
    let isWhole = false;
    for await (const { name, content } of entriesOf(open())) {
      number += 1;
      if (name === 'manifest.json') {
        const manifest = readManifest(content);
        if (pass === 'rows') await beginImport(ctx, manifest, replace);
        from = (await findStanding(ctx))?.entry ?? 0;
        placing ??= newPlacing(ctx.site.id, manifest.id);
        await placing.people.learn(ctx);
      } else if (name === 'end.json') {
        readEnd(content);
        isWhole = true;
      } else if (name.startsWith('attachments/') && name.endsWith('.ndjson')) row = content;
      else if (!placing) throw notAnArchive('it doesn’t start with a manifest');
      else if (number > from) {
        const isFile = pass === 'rows' && name.endsWith('.file');
        const changed = isFile && row ? await withoutItsMalware(ctx, row, content) : undefined;
        await putEntry(ctx, placing, { pass, name, content, row, ...changed, number });
      }
    }
    if (!placing) throw notAnArchive('it has no manifest');
    if (!isWhole) throw cutShort();
  }
  await makeWords(ctx);
  await fillLastWords(ctx);
  await readAllChats(ctx);
  await finishImport(ctx);
  const standing = await findStanding(ctx);
  return {
    taken: standing?.taken ?? {},
    not_taken: standing?.refused ?? [],
    not_taken_count: standing?.refused_count ?? 0,
  };
}

const fileRow = z.looseObject({ name: z.string(), content_type: z.string() });

/** @throws AppError 400 for anything but one row: what isn't named can't be scanned and noted */
function fileRowOf(row: Buffer): z.infer<typeof fileRow> {
  try {
    return fileRow.parse(JSON.parse(row.toString()));
  } catch {
    throw notAnArchive('a file has no record');
  }
}

/**
 * A file and its row if they are changed because it has malware. Outside the transaction that stores them.
 * @throws AppError 400, and 503 while it can't be scanned: the import continues from here later
 */
async function withoutItsMalware(
  ctx: SiteContext,
  row: Buffer,
  content: Buffer,
): Promise<Pick<Place, 'row' | 'content'> | undefined> {
  if (ctx.services.clamav === undefined) return undefined;
  const given = fileRowOf(row);
  const file = { name: given.name, contentType: given.content_type, contentId: null, content };
  const [kept = file] = await withoutMalware(ctx, [file]);
  if (kept === file) return undefined;
  const { name, contentType: content_type, content: note } = kept;
  const changed = { ...given, name, content_type, size: note.length, width: null, height: null };
  return { row: Buffer.from(JSON.stringify(changed)), content: note };
}

interface Place {
  pass: 'rows' | 'later';
  name: string;
  content: Buffer;
  /** The row of the file whose content is being read. */
  row: Buffer | undefined;
  number: number;
}

function putEntry(
  ctx: SiteContext,
  placing: Placing,
  { pass, name, content, row, number }: Place,
): Promise<void> {
  const [folder = ''] = name.split('/');
  const table = ARCHIVED.find(({ formerly }) => formerly?.name === folder)?.name ?? folder;
  return once(ctx, placing, number, async (tx) => {
    if (name === 'site.ndjson') {
      if (pass === 'later') await putSite(tx, placing, content);
    } else if (pass === 'later') {
      if (!name.endsWith('.file')) await putLater(tx, placing, table, content);
    } else if (!name.endsWith('.file')) await putRows(tx, placing, table, content);
    else if (row) await putRows(tx, placing, table, row, content);
  });
}
