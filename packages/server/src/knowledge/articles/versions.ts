import { ARTICLE_VERSIONS_MAX, type ArticleCause } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

/**
 * Stores the current versions of articles, in the transaction that changed them; of each only the newest
 * ARTICLE_VERSIONS_MAX are kept. Under the lock of the knowledge, so that numbers are consecutive.
 */
export async function noteVersions(
  tx: SiteContext,
  articleIds: readonly number[],
  cause: ArticleCause,
): Promise<void> {
  const { actor, site } = tx;
  const agentId = actor.kind === 'agent' ? actor.agentId : null;
  const tokenId = actor.kind === 'token' ? actor.tokenId : null;
  const { rows } = await sql<{ article_id: number; number: number }>`
    insert into article_versions
      (site_id, article_id, number, title, category, status, body, cause, agent_id, token_id, created_at)
    select a.site_id, a.id, coalesce(last.number, 0) + 1, a.title, c.name, a.status, a.body, ${cause}, ${agentId}, ${tokenId}, ${tx.now()}
    from articles a
    left join categories c on c.site_id = a.site_id and c.id = a.category_id
    left join lateral (
      select v.number from article_versions v where v.site_id = a.site_id and v.article_id = a.id
      order by v.number desc limit 1
    ) last on true
    where a.site_id = ${site.id} and a.id = any (${articleIds}::bigint[])
    returning article_id, number`.execute(tx.db);
  const full = rows.filter(({ number }) => number > ARTICLE_VERSIONS_MAX);
  if (full.length === 0) return;
  await sql`
    delete from article_versions v
    using unnest(${full.map((row) => row.article_id)}::bigint[], ${full.map((row) => row.number)}::int[]) as f (id, number)
    where v.site_id = ${site.id} and v.article_id = f.id and v.number <= f.number - ${ARTICLE_VERSIONS_MAX}`.execute(
    tx.db,
  );
}
