import type { InputOf } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';

/** Starts or continues an import. */
export function useStart(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (how: Omit<InputOf<'imports.start'>, 'id'>) => call('imports.start', { id, ...how }),
    onSuccess: (begun) => {
      client.setQueryData(['imports', id], begun);
      return client.invalidateQueries({ queryKey: ['imports'] });
    },
  });
}
