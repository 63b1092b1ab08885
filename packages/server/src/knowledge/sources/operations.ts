import { type AnyOperation, adminsWrite, agentsRead, operation } from '../../core/operation.ts';
import { getDocument, listDocuments } from './documents.ts';
import { deleteSource, getSource, listSources } from './sources.ts';

const ofSource = { records: { id: 'knowledge_source' } } as const;

/** Files that the bot answers from. Every agent sees them, admins change them. */
export const sourceOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'knowledge_sources.list',
    summary: 'List knowledge sources, newest first',
    run: listSources,
  }),
  operation({
    ...agentsRead,
    ...ofSource,
    name: 'knowledge_sources.get',
    summary: 'Read a knowledge source',
    run: (ctx, { id }) => getSource(ctx, id),
  }),
  operation({
    ...adminsWrite,
    ...ofSource,
    name: 'knowledge_sources.delete',
    audit: 'knowledge_source',
    summary: 'Delete a knowledge source with its documents',
    run: (ctx, { id }) => deleteSource(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'knowledge_documents.list',
    summary: 'List the documents of a knowledge source',
    records: { source_id: 'knowledge_source' },
    run: listDocuments,
  }),
  operation({
    ...agentsRead,
    name: 'knowledge_documents.get',
    summary: 'Read a document with its text',
    records: { id: 'knowledge_document' },
    run: (ctx, { id }) => getDocument(ctx, id),
  }),
];
