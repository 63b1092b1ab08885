import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { getSite } from '../../sites/sites.ts';
import { answererOf } from '../answer/site-answers.ts';
import { GAPS_MAX } from './grouping.ts';

/** How long an article may be published before the gaps that it closes are gone. */
const CHECK_EVERY_MS = 5_000;
const SLICE_GAPS = 25;

/** Asks a site's open gaps again after its knowledge has changed; those that are answered now are solved. */
async function checkGaps(ctx: SiteContext): Promise<void> {
  const { knowledge_version: version } = await getSite(ctx.db, ctx.site.id);
  const gaps = await ctx.db
    .selectFrom('unanswered_questions')
    .select(['id', 'question', 'asked'])
    .where('site_id', '=', ctx.site.id)
    .where('dismissed_at', 'is', null)
    .where('solved_at', 'is', null)
    .limit(GAPS_MAX)
    .execute();
  const answer = gaps.length > 0 ? await answererOf(ctx) : undefined;
  for (const [at, { id, question, asked }] of gaps.entries()) {
    if (at % SLICE_GAPS === SLICE_GAPS - 1) await breathe();
    const decision = await answer?.(question);
    const [source] = decision?.kind === 'answer' ? decision.sources : [];
    if (source) await solve(ctx, id, asked, source.article_id);
  }
  await ctx.db
    .updateTable('sites')
    .set({
      unanswered_questions_checked_version: sql`greatest(unanswered_questions_checked_version, ${version}::bigint)`,
    })
    .where('id', '=', ctx.site.id)
    .execute();
}

/** Unless it was asked again meanwhile without an answer; the article may have been deleted. */
async function solve(ctx: SiteContext, id: number, asked: number, articleId: number): Promise<void> {
  await sql`
    update unanswered_questions set solved_at = ${ctx.now()}, solved_article_id = (
      select id from articles where site_id = ${ctx.site.id} and id = ${articleId}
    )
    where site_id = ${ctx.site.id} and id = ${id} and asked = ${asked} and dismissed_at is null`.execute(
    ctx.db,
  );
}

export const gapClock: readonly RecurringJob[] = [
  {
    name: 'gaps.check',
    everyMs: CHECK_EVERY_MS,
    due: ({ limit }) => sql`
      select id as "siteId", id from sites where unanswered_questions_checked_version < knowledge_version
      order by id limit ${limit}`,
    run: (ctx) => checkGaps(ctx),
  },
];
