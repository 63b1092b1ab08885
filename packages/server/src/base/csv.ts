import { CSV_CELLS_MAX } from '@foyer/protocol';

/** One record of a CSV text: its cells, and the number of the line it starts on, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the record can't be read. Reading continues on the next line. */
  readonly fault?: string;
  /** The record has more cells than the limit; the rest were dropped. */
  readonly more?: true;
}

/** The cell delimiter, which differs by country: the candidate that occurs most often in the first line. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const counts = [',', ';', '\t'].map((each) => [each, head.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/**
 * The records of a CSV text (RFC 4180, also with `;` or tabs as delimiters), without empty lines. A quotation mark
 * inside an unquoted cell is an ordinary character.
 */
export function* csvRecords(text: string): Generator<CsvRecord> {
  const source = text.replace(/^\ufeff/, '');
  const delimiter = delimiterOf(source);
  let at = 0;
  let line = 1;
  while (at < source.length) {
    const record = readRecord(source, at, delimiter);
    if (record.cells.length > 1 || record.cells[0] !== '' || record.fault) {
      const { cells, fault, more } = record;
      yield { line, cells, ...(fault ? { fault } : {}), ...(more ? { more } : {}) };
    }
    line += record.lines;
    at = record.end;
  }
}

interface ReadRecord {
  cells: string[];
  /** Where the next record begins, and how many lines this one spans. */
  end: number;
  lines: number;
  fault?: string;
  more?: true;
}

function readRecord(source: string, start: number, delimiter: string): ReadRecord {
  const cells: string[] = [];
  let at = start;
  let lines = 1;
  let more = false;
  for (;;) {
    const cell = source[at] === '"' ? quotedCell(source, at) : plainCell(source, at, delimiter);
    if (!cell) return { cells: [], ...lineEnd(source, start), fault: `has an unclosed quotation mark` };
    if (cells.length < CSV_CELLS_MAX) cells.push(cell.text);
    else more = true;
    lines += cell.breaks;
    at = cell.end;
    if (source[at] === delimiter) {
      at += 1;
      continue;
    }
    const after = lineEnd(source, at);
    const rest = source.slice(at, after.end).trim();
    if (rest !== '')
      return { cells: [], end: after.end, lines, fault: 'has text after a closing quotation mark' };
    return { cells, end: after.end, lines, ...(more ? { more: true } : {}) };
  }
}

interface Cell {
  text: string;
  end: number;
  breaks: number;
}

/** Undefined if the closing quotation mark is missing. */
function quotedCell(source: string, start: number): Cell | undefined {
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) return undefined;
    if (source[quote + 1] !== '"') {
      const raw = source.slice(start + 1, quote);
      return { text: raw.replaceAll('""', '"'), end: quote + 1, breaks: raw.split(/\r\n|\r|\n/).length - 1 };
    }
    at = quote + 2;
  }
}

function plainCell(source: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < source.length && source[end] !== delimiter && !/[\r\n]/.test(source[end] ?? '')) end += 1;
  return { text: source.slice(start, end), end, breaks: 0 };
}

function lineEnd(source: string, from: number): { end: number; lines: number } {
  let at = from;
  while (at < source.length && !/[\r\n]/.test(source[at] ?? '')) at += 1;
  return { end: at + (source.startsWith('\r\n', at) ? 2 : 1), lines: 1 };
}

export type CsvCell = string | number | null;

/**
 * Text that a spreadsheet would run as a formula; some accept full-width signs too. It gets a leading apostrophe, which
 * makes it plain text.
 */
const FORMULA = /^[\s]*[=+\-@\t\r＝＋－＠]/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The rows as CSV (RFC 4180), the header row first. Starts with a byte order mark, which tells spreadsheets that
 * the text is UTF-8.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  `\ufeff${rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
