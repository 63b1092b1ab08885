import type { ReactNode } from 'react';
import { tCommon } from '../../t-common.ts';
import { Button } from '../Button.tsx';
import { Rows } from '../Page.tsx';
import { Waiting } from '../Waiting.tsx';

interface PagedListProps {
  /** The part of `useInfiniteQuery`'s result that a list needs. */
  list: {
    error: Error | null;
    data: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    refetch: () => Promise<unknown>;
    fetchNextPage: () => Promise<unknown>;
  };
  /** The number of rows loaded so far. */
  count: number;
  label: string;
  /** The error if nothing could be loaded. */
  failed: string;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  bones?: { rows: number; face?: boolean };
  /** Above the rows, if there are any. */
  head?: ReactNode;
  /** The rows, one `li` each. */
  children: ReactNode;
}

/** A list loaded page by page, in each of its states. */
export function PagedList({
  list,
  count,
  label,
  failed,
  empty,
  bones = { rows: 8 },
  head,
  children,
}: PagedListProps) {
  if (!list.data) return <Waiting error={list.error} retry={list.refetch} failed={failed} {...bones} />;
  if (count === 0) return empty;
  return (
    <>
      {head}
      <Rows label={label}>{children}</Rows>
      {list.hasNextPage ? (
        <div className="mt-4 text-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {tCommon('show_more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
