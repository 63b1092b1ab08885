import type { ReactNode } from 'react';
import { tCommon } from '../../t-common.ts';
import { Button } from '../Button.tsx';
import { Rows } from '../Page.tsx';
import { Waiting } from '../Waiting.tsx';

interface PagedListProps {
  /** What `useInfiniteQuery` gives, as far as a list needs it. */
  list: {
    error: Error | null;
    data: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    refetch: () => Promise<unknown>;
    fetchNextPage: () => Promise<unknown>;
  };
  /** How many rows there are so far. */
  count: number;
  label: string;
  /** What is said when nothing could be loaded. */
  failed: string;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  bones?: { rows: number; face?: boolean };
  /** Stands above the rows, where there are any. */
  head?: ReactNode;
  /** The rows: one `li` each. */
  children: ReactNode;
}

/** A list that is loaded page by page, in each of its states. */
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
