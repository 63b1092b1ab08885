import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { createArchive, getArchive } from './archives.ts';

/** A site as one file. */
export const siteArchiveOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'site_archives.get',
    summary: 'Read the status and link of the requested site archive',
    run: getArchive,
  }),
  operation({
    ...adminsWrite,
    name: 'site_archives.create',
    audit: 'site',
    summary: 'Start creating an archive of the site',
    run: createArchive,
  }),
];
