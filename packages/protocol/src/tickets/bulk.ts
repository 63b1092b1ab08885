import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode, type ErrorReason } from '../errors.ts';
import { id, time } from '../values.ts';
import { someTagNames } from './macros.ts';
import { ticketPriority, ticketStatus } from './tickets.ts';

export const BULK_MAX = 500;

const ids = z
  .array(id)
  .min(1, 'must have at least one ticket')
  .max(BULK_MAX, `must have at most ${BULK_MAX} tickets`);

/** The action on each of many tickets. Each has its own fields and accepts no others. */
export const bulkAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('set_status'), status: ticketStatus }),
  z.strictObject({ action: z.literal('set_priority'), priority: ticketPriority }),
  z.strictObject({ action: z.literal('assign'), assignee_id: id.nullable() }),
  z.strictObject({ action: z.literal('assign_team'), team_id: id.nullable() }),
  z.strictObject({ action: z.literal('add_tags'), tags: someTagNames }),
  z.strictObject({ action: z.literal('remove_tags'), tags: someTagNames }),
  z.strictObject({ action: z.literal('snooze'), until_utc: time.nullable() }),
  z.strictObject({ action: z.literal('set_spam'), spam: z.boolean() }),
  z.strictObject({ action: z.literal('apply_macro'), macro_id: id }),
  z.strictObject({ action: z.literal('delete') }),
]);
export type BulkAction = z.output<typeof bulkAction>;
export type BulkChange = BulkAction & { ids: number[] };

export const BULK_ACTIONS = bulkAction.options.map((option) => option.shape.action.value);

/**
 * Flat for readers of the JSON Schema (a form, a model's tool), which need one object with named fields. The union
 * behind it defines what each action requires and forbids.
 */
const bulkInput = z
  .strictObject({
    ids,
    action: z.enum(BULK_ACTIONS),
    status: ticketStatus.optional().describe('of `set_status`'),
    priority: ticketPriority.optional().describe('of `set_priority`'),
    assignee_id: id.nullable().optional().describe('for `assign`; null unassigns the ticket'),
    team_id: id.nullable().optional().describe('for `assign_team`; null: no team'),
    tags: someTagNames.optional().describe('of `add_tags` and `remove_tags`'),
    until_utc: time.nullable().optional().describe('for `snooze`; null wakes the ticket'),
    spam: z.boolean().optional().describe('for `set_spam`; false marks the ticket as not spam'),
    macro_id: id.optional().describe('of `apply_macro`'),
  })
  .meta({ examples: [{ ids: [42, 43], action: 'set_priority', priority: 'high' }] })
  .transform(({ ids: named, ...input }, ctx): BulkChange => {
    const { data, error } = bulkAction.safeParse(input);
    if (data) return { ...data, ids: named };
    for (const issue of error.issues) {
      if (issue.code !== 'unrecognized_keys') {
        ctx.addIssue({
          code: 'custom',
          path: issue.path,
          message: `${input.action} requires it: ${issue.message}`,
        });
        continue;
      }
      for (const key of issue.keys)
        ctx.addIssue({ code: 'custom', path: [key], message: `isn’t a field of ${input.action}` });
    }
    return z.NEVER;
  });

export const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);
/** A stored error, in the desk's format. */
export const failure = z.object({
  code: errorCode,
  message: z.string(),
  reason: z.custom<ErrorReason>((value) => typeof value === 'string').optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export const bulkResult = z.object({
  succeeded: z.array(id),
  failed: z.array(z.object({ id, code: errorCode, message: z.string() })),
});
export type BulkResult = z.infer<typeof bulkResult>;

export const bulkContract = {
  'tickets_bulk.change': { input: bulkInput, output: bulkResult },
} as const;
