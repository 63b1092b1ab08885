import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { setOptimistically } from './call-queries.ts';
import { toast } from './ui/toasts/toast-store.ts';

interface Placed {
  id: number;
  position: number;
}

interface Reorder {
  /** The key of the list, which has its items in `items`. */
  queryKey: QueryKey;
  write: (place: Placed) => Promise<unknown>;
  /** The error if it wasn't saved. */
  failure: () => string;
}

/** Reorders items with positions, immediately on the screen. */
export function useReorder<T extends Placed>({ queryKey, write, failure }: Reorder) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (items: T[]) => {
      for (const [position, { id, position: now }] of items.entries())
        if (now !== position) await write({ id, position });
    },
    // The list may contain others besides the reordered ones.
    onMutate: (items) => {
      const ids = new Set(items.map(({ id }) => id));
      return setOptimistically<{ items: T[] }>(client, queryKey, (page) => ({
        ...page,
        items: [...page.items.filter(({ id }) => !ids.has(id)), ...items],
      }));
    },
    onError: (error) => toast.error(failure(), error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
