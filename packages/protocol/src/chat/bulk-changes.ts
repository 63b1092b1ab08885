import { z } from 'zod';
import { ERROR_REASONS } from '../errors.ts';
import { bulkAction, errorCode } from '../tickets/bulk.ts';
import { BULK_CHANGE_MAX } from '../values/bounds.ts';
import { id, sessionId, utc } from '../values.ts';
import { inboxList, inboxQueue, inboxSearch } from './inbox.ts';

/** How many records can be named one by one. */
export const BULK_CHOSEN_MAX = 5_000;
/** How many failed records a change lists, with their reasons. */
export const BULK_FAILURES_SHOWN = 500;

/** The records selected in the inbox: these, or all that a queue, filter or search shows when the change begins. */
export const bulkTarget = z.union([
  z
    .strictObject({
      tickets: z.array(id).max(BULK_CHOSEN_MAX),
      sessions: z.array(sessionId).max(BULK_CHOSEN_MAX),
    })
    .refine(({ tickets, sessions }) => tickets.length + sessions.length > 0, 'must select something'),
  z.strictObject({ queue: inboxQueue }),
  z.strictObject({ search: inboxSearch }),
  z.strictObject({ list: inboxList }),
]);
export type BulkTarget = z.output<typeof bulkTarget>;

/** `finish` closes chats and solves tickets. An action that chats don't have fails for them. */
export const bulkChangeAction = z.discriminatedUnion('action', [
  ...bulkAction.options,
  z.strictObject({ action: z.literal('finish') }),
]);
export type BulkChangeAction = z.output<typeof bulkChangeAction>;

const BULK_ACTIONS = bulkChangeAction.options.map(({ shape }) => shape.action.value);

export const bulkChangeState = z.object({
  id,
  total: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** The first `BULK_FAILURES_SHOWN`. One of the two ids is null. */
  failures: z.array(
    z.object({
      ticket_id: id.nullable(),
      session_id: sessionId.nullable(),
      code: errorCode,
      message: z.string(),
      reason: z.enum(ERROR_REASONS).nullable(),
      values: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
    }),
  ),
  /** How many of its changes can be undone. */
  undoable: z.int(),
  finished_utc: utc.nullable(),
});
export type BulkChangeState = z.infer<typeof bulkChangeState>;

export const bulkChangesContract = {
  'bulk_changes.count': {
    input: z.strictObject({
      of: bulkTarget,
      most: z.int().min(1).max(BULK_CHANGE_MAX).default(BULK_CHANGE_MAX),
    }),
    /** `count` is at most one more than `most`: counting stops there. */
    output: z.object({ count: z.int() }),
  },
  'bulk_changes.start': {
    input: z.strictObject({ of: bulkTarget, change: bulkChangeAction }),
    output: bulkChangeState,
  },
  /** The caller's own change that is running or has just ended, for a page that is loaded meanwhile. */
  'bulk_changes.latest': {
    input: z.strictObject({}),
    /** `action` null: it undoes another change. */
    output: z.object({
      latest: bulkChangeState.extend({ action: z.enum(BULK_ACTIONS).nullable() }).nullable(),
    }),
  },
  'bulk_changes.get': { input: z.strictObject({ id }), output: bulkChangeState },
  /** A bulk change of its own. Records changed again since stay as they are, and count as failed. */
  'bulk_changes.undo': { input: z.strictObject({ id }), output: bulkChangeState },
} as const;
