import { z } from 'zod';
import { WEBHOOK_LOG_MAX_DAYS } from '../values/bounds.ts';
import { CHOSEN_RETENTION_KINDS, RETENTION_KINDS } from '../values/wire-names.ts';
import { utc } from '../values.ts';

export const retentionKind = z.enum(RETENTION_KINDS);

const chosenKind = z.enum(CHOSEN_RETENTION_KINDS);
export type ChosenRetentionKind = z.infer<typeof chosenKind>;

/** Ten years. */
export const RETENTION_MAX_DAYS = 3660;

/** What would go; it is not counted further than to a bound. */
export const retentionEstimate = z.object({
  count: z.int(),
  /** There may be more. */
  at_least: z.boolean(),
});
export type RetentionEstimate = z.infer<typeof retentionEstimate>;

export const retentionState = z.object({
  kind: retentionKind,
  /** Null: for ever. */
  keep_days: z.int().nullable(),
  /** What goes at the next run; null where nothing ever does. */
  due: retentionEstimate.nullable(),
  /** Null where nothing ever goes. */
  next_run_utc: utc.nullable(),
  running: z.boolean(),
  /** Null: it has not run yet. */
  last_run_utc: utc.nullable(),
  /** The last run that had something to delete: how much, and when. */
  deleted: z.int(),
  deleted_utc: utc.nullable(),
});
export type RetentionState = z.infer<typeof retentionState>;

const keepDays = z.int().min(1).max(RETENTION_MAX_DAYS);

export const retentionContract = {
  'retention.get': {
    input: z.strictObject({}),
    output: z.object({ kinds: z.array(retentionState) }),
  },
  /** What would go now if the kind were kept for so long. */
  'retention.preview': {
    input: z.strictObject({ kind: chosenKind, keep_days: keepDays }),
    output: retentionEstimate,
  },
  'retention.set': {
    input: z
      .strictObject({ kind: chosenKind, keep_days: keepDays.nullable() })
      .refine(
        ({ kind, keep_days }) =>
          kind !== 'webhook_log' || (keep_days !== null && keep_days <= WEBHOOK_LOG_MAX_DAYS),
        {
          path: ['keep_days'],
          message: `must be at most ${WEBHOOK_LOG_MAX_DAYS} days for the log of webhooks`,
        },
      ),
    output: retentionState,
  },
} as const;
