import type { InputOf, SegmentRule } from '@foyer/protocol';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callPage, callPages } from '../../api.ts';
import { filterOf, type VisitorSearch } from './visitor-search.ts';

const PAGE_ROWS = 100;

/** The visitors of an address; times in it are those of the moment in which the list was begun. */
export const visitorListQuery = (search: VisitorSearch) =>
  infiniteQueryOptions({
    queryKey: ['visitors', 'list', search],
    queryFn: ({ pageParam, signal }) => {
      const input: InputOf<'visitors.list'> = { limit: PAGE_ROWS, ...filterOf(search, Date.now()) };
      if (search.sort) input.sort = search.sort;
      if (pageParam) input.cursor = pageParam;
      return callPage('visitors.list', input, signal);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const segmentsQuery = queryOptions({
  queryKey: ['segments'],
  queryFn: ({ signal }) => callPages('segments.list', { order: 'asc' }, signal),
});

export const fieldsQuery = queryOptions({
  queryKey: ['visitors', 'fields'],
  queryFn: ({ signal }) => call('visitor_fields.list', {}, signal),
});

/** Kept fresh by the socket. */
export const hereCountQuery = queryOptions({
  queryKey: ['visitors', 'here', 'count'],
  queryFn: ({ signal }) => call('visitors.count_here', {}, signal),
});

export const hereQuery = infiniteQueryOptions({
  queryKey: ['visitors', 'here', 'list'],
  queryFn: ({ pageParam, signal }) =>
    callPage('visitors.here', { limit: PAGE_ROWS, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
});

export const segmentQuery = (id: number) =>
  queryOptions({
    queryKey: ['segments', id],
    queryFn: ({ signal }) => call('segments.list', { id }, signal),
  });

export const previewQuery = (rule: SegmentRule) =>
  queryOptions({
    queryKey: ['segments', 'preview', rule],
    queryFn: ({ signal }) => call('segments.preview', { rule }, signal),
    // What was counted a moment ago is still shown while the next rule is being counted.
    placeholderData: keepPreviousData,
  });
