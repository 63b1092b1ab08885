import type { CsvColumn, CsvTarget, DeskIssue, Scalar } from '@foyer/protocol';
import { invalidInput } from '../base/errors.ts';

/** The cells of a record by field, without empty ones. */
export interface Told {
  fields: Partial<Record<CsvTarget, string>>;
  attributes: Record<string, Scalar>;
  /** By the keys of custom fields. */
  custom: Record<string, string>;
}

const YES = /^(true|yes|1)$/i;
const NO = /^(false|no|0)$/i;

/** Undefined for any other word. */
export const readYesNo = (text: string): boolean | undefined =>
  YES.test(text) ? true : NO.test(text) ? false : undefined;

function readValue(text: string, { as = 'text', name = '' }: CsvColumn, issues: DeskIssue[]): Scalar {
  if (as === 'text') return text;
  const isYes = as === 'boolean' ? readYesNo(text) : undefined;
  if (isYes !== undefined) return isYes;
  const number = Number(text);
  if (as === 'number' && Number.isFinite(number)) return number;
  issues.push({
    path: name,
    message: `must be ${as === 'number' ? 'a number' : 'true or false'}`,
    reason: 'form',
  });
  return null;
}

/** @throws AppError 400 for cells that don't fit their column */
export function readCells(columns: readonly CsvColumn[], cells: readonly string[]): Told {
  const told: Told = { fields: {}, attributes: {}, custom: {} };
  const issues: DeskIssue[] = [];
  for (const [at, column] of columns.entries()) {
    const text = (cells[at] ?? '').trim();
    if (text === '' || column.to === 'skip') continue;
    if (column.to === 'attribute') told.attributes[column.name ?? ''] = readValue(text, column, issues);
    else if (column.to === 'field') told.custom[column.name ?? ''] = text;
    else told.fields[column.to] = text;
  }
  if (issues.length > 0) throw invalidInput(issues);
  return told;
}
