import { KNOWLEDGE_SOURCES_MAX, type KnowledgeSource } from '@foyer/protocol';
import { sql } from 'kysely';
import { refuseMalware } from '../../attachments/scan.ts';
import { AppError, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { cleanFileName } from '../../files/file-name.ts';
import { audited } from '../../sites/audit/audited.ts';
import { lockKnowledge } from '../knowledge-version.ts';
import { fileKindOf } from './file-kind.ts';
import { getSource } from './sources.ts';

interface UploadedFile {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Adds a file to the bot's sources, or replaces the one with this name. Its text is read in the background; until then
 * the bot answers from the former text. The same upload again only reads it again.
 * @throws AppError 415 for anything but PDF and Word files; 400 and 503 as `refuseMalware`; 409 when the site has
 *   KNOWLEDGE_SOURCES_MAX already
 */
export async function keepFile(ctx: SiteContext, { name, content }: UploadedFile): Promise<KnowledgeSource> {
  const address = cleanFileName(name);
  if (fileKindOf(content) === undefined)
    throw new AppError('unsupported_media_type', 'Only PDF and Word (.docx) files can be read.', {
      reason: 'source_type',
    });
  await refuseMalware(ctx, [{ name: address, content }]);
  return audited(ctx, { subject: 'knowledge_source', action: 'knowledge_sources.upload' }, async (tx) => {
    await lockKnowledge(tx);
    const sourceId = await sourceOfFile(tx, address);
    const documentId = await documentOfFile(tx, sourceId, address);
    await sql`
      insert into knowledge_files (site_id, document_id, content) values (${tx.site.id}, ${documentId}, ${content})
      on conflict (site_id, document_id) do update set content = excluded.content`.execute(tx.db);
    await tx.enqueue(
      'knowledge.read_file',
      { document_id: documentId },
      { key: `${tx.site.id}:${documentId}` },
    );
    return getSource(tx, sourceId);
  });
}

/** The source with this name, which is created if there is none. The caller has locked the site's knowledge. */
async function sourceOfFile(tx: SiteContext, address: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into knowledge_sources (site_id, kind, address, created_at)
    select ${tx.site.id}, 'file', ${address}, ${tx.now()}
    where (select count(*) from knowledge_sources where site_id = ${tx.site.id}) < ${KNOWLEDGE_SOURCES_MAX}
      or exists (select from knowledge_sources where site_id = ${tx.site.id} and kind = 'file' and address = ${address})
    on conflict (site_id, kind, address) do update set address = excluded.address
    returning id`.execute(tx.db);
  const [row] = rows;
  if (!row)
    throw tooMany(
      KNOWLEDGE_SOURCES_MAX,
      `A site can have at most ${KNOWLEDGE_SOURCES_MAX} knowledge sources.`,
    );
  return row.id;
}

/** The document of the source, which waits to be read. */
async function documentOfFile(tx: SiteContext, sourceId: number, address: string): Promise<number> {
  const { rows: known } = await sql<{ id: number }>`
    update knowledge_documents set state = 'waiting', problem = null, revision = revision + 1, attempts = 0
    where site_id = ${tx.site.id} and source_id = ${sourceId} returning id`.execute(tx.db);
  if (known[0]) return known[0].id;
  const { id } = await tx.db
    .insertInto('knowledge_documents')
    .values({ site_id: tx.site.id, source_id: sourceId, address, title: address, created_at: tx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
