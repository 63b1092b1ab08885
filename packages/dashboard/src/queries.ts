import type { InboxFilter, InboxSort, InputOf, Queue, StateQueue, Team } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import { ApiError, call, callPages } from './api.ts';
import { callQuery, pagesQuery } from './call-queries.ts';
import { byName } from './words.ts';

/** The socket keeps responses fresh. What it doesn't report is requested again after a minute. */
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

export const meQuery = callQuery(['me'], 'me.get', {});

export const countsQuery = callQuery(['inbox', 'counts'], 'inbox.counts', {});

/** How many emails wait for a decision. Events report new ones, but may be lost. */
export const suspendedQuery = queryOptions({
  ...callQuery(['received_mails', 'count'], 'received_mails.count', {}),
  refetchInterval: MINUTE_MS,
});

export const notificationsQuery = callQuery(['notifications'], 'notifications.list', {});

/**
 * Rows of each later page of a long list. Longer than the first, so that an agent who scrolls on waits half as
 * often.
 */
const MORE = 100;

/** The order and filter of an inbox list. */
export type ListSearch = InboxFilter & { sort?: InboxSort };

/** The chats of a queue, paged. */
export const sessionsQuery = (queue: Queue, search: ListSearch = {}) =>
  pagesQuery(['sessions', 'list', queue, search], 'sessions.list', () => ({ queue, ...search }), {
    more: MORE,
  });

/** One chat, without its messages. */
export const sessionQuery = (session_id: string) =>
  callQuery(['sessions', 'one', session_id], 'sessions.get', { session_id });

/** The tickets of a queue, or all that aren't snoozed. */
export const queueTicketsQuery = (queue: StateQueue | undefined, search: ListSearch = {}) =>
  pagesQuery(
    ['tickets', 'queue', queue, search],
    'inbox.tickets',
    () => ({ ...(queue && { queue }), ...search }),
    { more: MORE },
  );

/** A saved view of tickets, with further filters. */
export type TicketSearch = Omit<InputOf<'inbox.filtered'>, 'limit' | 'cursor'>;

/** The tickets that match a filter, paged. */
export const ticketsQuery = (search: TicketSearch) =>
  pagesQuery(['tickets', 'list', search], 'inbox.filtered', () => search, { more: MORE });

export type FoundSearch = Omit<InputOf<'inbox.search'>, 'limit' | 'cursor'>;

/** Chats and tickets found by words and filters. */
export const foundQuery = (search: FoundSearch) =>
  pagesQuery(['found', search], 'inbox.search', () => search);

/** Under the key of search results: it has the same form, and updates apply to both. */
export const mentionsQuery = pagesQuery(['found', 'mentions'], 'inbox.mentions', () => ({}));

/** One ticket with its messages. */
export const ticketQuery = (id: number) => callQuery(['tickets', 'one', id], 'tickets.list', { id });

/** The chat that a ticket was created from. Its range is fixed: it is only reloaded for new links to its files. */
export const ticketChatQuery = (id: number) => callQuery(['ticket_chat', id], 'tickets.chat', { id });

/** The agents that a ticket's notes mention. */
export const ticketMentionsQuery = (id: number) =>
  callQuery(['tickets', 'mentions', id], 'tickets.mentions', { id });

/** Below the ticket's own key, so that everything that refreshes the ticket refreshes this too. */
export const ticketMailQuery = (id: number) =>
  callQuery([...ticketQuery(id).queryKey, 'mail'], 'tickets.mail', { id });

export const ticketMailsQuery = (id: number) =>
  callQuery([...ticketQuery(id).queryKey, 'mails'], 'tickets.mails', { id });

/** The HTML of a mail never changes; the links in it expire after hours. */
export const mailHtmlQuery = (ticketId: number, mailId: number, remoteImages: boolean) =>
  queryOptions({
    ...callQuery(['mail_html', ticketId, mailId, remoteImages], 'tickets.mail_html', {
      ticket_id: ticketId,
      mail_id: mailId,
      remote_images: remoteImages,
    }),
    staleTime: 3_600_000,
  });

export const mailStatusQuery = callQuery(['mail', 'status'], 'mail.status', {});

/** The follow-ups of a closed ticket. */
export const followUpsQuery = (id: number) =>
  callQuery(['tickets', 'follow_ups', id], 'tickets.follow_ups', { id });

/** What was changed in a ticket, and by whom. */
export const ticketHistoryQuery = (id: number) =>
  pagesQuery(['tickets', 'history', id], 'tickets.history', () => ({ id, limit: 20 }));

/** The shared views and the agent's private ones, with their counts. */
export const viewsQuery = queryOptions({
  queryKey: ['saved_views'],
  queryFn: async ({ signal }) => ({ items: (await call('inbox_views.list', {}, signal)).views }),
});

export const macrosQuery = queryOptions({
  queryKey: ['macros'],
  queryFn: ({ signal }) => callPages('macros.list', {}, signal),
});

/** Under the key of the macros, so that it is refreshed with them. */
export const macroUsesQuery = callQuery(['macros', 'uses'], 'macros.uses', {});

/** Under the key of the tags, likewise; nothing reports what is tagged meanwhile. */
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

export const usageQuery = callQuery(['usage'], 'usage.get', {});

export const agentsQuery = callQuery(['agents'], 'agents.list', {});

export const rolesQuery = callQuery(['roles'], 'roles.list', {});

/** Every team, archived ones too; `activeTeams` are those that work can be assigned to. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => ({
    items: (await callPages('teams.list', { state: 'all' }, signal)).items.toSorted(byName),
  }),
});

export const activeTeams = (found: { items: Team[] } | undefined): Team[] =>
  (found?.items ?? []).filter(({ archived_utc }) => archived_utc === null);

/** Ids of the agents who are online and of those who are away; set by the socket. */
export const presenceQuery = queryOptions({
  queryKey: ['presence'],
  queryFn: skipToken,
  initialData: (): { online: number[]; away: number[] } => ({ online: [], away: [] }),
});
