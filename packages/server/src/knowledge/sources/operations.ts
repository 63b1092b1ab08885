import { type AnyOperation, adminsWrite, agentsRead, operation } from '../../core/operation.ts';
import { getDocument, listDocuments } from './documents.ts';
import { deleteSource, listSources } from './sources.ts';
import { createSource, refreshSource } from './web-sources.ts';

const RESOURCE = 'knowledge_sources';
const ofSource = { records: { id: 'knowledge_source' } } as const;

/** The bot's pages and files. Every agent sees them; admins and tokens change them. */
export const sourceOperations: AnyOperation[] = [
  operation({
    ...ofSource,
    name: 'knowledge_sources.list',
    summary: 'List knowledge sources, newest first, or read one by id',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: RESOURCE, method: 'GET' },
    tool: {
      name: 'list_knowledge_sources',
      description:
        'List the web pages, sitemaps and files that the bot answers from besides articles, with their state, size and use. `problem` says why one could not be read.',
    },
    run: listSources,
  }),
  operation({
    name: 'knowledge_sources.create',
    audit: 'knowledge_source',
    summary: 'Add a web page or sitemap that the bot answers from',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: RESOURCE, method: 'POST', creates: true },
    tool: {
      name: 'create_knowledge_source',
      description:
        'Let the bot answer from a public web page, or from all pages of a sitemap. They are read in the background and again every day; list_knowledge_sources shows the progress.',
    },
    run: createSource,
  }),
  operation({
    ...ofSource,
    name: 'knowledge_sources.delete',
    audit: 'knowledge_source',
    summary: 'Delete a knowledge source with its documents',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: RESOURCE, method: 'DELETE' },
    tool: {
      name: 'delete_knowledge_source',
      description:
        'Delete a page, sitemap or file that the bot answers from. It forgets the text immediately.',
      destructive: true,
    },
    run: (ctx, { id }) => deleteSource(ctx, id),
  }),
  operation({
    ...adminsWrite,
    ...ofSource,
    name: 'knowledge_sources.refresh',
    audit: 'knowledge_source',
    summary: 'Read a page or sitemap again now',
    run: (ctx, { id }) => refreshSource(ctx, id),
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
