import type { BulkTarget } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import type { InboxItem } from '../list/inbox-list.ts';
import type { InboxSearch } from '../list/inbox-search.ts';
import { type Selection, selectedIn, targetOfItems, targetOfSearch } from './selection.ts';

/** The list with the selection. */
export interface SelectedList {
  search: InboxSearch;
  /** Its loaded rows. */
  items: readonly InboxItem[];
  hasMore: boolean;
  selection: Selection;
}

/** What a bulk change applies to. */
export interface BulkScope {
  of: BulkTarget;
  selected: readonly InboxItem[];
  count: number;
  /** Everything that matches is selected, loaded or not. */
  isAll: boolean;
  everyShown: boolean;
  /** How many match, loaded or not; known once every loaded row is selected and there are more. */
  matching: Matching | undefined;
}

interface Matching {
  count: number;
  /** False: `count` is a lower bound while the rest is being counted. */
  isExact: boolean;
}

/** Counted first, at once. More is counted while this is shown. */
const COUNTED_FIRST = 1_000;

/** @param isAsked whether the number is shown */
function useMatching(target: BulkTarget, isAsked: boolean): Matching | undefined {
  const countUpTo = (most: number | undefined, enabled: boolean) =>
    ({
      queryKey: ['inbox', 'matching', target, most],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('bulk_changes.count', { of: target, ...(most !== undefined && { most }) }, signal),
      enabled,
    }) as const;
  const first = useQuery(countUpTo(COUNTED_FIRST, isAsked)).data?.count;
  const isMore = first !== undefined && first > COUNTED_FIRST;
  const all = useQuery(countUpTo(undefined, isAsked && isMore)).data?.count;
  if (first === undefined) return undefined;
  if (!isMore) return { count: first, isExact: true };
  return all === undefined ? { count: COUNTED_FIRST, isExact: false } : { count: all, isExact: true };
}

/** The selection in a list, and what more could be selected. */
export function useBulkScope({ search, items, hasMore, selection }: SelectedList): BulkScope {
  const selected = selectedIn(selection, items);
  const everyShown = selected.length === items.length;
  const target = targetOfSearch(search);
  const matching = useMatching(target, everyShown && hasMore);
  const isAll = selection.isAll && everyShown && hasMore;
  return {
    of: isAll ? target : targetOfItems(selected),
    selected,
    count: isAll ? (matching?.count ?? selected.length) : selected.length,
    isAll,
    everyShown,
    matching,
  };
}
