import type { SynonymList } from '@foyer/protocol';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';

/**
 * What means the same to the customers of one site, and the version of its knowledge that this belongs to.
 * @throws AppError 404 for a site that there is not.
 */
export async function versionAndSynonyms(
  db: Db,
  siteId: number,
): Promise<{ version: number; synonyms: string[][] }> {
  return db
    .selectFrom('sites')
    .select(['knowledge_version as version', 'synonyms'])
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow(() => notFound('site'));
}

export async function getSynonyms(ctx: SiteContext): Promise<SynonymList> {
  return { groups: (await versionAndSynonyms(ctx.db, ctx.site.id)).synonyms };
}

/** Counts as a change of the knowledge, so that every node's index takes it in. */
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
