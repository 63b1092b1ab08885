import { type AnyOperation, adminsWrite, agentsRead, operation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { getMove, startMove } from './move.ts';
import {
  createTrainingRow,
  deleteTrainingRow,
  importTraining,
  listTrainingRows,
  updateTrainingRow,
} from './training.ts';

/** Legacy training rows and their move into the articles; for the desk only. */
export const trainingOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'training_rows',
    record: 'training_row',
    who: ['agent'],
    list: { summary: 'List training rows, newest first', run: listTrainingRows },
    create: { summary: 'Create a training row', run: createTrainingRow },
    update: { summary: 'Update a training row', run: updateTrainingRow },
    delete: { summary: 'Delete a training row', run: (ctx, { id }) => deleteTrainingRow(ctx, id) },
  }),
  operation({
    ...adminsWrite,
    name: 'training_rows.import',
    audit: 'articles',
    summary: 'Import training rows from CSV; safe to repeat',
    run: (ctx, { text }) => importTraining(ctx, text),
  }),
  operation({
    ...adminsWrite,
    name: 'training_moves.start',
    audit: 'articles',
    summary: 'Convert the remaining training rows into articles',
    run: startMove,
  }),
  operation({
    ...agentsRead,
    name: 'training_moves.get',
    summary: 'Read the progress of the conversion',
    run: (ctx) => getMove(ctx),
  }),
];
