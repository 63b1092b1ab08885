import type { KnowledgeSource } from '@foyer/protocol';
import { KNOWLEDGE_SOURCES_MAX } from '@foyer/protocol/values/bounds';
import { queryOptions } from '@tanstack/react-query';
import { callPage } from '../../../api.ts';
import { callQuery } from '../../../call-queries.ts';

const POLL_MS = 1_000;

/** Whether the source will change by itself soon. */
export const isUnderWay = ({ state }: Pick<KnowledgeSource, 'state'>): boolean =>
  state === 'waiting' || state === 'reading';

/** All sources, read again while one is being read. */
export const sourcesQuery = queryOptions({
  queryKey: ['sources', 'list'],
  queryFn: ({ signal }) => callPage('knowledge_sources.list', { limit: KNOWLEDGE_SOURCES_MAX }, signal),
  refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? POLL_MS : false),
});

/** A document with its text. */
export const documentQuery = (id: number) =>
  callQuery(['sources', 'document', id], 'knowledge_documents.get', { id });
