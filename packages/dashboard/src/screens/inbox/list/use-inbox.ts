import type { Session, StateQueue, TicketSummary } from '@foyer/protocol';
import { CHATS_OF_QUEUE } from '@foyer/protocol/values/inbox-queues';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Page } from '../../../api.ts';
import {
  foundQuery,
  mentionsQuery,
  queueTicketsQuery,
  sessionsQuery,
  ticketsQuery,
} from '../../../queries.ts';
import {
  chatItem,
  foundItem,
  type InboxItem,
  longestWaitFirst,
  mergeByTime,
  ticketItem,
} from './inbox-list.ts';
import { type InboxSearch, isSearching, ticketSearchOf } from './inbox-search.ts';

interface InboxList {
  items: InboxItem[];
  isPending: boolean;
  error: Error | null;
  retry: () => void;
  hasMore: boolean;
  loadMore: () => void;
}

const lastWord = (session: Session): string => session.last_message?.created_utc ?? session.started_utc;

/** What stays the same keeps what is made of it: a record its item, so that its row needs no rendering, a page its items. */
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

/** The items of the pages of a list: of those that came before nothing is looked at again. */
function itemsOf<T extends object>(
  make: (record: T) => InboxItem,
): (pages: readonly Page<T>[]) => InboxItem[] {
  const item = kept(make);
  const ofPage = kept((page: Page<T>) => page.items.map(item));
  return (pages) => pages.flatMap(ofPage);
}

const byStart = itemsOf((session: Session) => chatItem(session, Date.parse(session.started_utc)));
const byLastWord = itemsOf((session: Session) => chatItem(session, Date.parse(lastWord(session))));
const byActivity = itemsOf((ticket: TicketSummary) =>
  ticketItem(ticket, Date.parse(ticket.last_activity_utc)),
);
const byFind = itemsOf(foundItem);

const NO_PAGES: readonly never[] = [];

/** The server's lists that one list is made from. `mixed` alone has chats and tickets, in the server's order. */
function useSources(search: InboxSearch) {
  const { queue = 'waiting', q } = search;
  const bySearch = isSearching(search);
  const stateQueue: StateQueue | null = bySearch || queue === 'mentions' ? null : queue;
  const chatQueue = stateQueue && CHATS_OF_QUEUE[stateQueue];

  const chats = useInfiniteQuery({ ...sessionsQuery(chatQueue ?? 'all'), enabled: chatQueue !== null });
  const queued = useInfiniteQuery({
    ...queueTicketsQuery(stateQueue ?? 'open'),
    enabled: stateQueue !== null,
  });
  const listed = useInfiniteQuery({ ...ticketsQuery(ticketSearchOf(search)), enabled: bySearch && !q });
  const found = useInfiniteQuery({
    ...foundQuery({ ...ticketSearchOf(search), q: q ?? '' }),
    enabled: Boolean(q),
  });
  const mentions = useInfiniteQuery({ ...mentionsQuery, enabled: !bySearch && queue === 'mentions' });
  const tickets = bySearch ? listed : queued;
  const mixed = q ? found : !bySearch && queue === 'mentions' ? mentions : undefined;
  const wanted = mixed ? [mixed] : chatQueue === null ? [tickets] : [chats, tickets];
  return { queue, chats, tickets, mixed, hasChats: chatQueue !== null, wanted };
}

/** The items of these lists in one, and which of chats (0) and tickets (1) have to be loaded on for more. */
function useMerged({ queue, chats, tickets, mixed, hasChats }: ReturnType<typeof useSources>) {
  const chatPages = chats.data?.pages ?? NO_PAGES;
  const ticketPages = tickets.data?.pages ?? NO_PAGES;
  const mixedPages = mixed?.data?.pages ?? NO_PAGES;
  const isMixed = mixed !== undefined;
  const moreChats = chats.hasNextPage;
  const moreTickets = tickets.hasNextPage;
  return useMemo(() => {
    if (isMixed) return { items: byFind(mixedPages), behind: [] };
    const ticketItems = byActivity(ticketPages);
    if (!hasChats) return { items: ticketItems, behind: [] };
    const byTime = queue === 'closed' ? byStart : byLastWord;
    const { items, behind } = mergeByTime([
      { items: byTime(chatPages), hasMore: moreChats },
      { items: ticketItems, hasMore: moreTickets },
    ]);
    const isWhole = !moreChats && !moreTickets;
    return { items: queue === 'waiting' && isWhole ? longestWaitFirst(items) : items, behind };
  }, [chatPages, ticketPages, mixedPages, moreChats, moreTickets, hasChats, queue, isMixed]);
}

/** Chats and tickets of a queue, a view or a search as one list, loaded on where its end comes near. */
export function useInbox(search: InboxSearch): InboxList {
  const sources = useSources(search);
  const { chats, tickets, wanted } = sources;
  const { items, behind: behindAt } = useMerged(sources);
  const behind = wanted.length === 1 ? wanted : [chats, tickets].filter((_, at) => behindAt.includes(at));
  const hasMore = wanted.some((list) => list.hasNextPage);
  const loadMore = (): void => {
    for (const list of behind) if (list.hasNextPage) void list.fetchNextPage({ cancelRefetch: false });
  };
  // A page of a search may be empty and go on all the same.
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
