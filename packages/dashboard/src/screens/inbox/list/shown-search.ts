import type { InboxFilter, InboxView, ViewList } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { given } from '../../../address-search.ts';
import { viewsQuery } from '../../../queries.ts';
import { filterOf, type InboxFilters, type InboxSearch, stateQueueOf } from './inbox-search.ts';
import { sortingOf } from './inbox-sorts.ts';

/** The server's filter under the address's names. */
export const filtersOf = (filter: InboxFilter): InboxFilters =>
  given<InboxFilters>({
    channel: filter.channel,
    status: filter.status,
    priority: filter.priority,
    assignee: filter.assignee_id,
    team: filter.team_id,
    tag: filter.tag,
    due: filter.due,
    created: filter.created_within,
    active: filter.active_within,
    page: filter.page,
    language: filter.language,
    segment: filter.segment,
    fields: filter.fields,
  });

const searchOf = ({ id, version }: InboxView, { queue, sort, ...filter }: ViewList): InboxSearch =>
  given<InboxSearch>({ queue, sort, ...filtersOf(filter), base: id, version });

/** The list of an address, in a view's form; undefined if a view can't store it. */
export function listOf(search: InboxSearch, agentId: number): ViewList | undefined {
  const queue = stateQueueOf(search);
  if (queue === null) return undefined;
  return { ...(queue && { queue }), sort: sortingOf(search, agentId).sort, ...filterOf(search) };
}

const inOrder = (list: ViewList | undefined): string =>
  JSON.stringify(Object.entries(list ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Whether the list on the screen differs from its view's. */
export const isEdited = (search: InboxSearch, view: InboxView, agentId: number): boolean =>
  view.list !== null &&
  inOrder(listOf(search, agentId)) !== inOrder(listOf(searchOf(view, view.list), agentId));

interface Shown {
  search: InboxSearch;
  /** The open view, changed on the screen or not. */
  view: InboxView | undefined;
  /** The view is loading, couldn't be loaded, or doesn't exist. */
  missing?: 'pending' | 'failed' | 'gone';
  retry: () => void;
}

/**
 * What an address shows. A view of the inbox is replaced by its list: `base` and `version` then name the view, and
 * stay whatever is changed.
 */
export function useShownSearch(address: InboxSearch): Shown {
  const views = useQuery(viewsQuery);
  const retry = (): void => void views.refetch();
  const id = address.view ?? address.base;
  const view = id === undefined ? undefined : views.data?.items.find((one) => one.id === id);
  if (address.view === undefined) return { search: address, view, retry };
  if (!view) {
    const missing = views.data ? 'gone' : views.error ? 'failed' : 'pending';
    return { search: address, view, missing, retry };
  }
  if (!view.list) return { search: address, view, retry };
  const { view: _, ...own } = address;
  return { search: { ...searchOf(view, view.list), ...own }, view, retry };
}
