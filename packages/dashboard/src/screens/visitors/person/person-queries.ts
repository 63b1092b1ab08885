import type { InputOf, OperationName, TimelineKind, VisitorProfile } from '@foyer/protocol';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callPage } from '../../../api.ts';
import { complain, say } from '../../../ui/toast-store.ts';

export const profileQuery = (key: string) =>
  queryOptions({
    queryKey: ['visitors', 'one', key],
    queryFn: ({ signal }) => call('visitors.open', { key }, signal),
  });

const PAGE_ROWS = 30;

export const timelineQuery = (key: string, kind?: TimelineKind, limit = PAGE_ROWS) =>
  infiniteQueryOptions({
    queryKey: ['visitors', 'timeline', key, kind ?? 'all', limit],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'visitors.timeline',
        { key, limit, ...(kind ? { kind } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

type Change = Extract<
  OperationName,
  | 'visitors.update'
  | 'visitors.block'
  | 'visitors.unblock'
  | 'visitor_notes.create'
  | 'visitor_notes.update'
  | 'visitor_notes.delete'
>;

interface ChangeWords {
  done?: string;
  failed: string;
}

/** Changes something of a person, and has all that shows them ask anew. */
export function useChange<N extends Change>(name: N, { done, failed }: ChangeWords) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<N>) => call(name, input),
    onSuccess: async () => {
      if (done) say(done);
      // Chats and tickets name whom they are with.
      void client.invalidateQueries({ queryKey: ['sessions'] });
      void client.invalidateQueries({ queryKey: ['tickets'] });
      await client.invalidateQueries({ queryKey: ['visitors'] });
    },
    onError: (error) => complain(failed, error),
  });
}

export type Person = VisitorProfile;
