import { z } from 'zod';

/** What takes storage in the database. */
export const STORAGE_KINDS = [
  'chats',
  'tickets',
  'visitors',
  'events',
  'knowledge',
  'files',
  'webhook_log',
  'audit_log',
] as const;

/** How many days the usage page shows, including today. */
export const USAGE_DAYS = 30;

export const usageContract = {
  /** Oldest first, including days without usage. Days are in UTC. */
  'usage.days': {
    input: z.strictObject({}),
    output: z.object({
      days: z.array(
        z.object({
          day: z.string(),
          ai_replies: z.int(),
          bot_tokens_input: z.int(),
          bot_tokens_output: z.int(),
          /** Of all API tokens. */
          requests: z.int(),
        }),
      ),
    }),
  },
  'usage.storage': {
    input: z.strictObject({}),
    output: z.object({
      /**
       * Sizes are estimated from the site's share of each table, and so are counts above 5,000; for up to 5,000
       * files both are exact.
       */
      kinds: z.array(z.object({ kind: z.enum(STORAGE_KINDS), records: z.int(), bytes: z.int() })),
      /** The operator's limit for the site's files; null: no limit. */
      files_max_bytes: z.int().nullable(),
    }),
  },
} as const;
