import type { InputOf, OperationName } from '@foyer/protocol';
import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { call, callPage, type ItemOf, type Page } from './api.ts';

/** A query for one result of an operation. */
export const callQuery = <N extends OperationName, const K extends QueryKey>(
  queryKey: K,
  name: N,
  input: InputOf<N>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => call(name, input, signal) });

type ListInput<N extends OperationName> = Omit<InputOf<N>, 'cursor'>;

interface PagesOptions {
  /** Length of every page after the first, which has the input's or the server's default length. */
  more?: number;
  staleTime?: number;
}

/** A paged query. `input` is called for each page, so that a time in it is that of the request. */
export const pagesQuery = <N extends OperationName, const K extends QueryKey>(
  queryKey: K,
  name: N,
  input: () => ListInput<N>,
  { more, ...rest }: PagesOptions = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<Page<ItemOf<N>>> => {
      const next = pageParam ? { cursor: pageParam, ...(more ? { limit: more } : {}) } : {};
      // Every paged operation takes a cursor, which TypeScript can't derive from the name.
      return callPage(name, { ...input(), ...next } as InputOf<N>, signal);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    ...rest,
  });

/**
 * Changes cached data before the server has confirmed. Running requests are cancelled first: they were read before
 * the change and would undo it on the screen.
 */
export async function setOptimistically<T>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (known: T) => T,
): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, (known) => (known === undefined ? known : change(known)));
}
