import { type AnyOperation, operation } from '../../core/operation.ts';
import { getMove, startMove } from './move.ts';
import {
  createTrainingRow,
  deleteTrainingRow,
  importTraining,
  listTrainingRows,
  updateTrainingRow,
} from './training.ts';

const ofRow = { records: { id: 'training_row' } } as const;

/** Legacy training rows and their move into the articles; the dashboard's alone. */
export const trainingOperations: AnyOperation[] = [
  operation({
    name: 'training_rows.list',
    summary: 'Questions with their answers, newest first',
    who: ['agent'],
    scope: 'read',
    run: listTrainingRows,
  }),
  operation({
    name: 'training_rows.create',
    summary: 'Adds a question with its answer',
    who: ['agent'],
    scope: 'write',
    run: createTrainingRow,
  }),
  operation({
    ...ofRow,
    name: 'training_rows.update',
    summary: 'Changes a training row',
    who: ['agent'],
    scope: 'write',
    run: updateTrainingRow,
  }),
  operation({
    ...ofRow,
    name: 'training_rows.delete',
    summary: 'Deletes a training row',
    who: ['agent'],
    scope: 'write',
    run: (ctx, { id }) => deleteTrainingRow(ctx, id),
  }),
  operation({
    name: 'training_rows.import',
    audit: 'articles',
    summary: 'Imports a CSV text; again changes nothing',
    who: ['admin'],
    scope: 'write',
    run: (ctx, { text }) => importTraining(ctx, text),
  }),
  operation({
    name: 'training_moves.start',
    audit: 'articles',
    summary: 'Makes each row that is not moved yet an article',
    who: ['admin'],
    scope: 'write',
    run: startMove,
  }),
  operation({
    name: 'training_moves.get',
    summary: 'How far the move is',
    who: ['agent'],
    scope: 'read',
    run: (ctx) => getMove(ctx),
  }),
];
