import type { InputOf, OperationName, TimelineKind, VisitorProfile } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { callQuery, pagesQuery } from '../../../call-queries.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';

/** A person with attributes, devices, notes and counts. */
export const profileQuery = (key: string) => callQuery(['visitors', 'one', key], 'visitors.open', { key });

const PAGE_ROWS = 30;

/** A person's events, chats and tickets, newest first, paged. */
export const timelineQuery = (key: string, kind?: TimelineKind, limit = PAGE_ROWS) =>
  pagesQuery(['visitors', 'timeline', key, kind ?? 'all', limit], 'visitors.timeline', () => ({
    key,
    limit,
    ...(kind ? { kind } : {}),
  }));

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

/** Changes something about a person, and reloads everything that shows it. */
export function useChange<N extends Change>(name: N, { done, failed }: ChangeWords) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<N>) => call(name, input),
    onSuccess: async () => {
      if (done) toast.success(done);
      // Chats and tickets show their visitor.
      void client.invalidateQueries({ queryKey: ['sessions'] });
      void client.invalidateQueries({ queryKey: ['tickets'] });
      await client.invalidateQueries({ queryKey: ['visitors'] });
    },
    onError: (error) => toast.error(failed, error),
  });
}

export type Person = VisitorProfile;
