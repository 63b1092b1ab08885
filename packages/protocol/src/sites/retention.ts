import { z } from 'zod';
import { WEBHOOK_LOG_MAX_DAYS } from '../values/bounds.ts';
import { CHOSEN_RETENTION_KINDS, RETENTION_KINDS } from '../values/wire-names.ts';
import { utc } from '../values.ts';

export const retentionKind = z.enum(RETENTION_KINDS);

const chosenKind = z.enum(CHOSEN_RETENTION_KINDS);
export type ChosenRetentionKind = z.infer<typeof chosenKind>;

/** Ten years. */
export const RETENTION_MAX_DAYS = 3660;

/** What would be deleted. Counting stops at a limit. */
export const retentionEstimate = z.object({
  count: z.int(),
  /** There may be more. */
  at_least: z.boolean(),
});
export type RetentionEstimate = z.infer<typeof retentionEstimate>;

export const retentionState = z.object({
  kind: retentionKind,
  /** Null: forever. */
  keep_days: z.int().nullable(),
  /** What the next run deletes; null if nothing is ever deleted. */
  due: retentionEstimate.nullable(),
  /** Null if nothing is ever deleted. */
  next_run_utc: utc.nullable(),
  running: z.boolean(),
  /** Null: it hasn't run yet. */
  last_run_utc: utc.nullable(),
  /** How much the last run that deleted something deleted, and when. */
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
  /** What would be deleted now if the kind were kept for this long. */
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
