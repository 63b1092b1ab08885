import type { SegmentRule } from '@foyer/protocol';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callPages } from '../../api.ts';
import { callQuery, pagesQuery } from '../../call-queries.ts';
import { filterOf, type VisitorSearch } from './visitor-search.ts';

const PAGE_ROWS = 100;

/** The visitors selected by an address. */
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

/** The server's processes exchange live visitors as long as a desk asks. */
const HERE_AGAIN_MS = 30_000;

/** The socket keeps it fresh. */
export const hereCountQuery = queryOptions({
  ...callQuery(['visitors', 'here', 'count'], 'visitors.count_here', {}),
  refetchInterval: HERE_AGAIN_MS,
});

export const hereQuery = infiniteQueryOptions({
  ...pagesQuery(['visitors', 'here', 'list'], 'visitors.here', () => ({ limit: PAGE_ROWS })),
  refetchInterval: HERE_AGAIN_MS,
});

/** One segment with its rule. */
export const segmentQuery = (id: number) => callQuery(['segments', id], 'segments.list', { id });

/** How many visitors match a rule, and some of them. */
export const previewQuery = (rule: SegmentRule) =>
  queryOptions({
    queryKey: ['segments', 'preview', rule],
    queryFn: ({ signal }) => call('segments.preview', { rule }, signal),
    // The previous result stays while the next rule is counted.
    placeholderData: keepPreviousData,
  });
