import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { createSamples, getSamples, removeSamples } from './samples.ts';

/** What came along to try things with. */
export const sampleOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'samples.get',
    summary: 'What came along to try things with: what would go, and what the team has made its own',
    run: getSamples,
  }),
  operation({
    ...adminsWrite,
    name: 'samples.create',
    summary: 'Puts sample articles and starters into a site without articles',
    run: createSamples,
  }),
  operation({
    ...adminsWrite,
    name: 'samples.remove',
    summary: 'Takes away what came along to try things with, but for what the team has made its own',
    run: removeSamples,
  }),
];
