import { KNOWLEDGE_SOURCES_MAX, type KnowledgeSource, type ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { checkUrl } from '../../net/address-guard.ts';
import { lockKnowledge } from '../knowledge-version.ts';
import { pageUrl } from './crawl/addresses.ts';
import { queueReading } from './read-source.ts';
import { getSource } from './sources.ts';

/** @throws AppError 400 for an address that must not be called */
async function checkedUrl({ services }: SiteContext, address: string): Promise<URL> {
  const url = pageUrl(address);
  const problem = await checkUrl(address, services.webhooks);
  if (url && problem === null) return url;
  throw invalidInput([
    { path: 'url', message: problem ?? 'must be an http or https URL', reason: 'public_url' },
  ]);
}

/**
 * Adds a page, or the pages of a sitemap, to the bot's sources. They are read in the background.
 * @throws AppError 400 for an address that must not be called; 409 for one that is a source already, and when the site
 *   has KNOWLEDGE_SOURCES_MAX
 */
export async function createSource(
  ctx: SiteContext,
  { kind, url: address }: ParsedInputOf<'knowledge_sources.create'>,
): Promise<KnowledgeSource> {
  const url = await checkedUrl(ctx, address);
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const { rows: there } = await sql<{ address: string }>`
      select address from knowledge_sources where site_id = ${tx.site.id}`.execute(tx.db);
    if (there.length >= KNOWLEDGE_SOURCES_MAX)
      throw tooMany(
        KNOWLEDGE_SOURCES_MAX,
        `A site can have at most ${KNOWLEDGE_SOURCES_MAX} knowledge sources.`,
      );
    if (there.some((one) => one.address === url.href))
      throw new AppError('conflict', 'This address is already a source.', { reason: 'source_known' });
    const { id } = await tx.db
      .insertInto('knowledge_sources')
      .values({
        site_id: tx.site.id,
        kind,
        address: url.href,
        host: url.host,
        list_due: kind === 'sitemap',
        next_read_at: tx.now(),
        created_at: tx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (kind === 'page')
      await tx.db
        .insertInto('knowledge_documents')
        .values({
          site_id: tx.site.id,
          source_id: id,
          address: url.href,
          title: url.href,
          due: true,
          created_at: tx.now(),
        })
        .execute();
    await queueReading(tx, id);
    return getSource(tx, id);
  });
}

/**
 * Reads a page or all pages of a sitemap again as soon as possible.
 * @throws AppError 404; 409 for a file, which is uploaded again instead
 */
export function refreshSource(ctx: SiteContext, id: number): Promise<KnowledgeSource> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const { kind } = await getSource(tx, id);
    if (kind === 'file')
      throw new AppError('conflict', 'A file can’t be read again. Upload it again instead.', {
        reason: 'source_file',
      });
    await sql`
      update knowledge_sources set next_read_at = ${tx.now()}, list_due = ${kind === 'sitemap'}, failures = 0
      where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    await sql`
      update knowledge_documents set due = true where site_id = ${tx.site.id} and source_id = ${id}`.execute(
      tx.db,
    );
    await queueReading(tx, id);
    return getSource(tx, id);
  });
}
