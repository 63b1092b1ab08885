import { useQueryClient } from '@tanstack/react-query';
import { macrosQuery, tagsQuery, viewsQuery } from '../../../queries.ts';

/** After a change of a tag, what shows or names it is asked for anew. */
export function useTagsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    for (const queryKey of [['sessions'], ['tickets'], macrosQuery.queryKey, viewsQuery.queryKey])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: tagsQuery.queryKey });
  };
}
