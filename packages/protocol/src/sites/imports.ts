import { z } from 'zod';
import type { IssueReason } from '../errors.ts';
import { failure } from '../tickets/bulk.ts';
import { ATTRIBUTE_NAME_MAX, CSV_CELLS_MAX } from '../values/bounds.ts';
import { ARCHIVE_KINDS, ATTRIBUTE_FORMS, TICKET_FIELDS, VISITOR_FIELDS } from '../values/wire-names.ts';
import { deleted, id, text, utc } from '../values.ts';

export const IMPORT_KINDS = ['archive', 'visitors', 'tickets'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The largest archive that a server accepts. The command line accepts any. */
export const ARCHIVE_MAX_BYTES = 5 * 1024 ** 3;
/** How many problems of a CSV are shown. The file to download has all. */
export const PROBLEMS_SHOWN = 50;
export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

/** What a column can be, by kind of import. */
export const VISITOR_TARGETS = ['skip', ...VISITOR_FIELDS, 'attribute'] as const;
export const TICKET_TARGETS = ['skip', ...TICKET_FIELDS, 'field'] as const;
export type CsvTarget = (typeof VISITOR_TARGETS)[number] | (typeof TICKET_TARGETS)[number];

export const csvColumn = z.strictObject({
  to: z.enum([...new Set([...VISITOR_TARGETS, ...TICKET_TARGETS])]),
  /** The name of the attribute, or the key of the custom field. */
  name: text(1, ATTRIBUTE_NAME_MAX).optional(),
  as: z.enum(ATTRIBUTE_FORMS).optional(),
});
export type CsvColumn = z.infer<typeof csvColumn>;

/** What a CSV contains. */
export const csvFound = z.object({
  encoding: z.enum(CSV_ENCODINGS),
  columns: z.array(z.string()),
  rows: z.int(),
  /** The first rows, with long cells cut. */
  samples: z.array(z.array(z.string())),
  /** The guessed field of each column. */
  guess: z.array(csvColumn),
});
export type CsvFound = z.infer<typeof csvFound>;

const csvProblem = z.object({
  line: z.int(),
  issues: z.array(
    z.object({
      path: z.string(),
      message: z.string(),
      reason: z.custom<IssueReason>((value) => typeof value === 'string').optional(),
      values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    }),
  ),
});

/**
 * With up to this many records, a site has only been tried out: they may be deleted to make room for an archive.
 */
export const TRIAL_RECORDS_MAX = 200;

/** Kinds of records that prevent importing an archive. */
export const SITE_RECORD_KINDS = [
  'visitors',
  'conversations',
  'tickets',
  'articles',
  'tags',
  'macros',
  'segments',
] as const;
export type SiteRecordKind = (typeof SITE_RECORD_KINDS)[number];

/** What an archive contains. */
export const archiveFound = z.object({
  /** Identifies this archive. */
  id: z.string(),
  site_name: z.string(),
  made_utc: z.string(),
  /** The Foyer version that created it. */
  foyer: z.string(),
  counts: z.object(Object.fromEntries(ARCHIVE_KINDS.map((kind) => [kind, z.int()]))),
  /** All records, including kinds that aren't listed. */
  records: z.int(),
  /** The number of its entries. */
  entries: z.int(),
});
export type ArchiveFound = z.infer<typeof archiveFound>;

export const dataImport = z.object({
  id,
  kind: z.enum(IMPORT_KINDS),
  state: z.enum(['sending', 'looking', 'ready', 'running', 'done', 'failed']),
  file_name: z.string(),
  bytes: z.int(),
  agent: z.object({ id, name: z.string() }),
  archive: archiveFound.nullable(),
  csv: csvFound.nullable(),
  done: z.int(),
  total: z.int(),
  /** Imported records. */
  taken: z.int(),
  not_taken: z.int(),
  /** For a CSV: records that changed something, and those that changed nothing. */
  updated: z.int(),
  unchanged: z.int(),
  /** For a CSV: the first skipped rows. */
  problems: z.array(csvProblem),
  /** For an archive: why records were skipped, the first of each kind. */
  refused: z.array(z.object({ table: z.string(), reason: z.string() })),
  failure: failure.nullable(),
  created_utc: utc,
  finished_utc: utc.nullable(),
});
export type DataImport = z.infer<typeof dataImport>;

export const importsContract = {
  'imports.list': {
    input: z.strictObject({}),
    output: z.object({
      /** Imports of the last days, newest first. */
      imports: z.array(dataImport),
      /** The site's records that are in the way of an archive, and whether they may be deleted. */
      there: z.object({
        counts: z.array(z.object({ kind: z.enum(SITE_RECORD_KINDS), count: z.int() })),
        is_trial: z.boolean(),
        /** Whether an archive was imported into the site, or its import has begun. */
        archive: z.enum(['none', 'begun', 'done']),
      }),
    }),
  },
  'imports.create': {
    input: z.strictObject({
      kind: z.enum(IMPORT_KINDS),
      file_name: text(1, 200),
      /** An archive has at most ARCHIVE_MAX_BYTES. */
      bytes: z.int().min(1, 'must not be empty'),
    }),
    output: dataImport,
  },
  'imports.get': { input: z.strictObject({ id }), output: dataImport },
  /** Imports a checked file. A failed import continues where it stopped. */
  'imports.start': {
    input: z.strictObject({
      id,
      /** The site's existing records are deleted first. */
      replace: z.boolean().default(false),
      /** The field of each column of a CSV. */
      columns: z.array(csvColumn).max(CSV_CELLS_MAX).optional(),
    }),
    output: dataImport,
  },
  /** Stops the import of a CSV. Imported rows stay. */
  'imports.stop': { input: z.strictObject({ id }), output: dataImport },
  /** The skipped rows of a CSV as a CSV: line, reason, and the original cells. */
  'imports.problems': {
    input: z.strictObject({
      id,
      /** The `next` of the previous part. */
      after: z.int().min(0).optional(),
    }),
    output: z.object({ text: z.string(), next: z.int().nullable() }),
  },
  'imports.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
