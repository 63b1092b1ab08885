import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { createSamples, getSamples, removeSamples } from './samples.ts';

/** Sample data to try Foyer with. */
export const sampleOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'samples.get',
    summary: 'List sample data: what would be removed, and what the team has edited',
    run: getSamples,
  }),
  operation({
    ...adminsWrite,
    name: 'samples.create',
    summary: 'Add sample articles and starters to a site without articles',
    run: createSamples,
  }),
  operation({
    ...adminsWrite,
    name: 'samples.remove',
    summary: 'Remove sample data that the team hasn’t edited',
    run: removeSamples,
  }),
];
