import type { EvaluationOutcome, GapState } from '@foyer/protocol';
import { PAGE_LIMIT_MAX } from '@foyer/protocol/values/bounds';
import { queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';
import { callQuery, pagesQuery } from '../../call-queries.ts';

export const botQuery = callQuery(['bot'], 'bot.get', {});

/** Whether there is a published article or a training row. Under the key of articles: what changes them may change this. */
export const knowsAnythingQuery = queryOptions({
  queryKey: ['articles', 'known'],
  queryFn: async ({ signal }) =>
    (await call('articles.count', { status: 'Published' }, signal)).count > 0 ||
    (await callPage('training_rows.list', { limit: 1 }, signal)).items.length > 0,
});

export const rulesQuery = callQuery(['bot', 'rules'], 'handoff_rules.list', {});

export const segmentNamesQuery = queryOptions({
  queryKey: ['segments', 'names'],
  queryFn: ({ signal }) => callPage('segments.list', { limit: PAGE_LIMIT_MAX }, signal),
  select: ({ items }) => items.map(({ id, name }) => ({ id, name })),
});

export const questionSetsQuery = callQuery(['question_sets'], 'question_sets.list', {});

/** The questions of a set. */
export const setQuestionsQuery = (set_id: number) =>
  pagesQuery(['question_sets', set_id, 'questions'], 'set_questions.list', () => ({ set_id }));

const PROGRESS_MS = 700;

/** Looked at again while one is under way. */
export const evaluationsQuery = (set_id: number) =>
  queryOptions({
    queryKey: ['question_sets', set_id, 'evaluations'],
    queryFn: ({ signal }) => call('evaluations.list', { set_id }, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? PROGRESS_MS : false),
  });

/** Whether an evaluation still runs. */
export const isUnderWay = (run: { finished_utc: string | null; cancelled_utc: string | null }): boolean =>
  run.finished_utc === null && run.cancelled_utc === null;

export type ResultFilter = EvaluationOutcome | 'changed';

/** An evaluation's result for each question, in pages. */
export const resultsQuery = (evaluation_id: number, compare_id?: number, only?: ResultFilter) =>
  pagesQuery(
    ['evaluation_results', evaluation_id, compare_id ?? 'none', only ?? 'all'],
    'evaluation_results.list',
    () => ({
      evaluation_id,
      ...(compare_id ? { compare_id } : {}),
      ...(only ? { only } : {}),
    }),
  );

/** The unanswered questions in a state, by pages. */
export const gapsQuery = (state: GapState) =>
  pagesQuery(['gaps', 'list', state], 'gaps.list', () => ({ state }));

/** An unanswered question with the messages that asked it. */
export const gapQuery = (id: number) => callQuery(['gaps', 'one', id], 'gaps.get', { id });
