import type { EvaluationOutcome, GapState } from '@foyer/protocol';
import { PAGE_LIMIT_MAX } from '@foyer/protocol/bounds';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';

export const botQuery = queryOptions({
  queryKey: ['bot'],
  queryFn: ({ signal }) => call('bot.get', {}, signal),
});

/** Whether there is a published article or a training row. Under the key of articles: what changes them may change this. */
export const knowsAnythingQuery = queryOptions({
  queryKey: ['articles', 'known'],
  queryFn: async ({ signal }) =>
    (await call('articles.count', { status: 'Published' }, signal)).count > 0 ||
    (await callPage('training_rows.list', { limit: 1 }, signal)).items.length > 0,
});

export const rulesQuery = queryOptions({
  queryKey: ['bot', 'rules'],
  queryFn: ({ signal }) => call('handoff_rules.list', {}, signal),
});

export const segmentNamesQuery = queryOptions({
  queryKey: ['segments', 'names'],
  queryFn: ({ signal }) => callPage('segments.list', { limit: PAGE_LIMIT_MAX }, signal),
  select: ({ items }) => items.map(({ id, name }) => ({ id, name })),
});

export const questionSetsQuery = queryOptions({
  queryKey: ['question_sets'],
  queryFn: ({ signal }) => call('question_sets.list', {}, signal),
});

export const setQuestionsQuery = (set_id: number) =>
  infiniteQueryOptions({
    queryKey: ['question_sets', set_id, 'questions'],
    queryFn: ({ pageParam, signal }) =>
      callPage('set_questions.list', { set_id, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

const PROGRESS_MS = 700;

/** Looked at again while one is under way. */
export const evaluationsQuery = (set_id: number) =>
  queryOptions({
    queryKey: ['question_sets', set_id, 'evaluations'],
    queryFn: ({ signal }) => call('evaluations.list', { set_id }, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? PROGRESS_MS : false),
  });

export const isUnderWay = (run: { finished_utc: string | null; cancelled_utc: string | null }): boolean =>
  run.finished_utc === null && run.cancelled_utc === null;

export type ResultFilter = EvaluationOutcome | 'changed';

export const resultsQuery = (evaluation_id: number, compare_id?: number, only?: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: ['evaluation_results', evaluation_id, compare_id ?? 'none', only ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'evaluation_results.list',
        {
          evaluation_id,
          ...(compare_id ? { compare_id } : {}),
          ...(only ? { only } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const gapsQuery = (state: GapState) =>
  infiniteQueryOptions({
    queryKey: ['gaps', 'list', state],
    queryFn: ({ pageParam, signal }) =>
      callPage('gaps.list', { state, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const gapQuery = (id: number) =>
  queryOptions({
    queryKey: ['gaps', 'one', id],
    queryFn: ({ signal }) => call('gaps.get', { id }, signal),
  });
