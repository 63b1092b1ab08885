import { type ParsedInputOf, QUESTION_SETS_MAX, type QuestionSet } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, isUniqueViolation, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { lockSite } from '../../sites/sites.ts';

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
  const row = await setRows(ctx).where('s.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('question set');
  return presentSet(row);
}

/** Makes all that counts or runs a set's questions wait for each other. @throws AppError 404 */
export async function lockQuestionSet({ db, site }: SiteContext, id: number): Promise<void> {
  const row = await db
    .selectFrom('question_sets')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('question set');
}

async function refuseTwins<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'question_sets_name')) throw error;
    throw new AppError('conflict', `There is a set named ${JSON.stringify(name)} already.`, {
      reason: 'name_taken',
      values: { name },
    });
  }
}

/** @throws AppError 409 for a name that there is, and beyond QUESTION_SETS_MAX. */
export function createQuestionSet(ctx: SiteContext, name: string): Promise<QuestionSet> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    if ((await listQuestionSets(tx)).length >= QUESTION_SETS_MAX)
      throw new AppError('conflict', `A site has at most ${QUESTION_SETS_MAX} sets of questions.`, {
        reason: 'too_many',
        values: { count: QUESTION_SETS_MAX },
      });
    const made = await refuseTwins(name, () =>
      tx.db
        .insertInto('question_sets')
        .values({ site_id: tx.site.id, name, created_at: tx.now() })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return getQuestionSet(tx, made.id);
  });
}

/** @throws AppError 404, and 409 for a name that there is. */
export async function renameQuestionSet(
  ctx: SiteContext,
  { id, name }: ParsedInputOf<'question_sets.update'>,
): Promise<QuestionSet> {
  await refuseTwins(name, () =>
    ctx.db
      .updateTable('question_sets')
      .set({ name })
      .where('site_id', '=', ctx.site.id)
      .where('id', '=', id)
      .execute(),
  );
  return getQuestionSet(ctx, id);
}

/** With its questions and evaluations. @throws AppError 404, also for another site's. */
export async function deleteQuestionSet(
  { db, site }: SiteContext,
  id: number,
): Promise<{ id: number; deleted: true }> {
  const gone = await db
    .deleteFrom('question_sets')
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw notFound('question set');
  return { id, deleted: true };
}
