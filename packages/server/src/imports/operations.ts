import { type AnyOperation, operation } from '../core/operation.ts';
import { createImport, deleteImport, getImport, listImports, startImport, stopImport } from './imports.ts';

import { exportProblems } from './problems.ts';

/** Files that an admin brings in. */
export const importOperations: AnyOperation[] = [
  operation({
    name: 'imports.list',
    summary: 'The imports of the last days, and whether the site has room for an archive',
    who: ['admin'],
    scope: 'read',
    run: listImports,
  }),
  operation({
    name: 'imports.get',
    summary: 'How far an import has come',
    who: ['admin'],
    scope: 'read',
    records: { id: 'import' },
    run: (ctx, { id }) => getImport(ctx, id),
  }),
  operation({
    name: 'imports.create',
    summary: 'Announces a file that is to be brought in; its parts are then sent',
    who: ['admin'],
    scope: 'write',
    run: createImport,
  }),
  operation({
    name: 'imports.start',
    summary: 'Has a file put in that was looked through, or gone on with after a failure',
    who: ['admin'],
    scope: 'write',
    records: { id: 'import' },
    run: startImport,
  }),
  operation({
    name: 'imports.stop',
    summary: 'Stops bringing a CSV in; what is in stays',
    who: ['admin'],
    scope: 'write',
    records: { id: 'import' },
    run: (ctx, { id }) => stopImport(ctx, id),
  }),
  operation({
    name: 'imports.problems',
    summary: 'What was not taken of a CSV, as a CSV with the reasons',
    who: ['admin'],
    scope: 'read',
    records: { id: 'import' },
    run: exportProblems,
  }),
  operation({
    name: 'imports.delete',
    summary: 'Takes a file away that is not being put in; what is in stays',
    who: ['admin'],
    scope: 'write',
    records: { id: 'import' },
    run: (ctx, { id }) => deleteImport(ctx, id),
  }),
];
