import {
  KNOWLEDGE_CHARS_MAX,
  type KnowledgeDocument,
  type OutputOf,
  type ParsedInputOf,
  type Source,
} from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { idPage, type Page } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { getSource } from './sources.ts';

const documents = new SiteRecords('knowledge_documents', 'document');

const COLUMNS = [
  ...(['id', 'source_id', 'address', 'url', 'title', 'state', 'problem', 'is_cut', 'bytes'] as const),
  ...(['passages', 'uses', 'last_used_at', 'read_at'] as const),
] as const;

type Row = Pick<Selectable<Tables['knowledge_documents']>, (typeof COLUMNS)[number]>;

const present = (row: Row): KnowledgeDocument => ({
  id: row.id,
  source_id: row.source_id,
  address: row.address,
  url: row.url,
  title: row.title,
  state: row.state,
  problem: row.problem,
  is_cut: row.is_cut,
  bytes: row.bytes,
  passages: row.passages,
  uses: row.uses,
  last_used_utc: row.last_used_at?.toISOString() ?? null,
  read_utc: row.read_at?.toISOString() ?? null,
});

/** The documents of a source. @throws AppError 404 */
export async function listDocuments(
  ctx: SiteContext,
  { source_id, ...paging }: ParsedInputOf<'knowledge_documents.list'>,
): Promise<Page<KnowledgeDocument>> {
  await getSource(ctx, source_id);
  const query = ctx.db
    .selectFrom('knowledge_documents')
    .select([...COLUMNS])
    .where('site_id', '=', ctx.site.id)
    .where('source_id', '=', source_id);
  return idPage(query, paging, present);
}

/** With its text. @throws AppError 404 */
export async function getDocument(
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'knowledge_documents.get'>> {
  const row = await documents.get(ctx, id);
  return { ...present(row), body: row.body };
}

/** Counts an answer in a chat for each document that it is based on. */
export async function countUses(ctx: SiteContext, sources: readonly Source[]): Promise<void> {
  const ids = sources.flatMap((source) => ('document_id' in source ? [source.document_id] : []));
  if (ids.length === 0) return;
  await sql`
    update knowledge_documents set uses = uses + 1, last_used_at = ${ctx.now()}
    where site_id = ${ctx.site.id} and id = any (${ids}::bigint[])`.execute(ctx.db);
}

/** Whether the site has room for a text of this document. The caller has locked the site's knowledge. */
export async function hasRoomFor({ db, site }: SiteContext, id: number, body: string): Promise<boolean> {
  const { rows } = await sql<{ chars: number }>`
    select coalesce(sum(chars), 0)::bigint as chars from knowledge_documents
    where site_id = ${site.id} and id <> ${id}`.execute(db);
  return (rows[0]?.chars ?? 0) + body.length <= KNOWLEDGE_CHARS_MAX;
}
