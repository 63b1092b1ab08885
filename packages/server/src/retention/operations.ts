import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { countOlder, getRetention, setRetention } from './rules.ts';

/** How long each kind of data is kept. */
export const retentionOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'retention.get',
    summary: 'Read the retention of each kind of data, what is due and what was deleted last',
    run: getRetention,
  }),
  operation({
    ...adminsRead,
    name: 'retention.preview',
    summary: 'Preview how much a retention period would delete',
    run: (ctx, { kind, keep_days }) => countOlder(ctx, kind, keep_days),
  }),
  operation({
    ...adminsWrite,
    name: 'retention.set',
    audit: 'site',
    summary: 'Set the retention of a kind of data',
    run: setRetention,
  }),
];
