import { z } from 'zod';
import { SEARCH_MAX } from '../values/bounds.ts';
import { STATE_QUEUES } from '../values/inbox-queues.ts';
import { id, paging, text } from '../values.ts';
import { bulkTarget } from './bulk-changes.ts';
import { inboxFilterFields } from './inbox-filter.ts';

const exportKind = z.enum(['tickets', 'chats']);
export type ExportKind = z.infer<typeof exportKind>;

const exported = z.object({
  text: z.string().describe('CSV. Only the first part has the header row'),
  next: z.string().nullable().describe('For `after`, to read the next part; null: there is none'),
});

export const exportContract = {
  /** One kind of what a list of the inbox shows. `after`: the `next` of the previous part. */
  'inbox.export': {
    input: z.strictObject({ kind: exportKind, of: bulkTarget, after: paging.cursor }),
    output: exported,
  },
  /** The same for other programs, with the filter in the query. */
  'exports.get': {
    input: z
      .strictObject({
        kind: exportKind.default('tickets'),
        queue: z
          .enum(STATE_QUEUES)
          .exclude(['mine'])
          .optional()
          .describe('By default everything that is neither snoozed nor spam'),
        q: text(1, SEARCH_MAX).optional().describe('Full-text search, of which the first 2,000 are exported'),
        view: id.optional().describe('The tickets of a saved view'),
        ...inboxFilterFields,
        after: paging.cursor.describe('The `next` of the previous part'),
      })
      .superRefine(({ kind, queue, q, view }, ctx) => {
        const refuse = (path: string, message: string) =>
          ctx.addIssue({ code: 'custom', path: [path], message });
        if (queue !== undefined && q !== undefined) refuse('q', 'can’t be combined with queue');
        if (queue !== undefined && view !== undefined) refuse('view', 'can’t be combined with queue');
        if (kind === 'chats' && view !== undefined) refuse('view', 'has only tickets');
      }),
    output: exported,
  },
} as const;
