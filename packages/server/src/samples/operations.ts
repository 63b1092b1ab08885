import { type AnyOperation, operation } from '../core/operation.ts';
import { createSamples, getSamples, removeSamples } from './samples.ts';

/** What came along to try things with. */
export const sampleOperations: AnyOperation[] = [
  operation({
    name: 'samples.get',
    summary: 'What came along to try things with: what would go, and what the team has made its own',
    who: ['admin'],
    scope: 'read',
    run: getSamples,
  }),
  operation({
    name: 'samples.create',
    summary: 'Puts sample articles and starters into a site without articles',
    who: ['admin'],
    scope: 'write',
    run: createSamples,
  }),
  operation({
    name: 'samples.remove',
    summary: 'Takes away what came along to try things with, but for what the team has made its own',
    who: ['admin'],
    scope: 'write',
    run: removeSamples,
  }),
];
