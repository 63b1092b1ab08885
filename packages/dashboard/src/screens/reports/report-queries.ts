import type { ReportSpan } from '@foyer/protocol';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { pagesQuery } from '../../pages-query.ts';

/** While other days are fetched those of before stay on the screen; who leaves it open sees it grow. */
const KEPT = { placeholderData: keepPreviousData, refetchInterval: 30_000 };

/** Chats and tickets that came in. */
export const volumeQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'volume', span],
    queryFn: ({ signal }) => call('reports.volume', span, signal),
    ...KEPT,
  });

/** Response and resolution times. */
export const responsesQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'responses', span],
    queryFn: ({ signal }) => call('reports.responses', span, signal),
    ...KEPT,
  });

/** Chats by weekday and hour. */
export const hoursQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'hours', span],
    queryFn: ({ signal }) => call('reports.hours', span, signal),
    ...KEPT,
  });

/** What the bot solved and handed off. */
export const botQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'bot', span],
    queryFn: ({ signal }) => call('reports.bot', span, signal),
    ...KEPT,
  });

/** Ratings by day. */
export const satisfactionQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'satisfaction', span],
    queryFn: ({ signal }) => call('reports.satisfaction', span, signal),
    ...KEPT,
  });

/** Figures of each agent. */
export const agentsQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'agents', span],
    queryFn: ({ signal }) => call('reports.agents', span, signal),
    ...KEPT,
  });

/** Figures of each tag. */
export const tagsQuery = (span: ReportSpan) =>
  queryOptions({
    queryKey: ['reports', 'tags', span],
    queryFn: ({ signal }) => call('reports.tags', span, signal),
    ...KEPT,
  });

/** Comments that came with ratings, by pages. */
export const commentsQuery = (span: ReportSpan, rating?: number) =>
  pagesQuery(['reports', 'comments', span, rating], 'reports.comments', () => ({
    ...span,
    ...(rating ? { rating } : {}),
  }));
