import type { KnowledgeSource } from '@foyer/protocol';
import { KNOWLEDGE_SOURCES_MAX } from '@foyer/protocol/values/bounds';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../../api.ts';
import { callQuery, pagesQuery } from '../../../call-queries.ts';

const POLL_MS = 1_000;

/** Whether the source is about to change on its own. */
export const isUnderWay = ({ state }: Pick<KnowledgeSource, 'state'>): boolean =>
  state === 'waiting' || state === 'reading';

/** All sources, read again while one is being read. */
export const sourcesQuery = queryOptions({
  queryKey: ['sources', 'list'],
  queryFn: ({ signal }) => callPage('knowledge_sources.list', { limit: KNOWLEDGE_SOURCES_MAX }, signal),
  refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? POLL_MS : false),
});

/** A source, read again while it is being read. */
export const sourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['sources', 'one', id],
    queryFn: ({ signal }) => call('knowledge_sources.list', { id }, signal),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  });

/** The pages of a sitemap, read again while they are being read, and once more at the end. */
export const documentsQuery = (id: number, underWay: boolean) => ({
  ...pagesQuery(['sources', 'documents', id, underWay], 'knowledge_documents.list', () => ({
    source_id: id,
    order: 'asc' as const,
  })),
  placeholderData: keepPreviousData,
  refetchInterval: underWay ? POLL_MS : (false as const),
});

/** A document with its text. */
export const documentQuery = (id: number) =>
  callQuery(['sources', 'document', id], 'knowledge_documents.get', { id });
