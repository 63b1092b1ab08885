import { z } from 'zod';
import { RETENTION_KINDS } from '../values/wire-names.ts';
import { utc } from '../values.ts';

/** Why a kind of recipient gets personal data. */
export const RECIPIENT_KINDS = [
  'webhook',
  'email_server',
  'mailbox',
  'language_model',
  'push_service',
  'action',
  'identity_provider',
  'api_tokens',
] as const;

export const processedTable = z.object({
  table: z.string().describe('Where it is stored in the database'),
  columns: z.array(z.string()),
  about: z.string().describe('Which personal data it is'),
  purpose: z.string(),
  kept: z
    .array(z.object({ kind: z.enum(RETENTION_KINDS), keep_days: z.int().nullable() }))
    .describe(
      'By which retention it is deleted, and after how many days; null: never. Empty: with what it belongs to',
    ),
  exported: z.boolean().describe('Part of the export of one person'),
  oldest_utc: utc
    .nullable()
    .describe('When the oldest record began; null if there is none or it has no time'),
  overdue: z.boolean().describe('The oldest record is older than every retention that deletes it'),
});
export type ProcessedTable = z.infer<typeof processedTable>;

export const dataRecipient = z.object({
  kind: z.enum(RECIPIENT_KINDS),
  name: z.string().describe('The host, address or name'),
  gets: z.string(),
});
export type DataRecipient = z.infer<typeof dataRecipient>;

export const processingRecord = z.object({
  site_id: z.int(),
  site: z.string(),
  tables: z.array(processedTable),
  recipients: z.array(dataRecipient),
});
export type ProcessingRecord = z.infer<typeof processingRecord>;

export const processingContract = {
  /** Which personal data the site keeps, why, how long, and who gets it, from the schema and the settings. */
  'processing_record.get': {
    input: z.strictObject({ table: z.string().max(100).optional().describe('Only this table') }),
    output: processingRecord,
  },
  /** The same as a document in Markdown. */
  'processing_record.export': {
    input: z.strictObject({}),
    output: z.object({ text: z.string(), created_utc: utc }),
  },
} as const;
