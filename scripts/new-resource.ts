/**
 * `npm run new:resource companies [company]`: a resource with a name, over REST and for the desk, that passes every
 * check. Its actual fields are up to you. An invalid or used name is refused before anything is written.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES, INSERTIONS, insert } from './new-resource/lists.ts';
import { fill, type Names, namesOf } from './new-resource/names.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = new URL('new-resource/templates/', import.meta.url);

function nextMigration(): string {
  const numbers = readdirSync(join(ROOT, 'packages/server/migrations')).map((file) =>
    Number(file.slice(0, 4)),
  );
  const last = Math.max(...numbers.filter(Number.isInteger));
  return String(last + 1).padStart(4, '0');
}

/** @throws Error if a table, a folder or an operation already has the name. */
function refuseTaken({ plural, singular, kebab, PascalOne }: Names): void {
  const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const migrations = readdirSync(join(ROOT, 'packages/server/migrations'))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => read(`packages/server/migrations/${file}`))
    .join('\n');
  const examples = read('packages/server/test/examples.ts');
  const index = read('packages/protocol/src/index.ts').matchAll(/from '(.+)'/g);
  const types = [...index].map(([, file = '']) => read(join('packages/protocol/src', file))).join('\n');
  const taken = [
    new RegExp(`create table (if not exists )?${plural}\\b`).test(migrations) && 'a table',
    existsSync(join(ROOT, 'packages/server/src', kebab)) && 'a folder',
    examples.includes(`'${plural}.`) && 'operations',
    new RegExp(`^  (async )?${singular}[:(]`, 'm').test(examples) && 'records',
    new RegExp(`export (type|interface|const) ${PascalOne}\\b`, 'i').test(types) && 'a type of the contract',
  ].find((what) => what !== false);
  if (taken) throw new Error(`"${plural}" is taken by ${taken}`);
}

/** Every file with its new text: everything is computed before the first is written. */
function plan(names: Names): Map<string, string> {
  const values = { ...names, migration: nextMigration() };
  const texts = new Map<string, string>();
  for (const [template, path] of Object.entries(FILES)) {
    const file = fill(path, values);
    if (existsSync(join(ROOT, file))) throw new Error(`${file} exists`);
    texts.set(file, fill(readFileSync(new URL(`${template}.txt`, TEMPLATES), 'utf8'), values));
  }
  for (const insertion of INSERTIONS) {
    const { file, line } = insertion;
    const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
    texts.set(file, insert(text, { ...insertion, line: fill(line, values) }));
  }
  return texts;
}

function run(...script: string[]): void {
  execFileSync(process.execPath, script, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

function write(texts: ReadonlyMap<string, string>): void {
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
  }
  const code = [...texts.keys()].filter((file) => file.endsWith('.ts'));
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--error-on-warnings', ...code);
  run('scripts/migration-checksums.ts');
  run('scripts/schema.ts');
  run('scripts/docs.ts');
}

const [plural = '', singular, ...rest] = process.argv.slice(2);
try {
  if (plural === '' || rest.length > 0) throw new Error('usage: npm run new:resource companies [company]');
  const names = namesOf(plural, singular);
  refuseTaken(names);
  const texts = plan(names);
  write(texts);
  console.log(`${[...texts.keys()].join('\n')}\n`);
  console.log(
    `Next: the fields of ${names.words}, in the first files of this list, and their words in ARCHITECTURE.md.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
