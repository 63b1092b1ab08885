import { type AnyOperation, operation } from '../core/operation.ts';
import { countOlder, getRetention, setRetention } from './rules.ts';

/** How long each kind of data is kept. */
export const retentionOperations: AnyOperation[] = [
  operation({
    name: 'retention.get',
    summary: 'How long each kind of data is kept, what is due to go, and what went last',
    who: ['admin'],
    scope: 'read',
    run: getRetention,
  }),
  operation({
    name: 'retention.preview',
    summary: 'How much of a kind would go now if it were kept for so many days',
    who: ['admin'],
    scope: 'read',
    run: (ctx, { kind, keep_days }) => countOlder(ctx, kind, keep_days),
  }),
  operation({
    name: 'retention.set',
    audit: 'site',
    summary: 'Chooses how long a kind of data is kept',
    who: ['admin'],
    scope: 'write',
    run: setRetention,
  }),
];
