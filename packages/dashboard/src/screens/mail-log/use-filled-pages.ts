import { useEffect } from 'react';

interface Pages {
  data?: { pages: readonly { items: readonly unknown[] }[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** The server looks at a bounded number of mails per page: while nothing was found, the next pages are loaded too. */
export function useFilledPages({ data, hasNextPage, isFetching, fetchNextPage }: Pages): void {
  const last = data?.pages.at(-1);
  const isEmpty = last !== undefined && last.items.length === 0;
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetching, fetchNextPage]);
}
