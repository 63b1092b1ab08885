import { type OutputOf, type ParsedInputOf, QUESTION_SETS_MAX, type QuestionSet } from '@foyer/protocol';
import { sql } from 'kysely';
import { nameTaken, notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { lockSite } from '../../sites/sites.ts';

const sets = new SiteRecords('question_sets', 'question set', {
  conflict: (name) => nameTaken('set', name),
});

interface SetRow {
  id: number;
  name: string;
  question_count: number;
  created_at: Date;
}

const presentSet = (row: SetRow): QuestionSet => ({
  id: row.id,
  name: row.name,
  question_count: row.question_count,
  created_utc: row.created_at.toISOString(),
});

const setRows = ({ db, site }: SiteContext) =>
  db
    .selectFrom('question_sets as s')
    .where('s.site_id', '=', site.id)
    .select([
      's.id',
      's.name',
      's.created_at',
      sql<number>`(
        select count(*)::integer from set_questions q where q.site_id = s.site_id and q.set_id = s.id
      )`.as('question_count'),
    ]);

/** All sets of the site, oldest first. */
export async function listQuestionSets(ctx: SiteContext): Promise<QuestionSet[]> {
  const rows = await setRows(ctx).orderBy('s.id').limit(QUESTION_SETS_MAX).execute();
  return rows.map(presentSet);
}

/** @throws AppError 404, also for another site's. */
export async function getQuestionSet(ctx: SiteContext, id: number): Promise<QuestionSet> {
  return presentSet(
    await setRows(ctx)
      .where('s.id', '=', id)
      .executeTakeFirstOrThrow(() => notFound('question set')),
  );
}

/** Serialises everything that counts or runs a set's questions. @throws AppError 404 */
export async function lockQuestionSet(tx: SiteContext, id: number): Promise<void> {
  await sets.lock(tx, id);
}

/** @throws AppError 409 for a name that is taken, and beyond QUESTION_SETS_MAX. */
export function createQuestionSet(ctx: SiteContext, name: string): Promise<QuestionSet> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    if ((await listQuestionSets(tx)).length >= QUESTION_SETS_MAX)
      throw tooMany(QUESTION_SETS_MAX, `A site can have at most ${QUESTION_SETS_MAX} question sets.`);
    const { id } = await sets.insert(tx, { name, created_at: tx.now() });
    return getQuestionSet(tx, id);
  });
}

/** @throws AppError 404, and 409 for a name that is taken. */
export async function renameQuestionSet(
  ctx: SiteContext,
  { id, name }: ParsedInputOf<'question_sets.update'>,
): Promise<QuestionSet> {
  await sets.update(ctx, id, { name });
  return getQuestionSet(ctx, id);
}

/** With its questions and evaluations. @throws AppError 404, also for another site's. */
export const deleteQuestionSet = (ctx: SiteContext, id: number): Promise<OutputOf<'question_sets.delete'>> =>
  sets.delete(ctx, id);
