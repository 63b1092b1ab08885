import { useQueryClient } from '@tanstack/react-query';
import { macrosQuery, tagsQuery, viewsQuery } from '../../../queries.ts';

/** Reloads everything that shows or refers to tags. */
export function useTagsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    for (const queryKey of [['sessions'], ['tickets'], macrosQuery.queryKey, viewsQuery.queryKey])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: tagsQuery.queryKey });
  };
}
