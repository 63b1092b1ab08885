import type { InputOf, Queue, StateQueue, TicketDetail } from '@foyer/protocol';
import { PAGE_LIMIT_MAX } from '@foyer/protocol/bounds';
import { infiniteQueryOptions, QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import { ApiError, call, callPage, callPages } from './api.ts';
import { type DeliveryFilter, sinceTime } from './screens/settings/webhooks/delivery-filter.ts';
import { byName } from './words.ts';

const MINUTE_MS = 60_000;

/** Answers are kept fresh by the socket; what it does not tell is asked for again after a minute. */
export function createQueryClient(onUnauthorized: () => void): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: MINUTE_MS,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && error instanceof ApiError && error.passes,
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
  const watch = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'unauthorized') onUnauthorized();
  };
  client.getQueryCache().config.onError = watch;
  client.getMutationCache().config.onError = watch;
  return client;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('me.get', {}, signal),
});

export const countsQuery = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: ({ signal }) => call('inbox.counts', {}, signal),
});

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => call('notifications.list', {}, signal),
});

/** Of a long list, behind its first page: whoever scrolls on waits half as often, and each page takes time of the thread. */
const MORE = 100;

/** What asks for the next page; the first is as long as the server's pages are. */
const onFrom = (cursor: string) => (cursor ? { cursor, limit: MORE } : {});

export const sessionsQuery = (queue: Queue) =>
  infiniteQueryOptions({
    queryKey: ['sessions', 'list', queue],
    queryFn: ({ pageParam, signal }) => callPage('sessions.list', { queue, ...onFrom(pageParam) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const sessionQuery = (session_id: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', session_id],
    queryFn: ({ signal }) => call('sessions.get', { session_id }, signal),
  });

export const queueTicketsQuery = (queue: StateQueue) =>
  infiniteQueryOptions({
    queryKey: ['tickets', 'queue', queue],
    queryFn: ({ pageParam, signal }) => callPage('inbox.tickets', { queue, ...onFrom(pageParam) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** A filter over tickets, or a saved view. */
export type TicketSearch = Omit<InputOf<'inbox.filtered'>, 'limit' | 'cursor'>;

export const ticketsQuery = (search: TicketSearch) =>
  infiniteQueryOptions({
    queryKey: ['tickets', 'list', search],
    queryFn: ({ pageParam, signal }) =>
      callPage('inbox.filtered', { ...search, ...onFrom(pageParam) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** Chats and tickets by words, narrowed down by what else is asked for. */
export const foundQuery = (search: InputOf<'inbox.search'>) =>
  infiniteQueryOptions({
    queryKey: ['found', search],
    queryFn: ({ pageParam, signal }) =>
      callPage('inbox.search', { ...search, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** Under the key of what is found: it is shown in the same form, and news is brought into both. */
export const mentionsQuery = infiniteQueryOptions({
  queryKey: ['found', 'mentions'],
  queryFn: ({ pageParam, signal }) =>
    callPage('inbox.mentions', pageParam ? { cursor: pageParam } : {}, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
});

export const ticketQuery = (id: number) =>
  queryOptions({
    queryKey: ['tickets', 'one', id],
    queryFn: async ({ signal }): Promise<TicketDetail> => call('tickets.list', { id }, signal),
  });

export const ticketMentionsQuery = (id: number) =>
  queryOptions({
    queryKey: ['tickets', 'mentions', id],
    queryFn: ({ signal }) => call('tickets.mentions', { id }, signal),
  });

export const followUpsQuery = (id: number) =>
  queryOptions({
    queryKey: ['tickets', 'follow_ups', id],
    queryFn: ({ signal }) => call('tickets.follow_ups', { id }, signal),
  });

export const ticketHistoryQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['tickets', 'history', id],
    queryFn: ({ pageParam, signal }) =>
      callPage('tickets.history', { id, limit: 20, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const viewsQuery = queryOptions({
  queryKey: ['saved_views'],
  queryFn: ({ signal }) => callPage('saved_views.list', { limit: PAGE_LIMIT_MAX }, signal),
});

export const macrosQuery = queryOptions({
  queryKey: ['macros'],
  queryFn: ({ signal }) => callPages('macros.list', {}, signal),
});

/** Under the key of the macros: what changes them changes this. */
export const macroUsesQuery = queryOptions({
  queryKey: ['macros', 'uses'],
  queryFn: ({ signal }) => call('macros.uses', {}, signal),
});

/** Under the key of the tags, likewise; nothing tells of what is tagged meanwhile. */
export const tagUsesQuery = queryOptions({
  queryKey: ['tags', 'uses'],
  queryFn: ({ signal }) => call('tags.uses', {}, signal),
  staleTime: 0,
});

export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => ({
    items: (await callPages('tags.list', {}, signal)).items.toSorted(byName),
  }),
});

export type ArticleFilter = Pick<InputOf<'articles.list'>, 'q' | 'status' | 'category'>;

export const articlesQuery = (filter: ArticleFilter) =>
  infiniteQueryOptions({
    queryKey: ['articles', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      callPage('articles.list', { ...filter, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** Under the key of articles: what changes them may change this. */
export const deletedArticlesQuery = infiniteQueryOptions({
  queryKey: ['articles', 'deleted'],
  queryFn: ({ pageParam, signal }) =>
    callPage('deleted_articles.list', pageParam ? { cursor: pageParam } : {}, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
});

export const openedArticleQuery = (id: number) =>
  queryOptions({
    queryKey: ['articles', 'opened', id],
    queryFn: ({ signal }) => call('articles.open', { id }, signal),
  });

export const startersQuery = queryOptions({
  queryKey: ['starters'],
  queryFn: ({ signal }) =>
    callPage('conversation_starters.list', { limit: PAGE_LIMIT_MAX, order: 'asc' }, signal),
});

export const synonymsQuery = queryOptions({
  queryKey: ['synonyms'],
  queryFn: ({ signal }) => call('synonyms.get', {}, signal),
});

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call('usage.get', {}, signal),
});

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => call('agents.list', {}, signal),
});

export const tokensQuery = queryOptions({
  queryKey: ['api_tokens'],
  queryFn: ({ signal }) => call('api_tokens.list', {}, signal),
});

export const identitySecretQuery = queryOptions({
  queryKey: ['identity_secret'],
  queryFn: ({ signal }) => call('identity_secret.get', {}, signal),
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => callPages('webhook_subscriptions.list', {}, signal),
});

export const deliveriesQuery = (subscription_id: number, { status, event, since }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', subscription_id, status ?? 'all', event ?? 'all', since ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'webhook_deliveries.list',
        {
          subscription_id,
          ...(status ? { status } : {}),
          ...(event ? { event } : {}),
          ...(since ? { since: sinceTime(since) } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const webhookHoursQuery = (subscription_id: number, days: number) =>
  queryOptions({
    queryKey: ['deliveries', subscription_id, 'hours', days],
    queryFn: ({ signal }) => call('webhook_hours.list', { subscription_id, days }, signal),
  });

/** Ids of the agents who are at their desks, and of those who are away; the socket sets it. */
export const presenceQuery = queryOptions({
  queryKey: ['presence'],
  queryFn: skipToken,
  initialData: (): { online: number[]; away: number[] } => ({ online: [], away: [] }),
});
