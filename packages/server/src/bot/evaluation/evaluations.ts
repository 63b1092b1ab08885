import { setImmediate as breathe } from 'node:timers/promises';
import { EVALUATIONS_KEPT, type Evaluation, type EvaluationTally, type OutputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite } from '../../sites/sites.ts';
import { addToTally, emptyTally, judge, type Verdict } from './evaluation.ts';
import { expectationReader, readQuestionFile } from './question-file.ts';
import { getQuestionSet, lockQuestionSet } from './question-sets.ts';
import { type Ask, rehearsal } from './rehearsal.ts';
import { namedArticles, type QuestionRow, questionsAfter } from './set-questions.ts';

/** Questions that are asked and stored together; between two slices other work of the process gets its turn. */
const SLICE_QUESTIONS = 25;
/** A job hands over to the next of its kind long before the queue would consider it hung (jobs/queue.ts). */
const TURN_MS = 20_000;

interface EvaluationRow {
  id: number;
  set_id: number;
  total: number;
  done: number;
  tally: EvaluationTally;
  agent_id: number | null;
  agent_name: string | null;
  created_at: Date;
  finished_at: Date | null;
  cancelled_at: Date | null;
}

const presentEvaluation = (row: EvaluationRow): Evaluation => ({
  id: row.id,
  set_id: row.set_id,
  total: row.total,
  done: row.done,
  tally: row.tally,
  agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent_name ?? '' },
  created_utc: row.created_at.toISOString(),
  finished_utc: row.finished_at?.toISOString() ?? null,
  cancelled_utc: row.cancelled_at?.toISOString() ?? null,
});

const evaluationRows = ({ db, site }: SiteContext) =>
  db
    .selectFrom('evaluations as e')
    .leftJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'e.site_id').onRef('a.id', '=', 'e.agent_id'),
    )
    .where('e.site_id', '=', site.id)
    .select([
      'e.id',
      'e.set_id',
      'e.total',
      'e.done',
      'e.tally',
      'e.agent_id',
      'a.name as agent_name',
      'e.created_at',
      'e.finished_at',
      'e.cancelled_at',
    ]);

/** @throws AppError 404, also for another site's. */
export async function getEvaluation(ctx: SiteContext, id: number): Promise<Evaluation> {
  const row = await evaluationRows(ctx)
    .where('e.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('evaluation'));
  return presentEvaluation(row);
}

/** Of a set, newest first. @throws AppError 404 */
export async function listEvaluations(ctx: SiteContext, setId: number): Promise<Evaluation[]> {
  await getQuestionSet(ctx, setId);
  const rows = await evaluationRows(ctx)
    .where('e.set_id', '=', setId)
    .orderBy('e.id', 'desc')
    .limit(EVALUATIONS_KEPT)
    .execute();
  return rows.map(presentEvaluation);
}

/**
 * Asks the bot every question of a set, in the background. Of earlier evaluations the newest are kept.
 * @throws AppError 404 and 409 while one of this set is under way.
 */
export function startEvaluation(ctx: SiteContext, setId: number): Promise<Evaluation> {
  return ctx.transaction(async (tx) => {
    await lockQuestionSet(tx, setId);
    const [newest] = await listEvaluations(tx, setId);
    if (newest && newest.finished_utc === null && newest.cancelled_utc === null)
      throw new AppError('conflict', 'This question set is already being evaluated.', {
        reason: 'evaluation_under_way',
      });
    const { rows } = await sql<{ total: number }>`
      select count(*)::integer as total from set_questions where site_id = ${tx.site.id} and set_id = ${setId}`.execute(
      tx.db,
    );
    const total = rows[0]?.total ?? 0;
    const { knowledge_version } = await getSite(tx.db, tx.site.id);
    const { id } = await tx.db
      .insertInto('evaluations')
      .values({
        site_id: tx.site.id,
        set_id: setId,
        agent_id: tx.actor.kind === 'agent' ? tx.actor.agentId : null,
        knowledge_version,
        total,
        tally: JSON.stringify(emptyTally()),
        created_at: tx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await dropOldest(tx, setId);
    await tx.enqueue('bot.evaluate', { evaluation_id: id }, { key: `${tx.site.id}:${id}` });
    return getEvaluation(tx, id);
  });
}

async function dropOldest({ db, site }: SiteContext, setId: number): Promise<void> {
  await sql`
    delete from evaluations where site_id = ${site.id} and id in (
      select id from evaluations where site_id = ${site.id} and set_id = ${setId}
      order by id desc offset ${EVALUATIONS_KEPT}
    )`.execute(db);
}

/** Stops an evaluation; the results so far are kept. One that has ended stays unchanged. @throws AppError 404 */
export async function cancelEvaluation(ctx: SiteContext, id: number): Promise<Evaluation> {
  await ctx.db
    .updateTable('evaluations')
    .set({ cancelled_at: ctx.now() })
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .execute();
  return getEvaluation(ctx, id);
}

interface Progress {
  setId: number;
  done: number;
  lastQuestionId: number;
  tally: EvaluationTally;
}

/** The progress of an evaluation; undefined when it has ended or was deleted. */
async function findProgress(
  { db, site }: SiteContext,
  id: number,
  lock: RawBuilder<unknown> = sql``,
): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
    select e.set_id as "setId", e.done, e.tally, coalesce((
      select max(r.question_id) from evaluation_results r where r.site_id = e.site_id and r.evaluation_id = e.id
    ), 0) as "lastQuestionId"
    from evaluations e
    where e.site_id = ${site.id} and e.id = ${id} and e.finished_at is null and e.cancelled_at is null
    ${lock}`.execute(db);
  return rows[0];
}

/**
 * Asks the questions in slices and stores the progress with each: a crash loses one slice, and a cancelled evaluation
 * ends with the current one.
 */
export async function runEvaluation(ctx: SiteContext, id: number, turnMs = TURN_MS): Promise<void> {
  const end = performance.now() + turnMs;
  const begun = await evaluationRows(ctx).where('e.id', '=', id).executeTakeFirst();
  if (!begun) return;
  for (;;) {
    // Office hours as of its beginning, so that all questions are asked at the same moment.
    const ask = await rehearsal(ctx, begun.created_at);
    if (!(await runSlice(ctx, id, ask))) return;
    await breathe();
    if (performance.now() > end)
      return ctx.enqueue('bot.evaluate', { evaluation_id: id }, { key: `${ctx.site.id}:${id}` });
  }
}

/**
 * Asks outside of the transaction: with vectors, each question waits for a provider.
 * @returns whether there may be more to ask.
 */
async function runSlice(ctx: SiteContext, id: number, ask: Ask): Promise<boolean> {
  const progress = await findProgress(ctx, id);
  if (!progress) return false;
  const questions = await questionsAfter(ctx, progress.setId, progress.lastQuestionId, SLICE_QUESTIONS);
  const results = await Promise.all(
    questions.map(async (row) => ({ row, verdict: judge(expectedOf(row), await ask(row.question)) })),
  );
  return ctx.transaction((tx) => storeSlice(tx, id, progress, results));
}

async function storeSlice(
  tx: SiteContext,
  id: number,
  from: Progress,
  results: readonly SliceResult[],
): Promise<boolean> {
  const progress = await findProgress(tx, id, sql`for no key update of e`);
  if (!progress) return false;
  // Another worker asked the same questions meanwhile: its results count.
  if (progress.done !== from.done) return true;
  for (const { row, verdict } of results) addToTally(progress.tally, row.expects, verdict.outcome);
  if (results.length > 0) await storeResults(tx, id, progress.done, results);
  const isLast = results.length < SLICE_QUESTIONS;
  const done = progress.done + results.length;
  await tx.db
    .updateTable('evaluations')
    .set({
      done,
      tally: JSON.stringify(progress.tally),
      // Questions may have been added or deleted since it began.
      ...(isLast ? { finished_at: tx.now(), total: done } : {}),
    })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  return !isLast;
}

interface SliceResult {
  readonly row: QuestionRow;
  readonly verdict: Verdict;
}

const expectedOf = ({ question, expects, article_id }: QuestionRow) => ({
  question,
  expects,
  articleId: article_id,
});

async function storeResults(
  { db, site }: SiteContext,
  evaluationId: number,
  done: number,
  results: readonly SliceResult[],
): Promise<void> {
  await db
    .insertInto('evaluation_results')
    .values(
      results.map(({ row, verdict }, at) => ({
        site_id: site.id,
        evaluation_id: evaluationId,
        position: done + at + 1,
        question_id: row.id,
        question: row.question,
        expects: row.expects,
        expected_title: row.article_title,
        outcome: verdict.outcome,
        kind: verdict.kind,
        answer: verdict.answer,
        article_id: verdict.article?.id ?? null,
        article_title: verdict.article?.title ?? null,
        confidence: verdict.confidence,
      })),
    )
    .execute();
}

/** Asks the questions of a file at once and stores nothing; lines that it can't read are reported. */
export async function tryQuestions(ctx: SiteContext, text: string): Promise<OutputOf<'evaluations.try'>> {
  const { questions, failed } = readQuestionFile(text);
  const articles = await namedArticles(ctx);
  const [meaning, ask] = [expectationReader(articles), await rehearsal(ctx, ctx.now())];
  const titles = new Map(articles.map(({ id, title }) => [id, title]));
  const tally = emptyTally();
  const results: OutputOf<'evaluations.try'>['results'] = [];
  for (const [at, { line, question, expected }] of questions.entries()) {
    if (at % SLICE_QUESTIONS === 0) await breathe();
    const meant = meaning(expected);
    if (!meant) {
      failed.push({
        line,
        message: `expects ${JSON.stringify(expected.slice(0, 100))}, which isn’t an article of this site`,
      });
      continue;
    }
    const verdict = judge({ question, ...meant }, await ask(question));
    addToTally(tally, meant.expects, verdict.outcome);
    const expected_title = meant.articleId === null ? null : (titles.get(meant.articleId) ?? null);
    results.push({ question, expects: meant.expects, expected_title, ...verdict });
  }
  failed.sort((a, b) => a.line - b.line);
  return { tally, results, failed };
}
