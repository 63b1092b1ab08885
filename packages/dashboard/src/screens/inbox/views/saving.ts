import type { InboxView, ViewList, ViewTickets } from '@foyer/protocol';
import {
  filterCount,
  type InboxSearch,
  setFilters,
  TICKET_FILTERS,
  ticketSearchOf,
} from '../list/inbox-search.ts';
import { isEdited, listOf } from '../list/shown-search.ts';

/** What a view stores of the current list: a list of the inbox, or a filter of tickets. */
export type Saving = { list: ViewList } | { tickets: ViewTickets };

/** REST's ticket filters have no other fields. */
const isOfTickets = (search: InboxSearch): boolean =>
  setFilters(search).every((name) => TICKET_FILTERS.includes(name)) &&
  ticketSearchOf(search).status === search.status;

/** Undefined if no view can show the current list. */
export function savingOf(
  search: InboxSearch,
  view: InboxView | undefined,
  agentId: number,
): Saving | undefined {
  if (search.view === undefined && !search.q) {
    const list = listOf(search, agentId);
    return list && { list };
  }
  if (!isOfTickets(search)) return undefined;
  const { view: _, ...own } = ticketSearchOf(search);
  const { filter = {}, sort = '-created' } = (search.view === undefined ? null : view?.tickets) ?? {};
  return { tickets: { filter: { ...filter, ...own }, sort } };
}

/** Whether the current list differs from the view. */
export const isChanged = (search: InboxSearch, view: InboxView, agentId: number): boolean =>
  Boolean(search.q) || (view.list ? isEdited(search, view, agentId) : filterCount(search) > 0);

/** Whether saving would keep the view's kind. */
export const fits = (saving: Saving | undefined, view: InboxView): saving is Saving =>
  saving !== undefined && 'list' in saving === (view.list !== null);
