import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { createArchive, getArchive } from './archives.ts';

/** A site as one file. */
export const siteArchiveOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'site_archives.get',
    summary: 'The archive of the site that one has asked for, and its link',
    run: getArchive,
  }),
  operation({
    ...adminsWrite,
    name: 'site_archives.create',
    audit: 'site',
    summary: 'Begins to make an archive of everything of the site',
    run: createArchive,
  }),
];
