import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { createImport, deleteImport, getImport, listImports, startImport, stopImport } from './imports.ts';

import { exportProblems } from './problems.ts';

/** Files that an admin brings in. */
export const importOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'imports.list',
    summary: 'The imports of the last days, and whether the site has room for an archive',
    run: listImports,
  }),
  operation({
    ...adminsRead,
    name: 'imports.get',
    summary: 'How far an import has come',
    records: { id: 'import' },
    run: (ctx, { id }) => getImport(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'imports.create',
    summary: 'Announces a file that is to be brought in; its parts are then sent',
    run: createImport,
  }),
  operation({
    ...adminsWrite,
    name: 'imports.start',
    summary: 'Has a file put in that was looked through, or gone on with after a failure',
    records: { id: 'import' },
    run: startImport,
  }),
  operation({
    ...adminsWrite,
    name: 'imports.stop',
    summary: 'Stops bringing a CSV in; what is in stays',
    records: { id: 'import' },
    run: (ctx, { id }) => stopImport(ctx, id),
  }),
  operation({
    ...adminsRead,
    name: 'imports.problems',
    summary: 'What was not taken of a CSV, as a CSV with the reasons',
    records: { id: 'import' },
    run: exportProblems,
  }),
  operation({
    ...adminsWrite,
    name: 'imports.delete',
    summary: 'Takes a file away that is not being put in; what is in stays',
    records: { id: 'import' },
    run: (ctx, { id }) => deleteImport(ctx, id),
  }),
];
