import type { InputOf } from '@foyer/protocol';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';
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
  queryFn: ({ signal }) => callPage('segments.list', { limit: 200, order: 'asc' }, signal),
});

export const fieldsQuery = queryOptions({
  queryKey: ['visitors', 'fields'],
  queryFn: ({ signal }) => call('visitor_fields.list', {}, signal),
});
