import { type AnyOperation, operation } from '../core/operation.ts';
import { createArchive, getArchive } from './archives.ts';

/** A site as one file. */
export const siteArchiveOperations: AnyOperation[] = [
  operation({
    name: 'site_archives.get',
    summary: 'The archive of the site that one has asked for, and its link',
    who: ['admin'],
    scope: 'read',
    run: getArchive,
  }),
  operation({
    name: 'site_archives.create',
    audit: 'site',
    summary: 'Begins to make an archive of everything of the site',
    who: ['admin'],
    scope: 'write',
    run: createArchive,
  }),
];
