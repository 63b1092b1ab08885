import type { Session } from '@foyer/protocol';
import { CHATS_OF_QUEUE } from '@foyer/protocol/inbox-queues';
import { useInfiniteQuery } from '@tanstack/react-query';
import { queueTicketsQuery, sessionsQuery, ticketsQuery } from '../../queries.ts';
import { chatItem, type InboxItem, longestWaitFirst, mergeByTime, ticketItem } from './inbox-list.ts';
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
  const { queue = 'waiting', q = '', view } = search;
  const searching = isSearching(search);
  const filter = ticketSearchOf(search);
  // Chats have no fields that a filter of tickets could ask for.
  const onlyTickets = view !== undefined || Object.keys(filter).some((field) => field !== 'q');
  const chatQueue = searching ? (onlyTickets ? null : 'all') : CHATS_OF_QUEUE[queue];
  const inTimeOfStart = searching || queue === 'closed';

  const chats = useInfiniteQuery({ ...sessionsQuery(chatQueue ?? 'all', q), enabled: chatQueue !== null });
  const queued = useInfiniteQuery({ ...queueTicketsQuery(queue), enabled: !searching });
  const found = useInfiniteQuery({ ...ticketsQuery(filter), enabled: searching });
  const tickets = searching ? found : queued;
  const wanted = chatQueue === null ? [tickets] : [chats, tickets];

  const chatItems = (chats.data?.pages ?? []).flatMap((page) =>
    page.items.map((session) => chatItem(session, inTimeOfStart ? session.started_utc : lastWord(session))),
  );
  const ticketItems = (tickets.data?.pages ?? []).flatMap((page) =>
    page.items.map((ticket) => ticketItem(ticket, searching ? ticket.created_utc : ticket.updated_utc)),
  );
  const sources = [
    { items: chatQueue === null ? [] : chatItems, hasMore: chatQueue !== null && chats.hasNextPage },
    { items: ticketItems, hasMore: tickets.hasNextPage },
  ];
  const { items, behind } = onlyTickets ? { items: ticketItems, behind: [1] } : mergeByTime(sources);
  const hasMore = wanted.some((list) => list.hasNextPage);
  return {
    items: queue === 'waiting' && !searching && !hasMore ? longestWaitFirst(items) : items,
    isPending: wanted.some((list) => list.isPending),
    error: wanted.find((list) => list.error && !list.data)?.error ?? null,
    retry: () => {
      for (const list of wanted) void list.refetch();
    },
    hasMore,
    loadMore: () => {
      for (const place of behind) {
        const list = place === 0 ? chats : tickets;
        if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
      }
    },
  };
}
