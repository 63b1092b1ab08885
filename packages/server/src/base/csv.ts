import { CSV_CELLS_MAX } from '@foyer/protocol';

/** One record of a CSV file: its cells, and the line that it begins in, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it can't be read; what follows is read on from the next line. */
  readonly fault?: string;
  /** It has more cells than are read. */
  readonly more?: true;
}

/** What spreadsheets of different countries put between cells: the one that the first line has most of. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const counts = [',', ';', '\t'].map((each) => [each, head.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/**
 * The records of a CSV text (RFC 4180; `;` and tabs between cells too), empty lines left out. A quotation mark within
 * an unquoted cell is a character like others.
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
  /** Where the next begins, and how many lines this one has. */
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

/** Undefined when the quotation is never closed. */
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

/** What a spreadsheet would run: text that begins so stands behind an apostrophe, which makes it text there. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV text (RFC 4180) of rows, the first of them the heads; with the mark by which spreadsheets know UTF-8. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  `\ufeff${rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
