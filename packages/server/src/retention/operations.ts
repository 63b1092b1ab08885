import { type AnyOperation, adminsRead, adminsWrite, operation } from '../core/operation.ts';
import { processingRecord } from './processing-record.ts';
import { recordText } from './record-text.ts';
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
    name: 'processing_record.get',
    summary: 'Read which personal data the site keeps, why, how long, and who gets it',
    who: ['token', 'admin'],
    scope: 'read',
    rest: { resource: 'processing_record', method: 'GET' },
    mayLag: true,
    tool: {
      name: 'get_processing_record',
      description:
        'Read the processing record of the site: which personal data of visitors and customers is stored, why, how long, the age of the oldest record, and who gets it.',
    },
    run: processingRecord,
  }),
  operation({
    ...adminsRead,
    name: 'processing_record.export',
    summary: 'Read the processing record as a document',
    mayLag: true,
    async run(ctx) {
      const record = await processingRecord(ctx);
      return { text: recordText(record, ctx.now()), created_utc: ctx.now().toISOString() };
    },
  }),
  operation({
    ...adminsWrite,
    name: 'retention.set',
    audit: 'site',
    summary: 'Set the retention of a kind of data',
    run: setRetention,
  }),
];
