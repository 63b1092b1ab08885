/**
 * Prints the figures of the code's layout and fails on a broken rule (`scripts/structure/rules.ts`).
 *
 *   node scripts/structure.ts            figures and new violations
 *   node scripts/structure.ts --update   writes today's violations to scripts/structure/known.json
 *
 * `known.json` lists violations that are accepted until somebody fixes them. One that no longer exists must be removed,
 * so the list can only shrink.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findCycles } from './structure/cycles.ts';
import { findViolations, LIMITS } from './structure/rules.ts';
import { readProduct, type SourceFile } from './structure/source.ts';

const ROOT = join(import.meta.dirname, '..');
const KNOWN = join(import.meta.dirname, 'structure', 'known.json');

/** The value below which `share` of the sorted numbers lie. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function packageRow(name: string, files: readonly SourceFile[]): Record<string, string | number> {
  const functions = files.flatMap((file) => file.functions.map(({ lines }) => lines)).sort((a, b) => a - b);
  return {
    package: name,
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    'longest file': Math.max(...files.map(({ lines }) => lines)),
    functions: functions.length,
    median: quantile(functions, 0.5),
    p90: quantile(functions, 0.9),
    longest: functions.at(-1) ?? 0,
    [`over ${LIMITS.functionLines}`]: functions.filter((lines) => lines > LIMITS.functionLines).length,
  };
}

function printFigures(files: readonly SourceFile[]): void {
  const packages = Map.groupBy(files, ({ file }) => file.split('/')[1] ?? '');
  const rows = [...packages].map(([name, members]) => packageRow(name, members));
  console.table(Object.fromEntries(rows.map(({ package: name, ...figures }) => [name, figures])));
  const folders = [...Map.groupBy(files, ({ file }) => dirname(file))]
    .map(([folder, members]) => ({ folder, files: members.length }))
    .sort((a, b) => b.files - a.files);
  console.log(
    'Largest folders:',
    folders
      .slice(0, 5)
      .map((one) => `${one.folder} ${one.files}`)
      .join(', '),
  );
  for (const kind of ['value', 'type'] as const) {
    console.log(`${kind} cycles: ${findCycles(files, kind).length}`);
  }
  console.log(`Product lines: ${files.reduce((sum, { lines }) => sum + lines, 0)}`);
}

const files = readProduct(ROOT);
const violations = findViolations(files);
if (process.argv.includes('--update')) writeFileSync(KNOWN, `${JSON.stringify(violations, null, 2)}\n`);
const known = new Set(JSON.parse(readFileSync(KNOWN, 'utf8')) as string[]);
const added = violations.filter((one) => !known.has(one));
const gone = [...known].filter((one) => !violations.includes(one));

printFigures(files);
for (const one of added) console.error(`New: ${one}`);
for (const one of gone) console.error(`No longer true, remove it from scripts/structure/known.json: ${one}`);
console.log(`${violations.length} known violations`);
if (added.length > 0 || gone.length > 0) process.exitCode = 1;
