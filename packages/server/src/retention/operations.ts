import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { countOlder, getRetention, setRetention } from './rules.ts';

/** How long each kind of data is kept. */
export const retentionOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'retention.get',
    summary: 'How long each kind of data is kept, what is due to go, and what went last',
    run: getRetention,
  }),
  operation({
    ...adminsRead,
    name: 'retention.preview',
    summary: 'How much of a kind would go now if it were kept for so many days',
    run: (ctx, { kind, keep_days }) => countOlder(ctx, kind, keep_days),
  }),
  operation({
    ...adminsWrite,
    name: 'retention.set',
    audit: 'site',
    summary: 'Chooses how long a kind of data is kept',
    run: setRetention,
  }),
];
