import type { Gap, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { decodeCursor, type Page, pageOf } from '../../db/keyset.ts';
import { GAP_EXAMPLES } from './grouping.ts';

interface GapRow {
  id: number;
  question: string;
  asked: number;
  last_asked_at: Date;
  dismissed_at: Date | null;
  solved_at: Date | null;
  solved_article_id: number | null;
  article_title: string | null;
}

const presentGap = (row: GapRow): Gap => ({
  id: row.id,
  question: row.question,
  asked: row.asked,
  last_asked_utc: row.last_asked_at.toISOString(),
  state: row.solved_at ? 'solved' : row.dismissed_at ? 'dismissed' : 'open',
  article:
    row.solved_article_id === null ? null : { id: row.solved_article_id, title: row.article_title ?? '' },
});

/** Conditions exactly as in the table's partial indexes. */
const STATES = {
  open: sql`g.dismissed_at is null and g.solved_at is null`,
  dismissed: sql`g.dismissed_at is not null and g.solved_at is null`,
  solved: sql`g.solved_at is not null`,
} as const;

const gapColumns = sql`g.id, g.question, g.asked, g.last_asked_at, g.dismissed_at, g.solved_at, g.solved_article_id`;

/** The most frequently asked first. */
export async function listGaps(
  { db, site }: SiteContext,
  { state, limit, cursor, order }: ParsedInputOf<'gaps.list'>,
): Promise<Page<Gap>> {
  const [asked, id] = decodeCursor(cursor, 2) ?? [];
  const beyond =
    asked === undefined || id === undefined
      ? sql`true`
      : order === 'asc'
        ? sql`(g.asked, g.id) > (${asked}::bigint, ${id}::bigint)`
        : sql`(g.asked, g.id) < (${asked}::bigint, ${id}::bigint)`;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<GapRow>`
    select ${gapColumns}, a.title as article_title
    from unanswered_questions g left join articles a on a.site_id = g.site_id and a.id = g.solved_article_id
    where g.site_id = ${site.id} and ${STATES[state]} and ${beyond}
    order by g.asked ${direction}, g.id ${direction} limit ${limit + 1}`.execute(db);
  return pageOf(rows, limit, (row) => [row.asked, row.id], presentGap);
}

/** @throws AppError 404, also for another site's. */
async function presentedGap({ db, site }: SiteContext, id: number): Promise<Gap> {
  const { rows } = await sql<GapRow>`
    select ${gapColumns}, a.title as article_title
    from unanswered_questions g left join articles a on a.site_id = g.site_id and a.id = g.solved_article_id
    where g.site_id = ${site.id} and g.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound('gap');
  return presentGap(row);
}

interface ExampleRow {
  session_id: string;
  seq: number;
  question: string;
  visitor_name: string | null;
  asked_at: Date;
}

/** A gap with its newest questions. @throws AppError 404 */
export async function getGap(ctx: SiteContext, id: number): Promise<OutputOf<'gaps.get'>> {
  const found = await presentedGap(ctx, id);
  const { rows } = await sql<ExampleRow>`
    select c.session_id, q.seq, q.question, v.name as visitor_name, q.asked_at
    from unanswered_question_messages q
    join conversations c on c.site_id = q.site_id and c.id = q.conversation_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    where q.site_id = ${ctx.site.id} and q.question_id = ${id} and c.spam_at is null
    order by q.id desc limit ${GAP_EXAMPLES}`.execute(ctx.db);
  const examples = rows.map(({ asked_at, ...example }) => ({
    ...example,
    asked_utc: asked_at.toISOString(),
  }));
  return { ...found, examples };
}

async function setGap(
  ctx: SiteContext,
  id: number,
  state: {
    dismissed_at: Date | null;
    dismissed_by: number | null;
    solved_at?: null;
    solved_article_id?: null;
  },
): Promise<Gap> {
  await ctx.db
    .updateTable('unanswered_questions')
    .set(state)
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .execute();
  return presentedGap(ctx, id);
}

/** Hides a gap from the list; its questions are still counted. @throws AppError 404 */
export const dismissGap = (ctx: SiteContext, id: number): Promise<Gap> =>
  setGap(ctx, id, { dismissed_at: ctx.now(), dismissed_by: agentActor(ctx).agentId });

/** Lists a dismissed or solved gap again. @throws AppError 404, also for another site's. */
export const reopenGap = (ctx: SiteContext, id: number): Promise<Gap> =>
  setGap(ctx, id, { dismissed_at: null, dismissed_by: null, solved_at: null, solved_article_id: null });
