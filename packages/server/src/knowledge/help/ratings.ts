import { createHash } from 'node:crypto';
import type { OpenedArticle, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { findBlock } from '../../sites/blocks/find-block.ts';
import { ownVisitor } from '../../visitors/identity/own-visitor.ts';
import { getHelpArticle } from './help.ts';

/** Zeros for an article without ratings, and for another site's. */
export async function ratingsOf(
  { db, site }: SiteContext,
  articleId: number,
): Promise<OpenedArticle['ratings']> {
  const row = await db
    .selectFrom('article_ratings')
    .select(['helpful', 'unhelpful'])
    .where('site_id', '=', site.id)
    .where('article_id', '=', articleId)
    .executeTakeFirst();
  return row ?? { helpful: 0, unhelpful: 0 };
}

/**
 * Counts whether an article helped: one vote per voter, of whom only a hash is stored; the last vote counts. Votes from
 * blocked addresses don't count.
 * @throws AppError 404 for an unpublished article.
 */
export async function rateArticle(
  ctx: SiteContext,
  { slug, helpful, voter }: { slug: string; helpful: boolean; voter: string },
): Promise<void> {
  const { id } = await getHelpArticle(ctx, { slug });
  if (await findBlock(ctx)) return;
  const mark = createHash('sha256').update(`${ctx.site.id}:${id}:${voter}`).digest();
  await ctx.transaction(async (tx) => {
    const { db, site } = tx;
    // The row lock serialises votes of one article, so that none is counted or removed twice.
    await sql`insert into article_ratings (site_id, article_id) values (${site.id}, ${id}) on conflict do nothing`.execute(
      db,
    );
    await sql`select from article_ratings where site_id = ${site.id} and article_id = ${id} for update`.execute(
      db,
    );
    const before = await db
      .selectFrom('article_votes')
      .select('helpful')
      .where('site_id', '=', site.id)
      .where('article_id', '=', id)
      .where('voter', '=', mark)
      .executeTakeFirst();
    if (before?.helpful === helpful) return;
    await sql`
      insert into article_votes (site_id, article_id, voter, helpful, voted_at)
      values (${site.id}, ${id}, ${mark}, ${helpful}, ${tx.now()})
      on conflict (site_id, article_id, voter) do update set helpful = excluded.helpful, voted_at = excluded.voted_at`.execute(
      db,
    );
    const [more, fewer] = helpful
      ? ([sql.ref('helpful'), sql.ref('unhelpful')] as const)
      : ([sql.ref('unhelpful'), sql.ref('helpful')] as const);
    await sql`
      update article_ratings set ${more} = ${more} + 1, ${fewer} = ${fewer} - ${before ? 1 : 0}
      where site_id = ${site.id} and article_id = ${id}`.execute(db);
  });
}

/** @throws AppError 404 for an unpublished article. */
export async function rateAsVisitor(
  ctx: SiteContext,
  { slug, helpful }: ParsedInputOf<'help.rate'>,
): Promise<{ done: true }> {
  const { actor } = ctx;
  if (actor.kind !== 'visitor') throw new AppError('unauthorized', 'Only visitors can vote.');
  await ctx.transaction(async (tx) => {
    const visitorId = actor.guest ? (await ownVisitor(tx, actor)).id : actor.visitorId;
    await rateArticle(tx, { slug, helpful, voter: `visitor:${visitorId}` });
  });
  return { done: true };
}
