import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode, type ErrorReason, type IssueReason } from '../errors.ts';
import { ATTRIBUTE_NAME_MAX, CSV_CELLS_MAX } from '../values/bounds.ts';
import { ARCHIVE_KINDS, ATTRIBUTE_FORMS, TICKET_FIELDS, VISITOR_FIELDS } from '../values/wire-names.ts';
import { deleted, id, text, utc } from '../values.ts';

export const IMPORT_KINDS = ['archive', 'visitors', 'tickets'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The largest archive that a server keeps until it is in; the command line takes any. */
export const ARCHIVE_MAX_BYTES = 5 * 1024 ** 3;
/** Of what is wrong with a CSV, the first so many are shown; all are in the file to download. */
export const PROBLEMS_SHOWN = 50;
export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

/** What a column of each kind may be. */
export const VISITOR_TARGETS = ['skip', ...VISITOR_FIELDS, 'attribute'] as const;
export const TICKET_TARGETS = ['skip', ...TICKET_FIELDS] as const;
export type CsvTarget = (typeof VISITOR_TARGETS)[number] | (typeof TICKET_TARGETS)[number];

export const csvColumn = z.strictObject({
  to: z.enum([...new Set([...VISITOR_TARGETS, ...TICKET_TARGETS])]),
  /** Of an attribute. */
  name: text(1, ATTRIBUTE_NAME_MAX).optional(),
  as: z.enum(ATTRIBUTE_FORMS).optional(),
});
export type CsvColumn = z.infer<typeof csvColumn>;

/** What is in a CSV. */
export const csvFound = z.object({
  encoding: z.enum(CSV_ENCODINGS),
  columns: z.array(z.string()),
  rows: z.int(),
  /** The first rows, long cells cut. */
  samples: z.array(z.array(z.string())),
  /** What each column seems to be. */
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

/** A site of so many records has only been tried out: they may go to make room for an archive. */
export const TRIAL_RECORDS_MAX = 200;

/** Records that keep an archive out of a site, as they are counted. */
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

const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);
/** A refusal that was kept, as the desk says it. */
const failure = z.object({
  code: errorCode,
  message: z.string(),
  reason: z.custom<ErrorReason>((value) => typeof value === 'string').optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

/** What is in an archive. */
export const archiveFound = z.object({
  /** Of this archive alone. */
  id: z.string(),
  site_name: z.string(),
  made_utc: z.string(),
  /** The version that made it. */
  foyer: z.string(),
  counts: z.object(Object.fromEntries(ARCHIVE_KINDS.map((kind) => [kind, z.int()]))),
  /** All records, those of other kinds too. */
  records: z.int(),
  /** Pieces that it is put in by. */
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
  /** Records that are in. */
  taken: z.int(),
  not_taken: z.int(),
  /** Of a CSV: those that changed something that was there, and those that changed nothing. */
  updated: z.int(),
  unchanged: z.int(),
  /** Of a CSV: the first that were not taken. */
  problems: z.array(csvProblem),
  /** Of an archive: why some are not in, the first of each kind. */
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
      /** Those of the last days, newest first. */
      imports: z.array(dataImport),
      /** What the site has that an archive would have to make room for, and whether it may go for one. */
      there: z.object({
        counts: z.array(z.object({ kind: z.enum(SITE_RECORD_KINDS), count: z.int() })),
        is_trial: z.boolean(),
        /** An archive was imported into the site, or was begun to be. */
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
  /** Puts in what was looked through; one that has failed goes on where it was. */
  'imports.start': {
    input: z.strictObject({
      id,
      /** The records that the site has go first. */
      replace: z.boolean().default(false),
      /** What the columns of a CSV are, one for each. */
      columns: z.array(csvColumn).max(CSV_CELLS_MAX).optional(),
    }),
    output: dataImport,
  },
  /** Stops a CSV; what is in stays. */
  'imports.stop': { input: z.strictObject({ id }), output: dataImport },
  /** What was not taken of a CSV, as one: the line, why, and the cells as they were. */
  'imports.problems': {
    input: z.strictObject({
      id,
      /** `next` of the part before. */
      after: z.int().min(0).optional(),
    }),
    output: z.object({ text: z.string(), next: z.int().nullable() }),
  },
  'imports.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
