import type { EvaluationResult, ParsedInputOf } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, type Page, pageOf } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { getEvaluation } from './evaluations.ts';

type ResultRow = Selectable<Tables['evaluation_results']>;
type VerdictRow = Pick<
  ResultRow,
  'outcome' | 'kind' | 'answer' | 'article_id' | 'article_title' | 'confidence'
>;
type ComparedRow = ResultRow & { before: VerdictRow | null };

const presentVerdict = (row: VerdictRow) => ({
  outcome: row.outcome,
  kind: row.kind,
  answer: row.answer,
  article: row.article_id === null ? null : { id: row.article_id, title: row.article_title ?? '' },
  confidence: row.confidence,
});

const presentResult = (row: ComparedRow): EvaluationResult => ({
  position: row.position,
  question_id: row.question_id,
  question: row.question,
  expects: row.expects,
  expected_title: row.expected_title,
  ...presentVerdict(row),
  before: row.before && presentVerdict(row.before),
});

/**
 * The answer to each question, in the order of the set; with `compare_id`, also the answer of that evaluation to the
 * same question. A question whose text was changed since counts as another one.
 * @throws AppError 404, and 400 for an evaluation of another set.
 */
export async function listResults(
  ctx: SiteContext,
  input: ParsedInputOf<'evaluation_results.list'>,
): Promise<Page<EvaluationResult>> {
  const { evaluation_id, compare_id, only, limit, cursor, order } = input;
  const { set_id } = await getEvaluation(ctx, evaluation_id);
  if (compare_id !== undefined && (await getEvaluation(ctx, compare_id)).set_id !== set_id)
    throw invalidInput([{ path: 'compare_id', message: 'must be an evaluation of the same set' }]);
  const after = cursorId(cursor);
  const beyond =
    after === undefined
      ? sql`true`
      : order === 'asc'
        ? sql`r.position > ${after}`
        : sql`r.position < ${after}`;
  const chosen =
    only === undefined
      ? sql`true`
      : only === 'changed'
        ? sql`(b.outcome, b.kind, b.article_id, b.answer) is distinct from (r.outcome, r.kind, r.article_id, r.answer)`
        : sql`r.outcome = ${only}`;
  const { rows } = await sql<ComparedRow>`
    select r.*, case when b.question is null then null else json_build_object(
      'outcome', b.outcome, 'kind', b.kind, 'answer', b.answer, 'article_id', b.article_id,
      'article_title', b.article_title, 'confidence', b.confidence
    ) end as before
    from evaluation_results r
    left join evaluation_results b on b.site_id = r.site_id and b.evaluation_id = ${compare_id ?? null}
      and b.question_id = r.question_id and b.question = r.question
    where r.site_id = ${ctx.site.id} and r.evaluation_id = ${evaluation_id} and ${beyond} and ${chosen}
    order by r.position ${order === 'asc' ? sql`asc` : sql`desc`} limit ${limit + 1}`.execute(ctx.db);
  return pageOf(rows, limit, (row) => [row.position], presentResult);
}
