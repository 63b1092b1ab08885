import type { ReportSpan } from '@foyer/protocol';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';

/** While other days are fetched those of before stay on the screen; who leaves it open sees it grow. */
const KEPT = { placeholderData: keepPreviousData, refetchInterval: 30_000 };

export const volumeQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'volume', span],
    queryFn: ({ signal }) => call('reports.volume', span, signal),
    ...KEPT,
  });

export const responsesQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'responses', span],
    queryFn: ({ signal }) => call('reports.responses', span, signal),
    ...KEPT,
  });

export const hoursQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'hours', span],
    queryFn: ({ signal }) => call('reports.hours', span, signal),
    ...KEPT,
  });

export const botQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'bot', span],
    queryFn: ({ signal }) => call('reports.bot', span, signal),
    ...KEPT,
  });

export const satisfactionQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'satisfaction', span],
    queryFn: ({ signal }) => call('reports.satisfaction', span, signal),
    ...KEPT,
  });

export const agentsQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'agents', span],
    queryFn: ({ signal }) => call('reports.agents', span, signal),
    ...KEPT,
  });

export const tagsQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'tags', span],
    queryFn: ({ signal }) => call('reports.tags', span, signal),
    ...KEPT,
  });

export const commentsQuery = (span: ReportSpan, rating?: number) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'comments', span, rating],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'reports.comments',
        { ...span, ...(rating ? { rating } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
