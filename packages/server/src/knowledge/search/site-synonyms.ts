import type { SynonymList } from '@foyer/protocol';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';

/**
 * The site's synonyms, with the version of its knowledge that they belong to.
 * @throws AppError 404 for an unknown site.
 */
export async function versionAndSynonyms(
  db: Db,
  siteId: number,
): Promise<{ version: number; synonyms: string[][] }> {
  return db
    .selectFrom('sites')
    .modifyFront(prepared)
    .select(['knowledge_version as version', 'synonyms'])
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow(() => notFound('site'));
}

/** Empty for a site that has defined none. */
export async function getSynonyms(ctx: SiteContext): Promise<SynonymList> {
  return { groups: (await versionAndSynonyms(ctx.db, ctx.site.id)).synonyms };
}

/** Replaces all groups. Counts as a change of the knowledge, so that every process rebuilds its index. */
export function updateSynonyms(ctx: SiteContext, { groups }: SynonymList): Promise<SynonymList> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    await tx.db
      .updateTable('sites')
      .set({ synonyms: JSON.stringify(groups) })
      .where('id', '=', tx.site.id)
      .execute();
    await nextVersion(tx);
    return getSynonyms(tx);
  });
}
