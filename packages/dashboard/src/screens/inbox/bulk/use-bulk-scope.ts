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
  matching: number | undefined;
}

/** What is selected in a list, and what more could be. */
export function useBulkScope({ search, items, hasMore, selection }: SelectedList): BulkScope {
  const selected = selectedIn(selection, items);
  const everyShown = selected.length === items.length;
  const target = targetOfSearch(search);
  const matching = useQuery({
    queryKey: ['inbox', 'matching', target],
    queryFn: ({ signal }) => call('bulk_changes.count', { of: target }, signal),
    enabled: everyShown && hasMore,
  }).data?.count;
  const isAll = selection.isAll && everyShown && hasMore;
  return {
    of: isAll ? target : targetOfItems(selected),
    selected,
    count: isAll ? (matching ?? selected.length) : selected.length,
    isAll,
    everyShown,
    matching,
  };
}
