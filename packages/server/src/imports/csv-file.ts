import {
  CSV_CELLS_MAX,
  CSV_ENCODINGS,
  CSV_ROWS_MAX,
  type CsvEncoding,
  type CsvFound,
  type ErrorReason,
} from '@foyer/protocol';
import { type CsvRecord, csvRecords } from '../base/csv.ts';
import { AppError } from '../base/errors.ts';
import type { CustomField } from './custom-cells.ts';
import { type CsvKind, guessColumns } from './guess-columns.ts';

const SAMPLES = 5;
const SAMPLE_CHARS = 80;
/** How many records are read before other work gets a turn. */
const BREATH = 500;

const refusal = (reason: ErrorReason, message: string, count = 0): AppError =>
  new AppError('invalid_input', message, { reason, values: { count } });

/**
 * By the byte order mark; without one, UTF-16 is recognised by its zeros, then valid UTF-8, and otherwise it is the
 * encoding of older Windows programs.
 */
function encodingOf(bytes: Buffer): CsvEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length > 1 && bytes[1] === 0 && bytes[0] !== 0) return 'utf-16le';
  if (bytes.length > 1 && bytes[0] === 0 && bytes[1] !== 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

interface CsvText {
  encoding: CsvEncoding;
  text: string;
}

/** @throws AppError 400 for a file that is no text */
export function decodeCsv(bytes: Buffer): CsvText {
  const encoding = CSV_ENCODINGS.find((one) => one === encodingOf(bytes)) ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) throw refusal('csv_none', 'This isn’t a CSV file.');
  return { encoding, text };
}

/** Removes the character that an export puts before a cell so that spreadsheets don't run it. */
const asWritten = (cell: string): string => (/^'\s*[=+\-@]/.test(cell) ? cell.slice(1) : cell);

/** The records after the header row, with pauses for other work. */
export async function* rowsOf(text: string): AsyncGenerator<CsvRecord> {
  let count = 0;
  for (const record of csvRecords(text)) {
    if (count > 0) yield { ...record, cells: record.cells.map(asWritten) };
    count += 1;
    if (count % BREATH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function headsOf(text: string): string[] {
  const [first] = csvRecords(text);
  if (!first || first.fault)
    throw refusal('csv_none', 'This isn’t a CSV file: its first line has no column names.');
  if (first.more)
    throw refusal('csv_columns', `The file has more than ${CSV_CELLS_MAX} columns.`, CSV_CELLS_MAX);
  const heads = first.cells.map((head) => head.trim().slice(0, 100));
  if (!heads.some(Boolean))
    throw refusal('csv_none', 'This isn’t a CSV file: its first line has no column names.');
  return heads;
}

/**
 * Reads a CSV file and guesses its columns.
 * @throws AppError 400 for a file that is no CSV, is empty or has too much
 */
export async function lookIntoCsv(
  kind: CsvKind,
  bytes: Buffer,
  fields: readonly CustomField[] = [],
): Promise<CsvFound> {
  const { encoding, text } = decodeCsv(bytes);
  const columns = headsOf(text);
  const samples: string[][] = [];
  let rows = 0;
  for await (const { cells } of rowsOf(text)) {
    rows += 1;
    if (rows > CSV_ROWS_MAX)
      throw refusal('csv_rows', `The file has more than ${CSV_ROWS_MAX} rows.`, CSV_ROWS_MAX);
    if (samples.length < SAMPLES && cells.length > 0)
      samples.push(columns.map((_, at) => (cells[at] ?? '').trim().slice(0, SAMPLE_CHARS)));
  }
  if (rows === 0) throw refusal('csv_empty', 'The file has a header but no rows.');
  return { encoding, columns, rows, samples, guess: guessColumns(kind, columns, samples, fields) };
}
