import type { SegmentRule } from '@foyer/protocol';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callPages } from '../../api.ts';
import { callQuery, pagesQuery } from '../../call-queries.ts';
import { filterOf, type VisitorSearch } from './visitor-search.ts';

const PAGE_ROWS = 100;

/** The visitors of an address. */
export const visitorListQuery = (search: VisitorSearch) =>
  pagesQuery(['visitors', 'list', search], 'visitors.list', () => ({
    limit: PAGE_ROWS,
    ...filterOf(search, Date.now()),
    ...(search.sort ? { sort: search.sort } : {}),
  }));

export const segmentsQuery = queryOptions({
  queryKey: ['segments'],
  queryFn: ({ signal }) => callPages('segments.list', { order: 'asc' }, signal),
});

export const fieldsQuery = callQuery(['visitors', 'fields'], 'visitor_fields.list', {});

/** Kept fresh by the socket. */
export const hereCountQuery = callQuery(['visitors', 'here', 'count'], 'visitors.count_here', {});

export const hereQuery = pagesQuery(['visitors', 'here', 'list'], 'visitors.here', () => ({
  limit: PAGE_ROWS,
}));

/** One segment with its rule. */
export const segmentQuery = (id: number) => callQuery(['segments', id], 'segments.list', { id });

/** How many visitors a rule holds for, and some of them. */
export const previewQuery = (rule: SegmentRule) =>
  queryOptions({
    queryKey: ['segments', 'preview', rule],
    queryFn: ({ signal }) => call('segments.preview', { rule }, signal),
    // What was counted a moment ago is still shown while the next rule is being counted.
    placeholderData: keepPreviousData,
  });
