import type { InboxSort, Session, StateQueue, TicketSummary } from '@foyer/protocol';
import { CHATS_OF_QUEUE } from '@foyer/protocol/values/inbox-queues';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Page } from '../../../api.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import {
  foundQuery,
  mentionsQuery,
  queueTicketsQuery,
  sessionsQuery,
  ticketsQuery,
} from '../../../queries.ts';
import { chatItem, foundItem, type InboxItem, mergeSources, ticketItem } from './inbox-list.ts';
import { filterOf, type InboxSearch, stateQueueOf, ticketSearchOf, wordSearchOf } from './inbox-search.ts';
import { chatKey, sortingOf, ticketKey } from './inbox-sorts.ts';

interface InboxList {
  items: InboxItem[];
  isPending: boolean;
  error: Error | null;
  retry: () => void;
  hasMore: boolean;
  loadMore: () => void;
}

/**
 * Caches results by identity: an unchanged record keeps its item, so its row isn't rendered again, and an unchanged
 * page its items.
 */
function kept<T extends object, R>(make: (from: T) => R): (from: T) => R {
  const known = new WeakMap<T, R>();
  return (from) => {
    const old = known.get(from);
    if (old !== undefined) return old;
    const made = make(from);
    known.set(from, made);
    return made;
  };
}

/** The items of a list's pages. Earlier pages aren't processed again. */
function itemsOf<T extends object>(
  make: (record: T) => InboxItem,
): (pages: readonly Page<T>[]) => InboxItem[] {
  const item = kept(make);
  const ofPage = kept((page: Page<T>) => page.items.map(item));
  return (pages) => pages.flatMap(ofPage);
}

const byFind = itemsOf(foundItem);

const NO_PAGES: readonly never[] = [];

/** The server's lists that make up one list. Only `mixed` contains chats and tickets, in the server's order. */
function useSources(search: InboxSearch, sort: InboxSort) {
  const { q, view } = search;
  const queue = stateQueueOf(search);
  const asked = { sort, ...filterOf(search) };
  const isOfQueue = queue !== null;

  const chats = useInfiniteQuery({
    ...sessionsQuery(queue ? CHATS_OF_QUEUE[queue] : 'all', asked),
    enabled: isOfQueue,
  });
  const queued = useInfiniteQuery({
    ...queueTicketsQuery(queue ?? undefined, asked),
    enabled: isOfQueue,
  });
  const viewed = useInfiniteQuery({
    ...ticketsQuery(ticketSearchOf(search)),
    enabled: view !== undefined && !q,
  });
  const found = useInfiniteQuery({ ...foundQuery(wordSearchOf(search)), enabled: Boolean(q) });
  const isMentions = queue === null && view === undefined && !q;
  const mentions = useInfiniteQuery({ ...mentionsQuery, enabled: isMentions });
  const tickets = queue === null ? viewed : queued;
  const mixed = q ? found : isMentions ? mentions : undefined;
  const wanted = mixed ? [mixed] : isOfQueue ? [chats, tickets] : [tickets];
  return { queue, chats, tickets, mixed, hasChats: isOfQueue, wanted };
}

/** The items of these lists merged, and which of chats (0) and tickets (1) must be loaded further. */
function useMerged(
  { queue, chats, tickets, mixed, hasChats }: ReturnType<typeof useSources>,
  sort: InboxSort,
) {
  const chatPages = chats.data?.pages ?? NO_PAGES;
  const ticketPages = tickets.data?.pages ?? NO_PAGES;
  const mixedPages = mixed?.data?.pages ?? NO_PAGES;
  const isMixed = mixed !== undefined;
  const moreChats = chats.hasNextPage;
  const moreTickets = tickets.hasNextPage;
  const ofQueue: StateQueue | undefined = queue ?? undefined;
  const ofChats = useMemo(
    () => itemsOf((session: Session) => chatItem(session, chatKey(session, sort, ofQueue))),
    [sort, ofQueue],
  );
  const ofTickets = useMemo(
    () => itemsOf((ticket: TicketSummary) => ticketItem(ticket, ticketKey(ticket, sort))),
    [sort],
  );
  return useMemo(() => {
    if (isMixed) return { items: byFind(mixedPages), behind: [] };
    const ticketItems = ofTickets(ticketPages);
    if (!hasChats) return { items: ticketItems, behind: [] };
    return mergeSources([
      { items: ofChats(chatPages), hasMore: moreChats },
      { items: ticketItems, hasMore: moreTickets },
    ]);
  }, [chatPages, ticketPages, mixedPages, moreChats, moreTickets, hasChats, isMixed, ofChats, ofTickets]);
}

/** Chats and tickets of a queue, view or search as one list, loaded further as its end comes near. */
export function useInbox(search: InboxSearch): InboxList {
  const { sort } = sortingOf(search, useMe().agent.id);
  const sources = useSources(search, sort);
  const { chats, tickets, wanted } = sources;
  const { items, behind: behindAt } = useMerged(sources, sort);
  const behind = wanted.length === 1 ? wanted : [chats, tickets].filter((_, at) => behindAt.includes(at));
  const hasMore = wanted.some((list) => list.hasNextPage);
  const loadMore = (): void => {
    for (const list of behind) if (list.hasNextPage) void list.fetchNextPage({ cancelRefetch: false });
  };
  // A page of a search or filter may be empty and still continue.
  const isLookingOn = items.length === 0 && hasMore;
  useEffect(() => {
    if (isLookingOn) loadMore();
  });
  return {
    items,
    isPending: wanted.some((list) => list.isPending) || isLookingOn,
    error: wanted.find((list) => list.error && !list.data)?.error ?? null,
    retry: () => {
      for (const list of wanted) void list.refetch();
    },
    hasMore,
    loadMore,
  };
}
