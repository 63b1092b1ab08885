import type { DataImport } from '@foyer/protocol';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api.ts';

const LOOK_MS = 1_000;

const isMoving = (state: DataImport['state'] | undefined): boolean =>
  state === 'sending' || state === 'looking' || state === 'running';

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => call('imports.list', {}, signal),
  staleTime: 0,
  // An upload may have been interrupted: only the uploading page makes it progress.
  refetchInterval: ({ state }) =>
    state.data?.imports.some(({ state: now }) => now === 'looking' || now === 'running') ? LOOK_MS : false,
});

/** One import, polled while it is running. */
export const importQuery = (id: number) =>
  queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => call('imports.get', { id }, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (isMoving(state.data?.state) ? LOOK_MS : false),
  });
