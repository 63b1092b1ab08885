import type { Session } from '@foyer/protocol';
import { CHATS_OF_QUEUE } from '@foyer/protocol/inbox-queues';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { foundQuery, queueTicketsQuery, sessionsQuery, ticketsQuery } from '../../queries.ts';
import {
  chatItem,
  foundItem,
  type InboxItem,
  longestWaitFirst,
  mergeByTime,
  ticketItem,
} from './inbox-list.ts';
import { type InboxSearch, isSearching, ticketSearchOf } from './inbox-search.ts';

export interface InboxList {
  items: InboxItem[];
  isPending: boolean;
  error: Error | null;
  retry: () => void;
  hasMore: boolean;
  loadMore: () => void;
}

const lastWord = (session: Session): string => session.last_message?.created_utc ?? session.started_utc;

/** Chats and tickets of a queue, a view or a search as one list, loaded on where its end comes near. */
export function useInbox(search: InboxSearch): InboxList {
  const { queue = 'waiting', q } = search;
  const bySearch = isSearching(search);
  const chatQueue = bySearch ? null : CHATS_OF_QUEUE[queue];

  const chats = useInfiniteQuery({ ...sessionsQuery(chatQueue ?? 'all'), enabled: chatQueue !== null });
  const queued = useInfiniteQuery({ ...queueTicketsQuery(queue), enabled: !bySearch });
  const listed = useInfiniteQuery({ ...ticketsQuery(ticketSearchOf(search)), enabled: bySearch && !q });
  const found = useInfiniteQuery({
    ...foundQuery({ ...ticketSearchOf(search), q: q ?? '' }),
    enabled: Boolean(q),
  });
  const tickets = bySearch ? listed : queued;
  const wanted = q ? [found] : chatQueue === null ? [tickets] : [chats, tickets];

  const chatItems = (chats.data?.pages ?? []).flatMap((page) =>
    page.items.map((session) =>
      chatItem(session, queue === 'closed' ? session.started_utc : lastWord(session)),
    ),
  );
  const ticketItems = (tickets.data?.pages ?? []).flatMap((page) =>
    page.items.map((ticket) => ticketItem(ticket, ticket.updated_utc)),
  );
  const merged = mergeByTime([
    { items: chatItems, hasMore: chats.hasNextPage },
    { items: ticketItems, hasMore: tickets.hasNextPage },
  ]);
  const items = q
    ? (found.data?.pages ?? []).flatMap((page) => page.items.map(foundItem))
    : chatQueue === null
      ? ticketItems
      : merged.items;
  const behind =
    wanted.length === 1 ? wanted : [chats, tickets].filter((_, at) => merged.behind.includes(at));
  const hasMore = wanted.some((list) => list.hasNextPage);
  const loadMore = (): void => {
    for (const list of behind) if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  // A page of a search may be empty and go on all the same.
  const isLookingOn = items.length === 0 && hasMore;
  useEffect(() => {
    if (isLookingOn) loadMore();
  });
  return {
    items: queue === 'waiting' && !bySearch && !hasMore ? longestWaitFirst(items) : items,
    isPending: wanted.some((list) => list.isPending) || isLookingOn,
    error: wanted.find((list) => list.error && !list.data)?.error ?? null,
    retry: () => {
      for (const list of wanted) void list.refetch();
    },
    hasMore,
    loadMore,
  };
}
