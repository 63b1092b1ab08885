import type { InputOf, OperationName } from '@foyer/protocol';
import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { call, callPage, type ItemOf, type Page } from './api.ts';

/** One answer of an operation. */
export const callQuery = <N extends OperationName, const K extends QueryKey>(
  queryKey: K,
  name: N,
  input: InputOf<N>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => call(name, input, signal) });

type ListInput<N extends OperationName> = Omit<InputOf<N>, 'cursor'>;

interface PagesOptions {
  /** Length of every page behind the first, which has the length of the input, else the server's own. */
  more?: number;
  staleTime?: number;
}

/** A list by pages. `input` is called for each page, so that a time in it is that of the request. */
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
      // Every operation that answers pages takes a cursor; TypeScript can't conclude it from the name.
      return callPage(name, { ...input(), ...next } as InputOf<N>, signal);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    ...rest,
  });

/**
 * Changes cached data before the server has answered the change. A request that is still under way was read before the
 * change and would undo it on the screen, so it is cancelled first.
 */
export async function setOptimistically<T>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (known: T) => T,
): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, (known) => (known === undefined ? known : change(known)));
}
