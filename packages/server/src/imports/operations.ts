import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { createImport, deleteImport, getImport, listImports, startImport, stopImport } from './imports.ts';

import { exportProblems } from './problems.ts';

/** Imports of files by admins. */
export const importOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'imports.list',
    summary: 'List recent imports, and whether the site can import an archive',
    run: listImports,
  }),
  operation({
    ...adminsRead,
    name: 'imports.get',
    summary: 'Read the progress of an import',
    records: { id: 'import' },
    run: (ctx, { id }) => getImport(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'imports.create',
    summary: 'Start an import; the parts of its file are sent next',
    run: createImport,
  }),
  operation({
    ...adminsWrite,
    name: 'imports.start',
    summary: 'Import a checked file, or continue a failed import',
    records: { id: 'import' },
    run: startImport,
  }),
  operation({
    ...adminsWrite,
    name: 'imports.stop',
    summary: 'Stop a CSV import; imported rows stay',
    records: { id: 'import' },
    run: (ctx, { id }) => stopImport(ctx, id),
  }),
  operation({
    ...adminsRead,
    name: 'imports.problems',
    summary: 'Export the skipped rows of a CSV import with the reasons, as CSV',
    records: { id: 'import' },
    run: exportProblems,
  }),
  operation({
    ...adminsWrite,
    name: 'imports.delete',
    summary: 'Remove an import that isn’t running; imported rows stay',
    records: { id: 'import' },
    run: (ctx, { id }) => deleteImport(ctx, id),
  }),
];
