import { z } from 'zod';

/** What takes room in the database. */
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

/** Days that the page about usage looks back, today included. */
export const USAGE_DAYS = 30;

export const usageContract = {
  /** Oldest first, a day each, those of nothing too; days are those of UTC. */
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
      /** Sizes are estimated from the site's part of each table, and so are more than 20,000 records; of files both are exact. */
      kinds: z.array(z.object({ kind: z.enum(STORAGE_KINDS), records: z.int(), bytes: z.int() })),
    }),
  },
} as const;
