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

/** Legacy training rows and their move into the articles; the dashboard's alone. */
export const trainingOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'training_rows',
    record: 'training_row',
    who: ['agent'],
    list: { summary: 'Questions with their answers, newest first', run: listTrainingRows },
    create: { summary: 'Adds a question with its answer', run: createTrainingRow },
    update: { summary: 'Changes a training row', run: updateTrainingRow },
    delete: { summary: 'Deletes a training row', run: (ctx, { id }) => deleteTrainingRow(ctx, id) },
  }),
  operation({
    ...adminsWrite,
    name: 'training_rows.import',
    audit: 'articles',
    summary: 'Imports a CSV text; again changes nothing',
    run: (ctx, { text }) => importTraining(ctx, text),
  }),
  operation({
    ...adminsWrite,
    name: 'training_moves.start',
    audit: 'articles',
    summary: 'Makes each row that is not moved yet an article',
    run: startMove,
  }),
  operation({
    ...agentsRead,
    name: 'training_moves.get',
    summary: 'How far the move is',
    run: (ctx) => getMove(ctx),
  }),
];
