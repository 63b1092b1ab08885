import { z } from 'zod';
import { paging } from '../values.ts';
import { bulkTarget } from './bulk-changes.ts';

const exportKind = z.enum(['tickets', 'chats']);
export type ExportKind = z.infer<typeof exportKind>;

export const exportContract = {
  /** One kind of what a list of the inbox shows. `after`: the `next` of the previous part. */
  'inbox.export': {
    input: z.strictObject({ kind: exportKind, of: bulkTarget, after: paging.cursor }),
    output: z.object({ text: z.string(), next: z.string().nullable() }),
  },
} as const;
