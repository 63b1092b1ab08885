import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { splitArticle } from '../search/passages.ts';
import { hasRoomFor } from './documents.ts';
import { extractFile } from './extract/extract-file.ts';
import type { Extracted } from './extract/extracted.ts';

/** A file is skipped after the process died this often while reading it. */
const ATTEMPTS_MAX = 3;

interface Begun {
  readonly address: string;
  readonly revision: number;
  readonly attempts: number;
  readonly content: Buffer | null;
}

/** Undefined for a document that was read already, or was deleted. */
async function beginReading({ db, site }: SiteContext, id: number): Promise<Begun | undefined> {
  const { rows } = await sql<Begun>`
    with begun as (
      update knowledge_documents set state = 'reading', attempts = attempts + 1
      where site_id = ${site.id} and id = ${id} and state in ('waiting', 'reading')
      returning address, revision, attempts)
    select b.*, f.content from begun b
    left join knowledge_files f on f.site_id = ${site.id} and f.document_id = ${id}`.execute(db);
  return rows[0];
}

function extract({ attempts, content }: Begun): Promise<Extracted> | Extracted {
  if (attempts > ATTEMPTS_MAX) return { problem: 'too_complex' };
  return content === null ? { problem: 'file_gone' } : extractFile(content);
}

/** The name without its extension: what people call the file. */
const titleOf = (name: string): string => name.replace(/\.[A-Za-z]{1,5}$/, '').replaceAll('_', ' ') || name;

/** How many passages a text has for the search index. */
export const passagesIn = (title: string, body: string): number =>
  splitArticle({ id: 0, title, body }).filter(({ text }) => text !== '').length;

/** Stores the text, unless a newer file was uploaded meanwhile. */
async function storeText(tx: SiteContext, id: number, begun: Begun, extracted: Extracted): Promise<void> {
  await lockKnowledge(tx);
  await sql`
    update knowledge_documents set ${await changeOf(tx, id, begun, extracted)}
    where site_id = ${tx.site.id} and id = ${id} and revision = ${begun.revision} and state = 'reading'`.execute(
    tx.db,
  );
  await sql`
    delete from knowledge_files f using knowledge_documents d
    where f.site_id = ${tx.site.id} and f.document_id = ${id} and d.site_id = f.site_id and d.id = f.document_id
      and d.revision = ${begun.revision}`.execute(tx.db);
}

async function changeOf(tx: SiteContext, id: number, begun: Begun, extracted: Extracted) {
  if ('problem' in extracted) return sql`state = 'failed', problem = ${extracted.problem}`;
  const { body, isCut } = extracted;
  if (!(await hasRoomFor(tx, id, body))) return sql`state = 'failed', problem = 'site_full'`;
  const title = extracted.title ?? titleOf(begun.address);
  return sql`state = 'ready', problem = null, title = ${title}, body = ${body}, chars = ${body.length},
    is_cut = ${isCut}, bytes = ${begun.content?.length ?? 0}, passages = ${passagesIn(title, body)},
    version = ${await nextVersion(tx)}, read_at = ${tx.now()}`;
}

/** Reads an uploaded file. Safe to run twice: the second run finds nothing to do, or stores the same text. */
export async function readFile(ctx: SiteContext, id: number): Promise<void> {
  const begun = await beginReading(ctx, id);
  if (!begun) return;
  const extracted = await extract(begun);
  await ctx.transaction((tx) => storeText(tx, id, begun, extracted));
}
