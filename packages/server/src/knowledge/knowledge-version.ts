import { sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { lockSite } from '../sites/sites.ts';

/**
 * Locks the site's knowledge to the end of the transaction. All changes begin with this, so they happen one after the
 * other, and versions become visible in their order: an index that has read version 7 has missed nothing before it.
 */
export async function lockKnowledge(ctx: SiteContext): Promise<void> {
  await lockSite(ctx);
}

/** The version to write to changed records; it makes every node's index check again. */
export async function nextVersion(ctx: SiteContext): Promise<number> {
  const { knowledge_version } = await ctx.db
    .updateTable('sites')
    .set({ knowledge_version: sql`knowledge_version + 1` })
    .where('id', '=', ctx.site.id)
    .returning('knowledge_version')
    .executeTakeFirstOrThrow();
  return knowledge_version;
}

/** @throws AppError 404 for an unknown site. */
export async function knowledgeVersionOf(db: Db, siteId: number): Promise<number> {
  const site = await db
    .selectFrom('sites')
    .modifyFront(prepared)
    .select('knowledge_version')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow(() => notFound('site'));
  return site.knowledge_version;
}
