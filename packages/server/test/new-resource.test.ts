import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { removeWithThisProcess } from './left-behind.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPIED =
  'packages scripts bench docs package.json biome.json tsconfig.base.json vitest.config.ts .gitignore';
const LEFT_OUT = ['node_modules', 'dist'];
/** Tests derived from the registry and the tables. The slow ones are not here: contract, edges, fuzz, plans. */
const DERIVED = ['named-records', 'emits', 'docs', 'openapi', 'personal', 'site-archive', 'token-limits'];
const CONCERNED =
  'companies|company|are declared by|of the schema|classifies every table|every resource that a token';

/** A copy of the repository: packages from outside are linked, Foyer's own are the copy's. */
async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'foyer-new-resource-'));
  removeWithThisProcess(copy);
  const isCopied = (path: string) => !LEFT_OUT.includes(basename(path));
  for (const name of COPIED.split(' '))
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: isCopied });
  await symlink(join(ROOT, 'packages/server/node_modules'), join(copy, 'packages/server/node_modules'));
  await mkdir(join(copy, 'node_modules/@foyer'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@foyer') await symlink(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of await readdir(join(ROOT, 'packages')))
    await symlink(join('../../packages', name), join(copy, 'node_modules/@foyer', name));
  return copy;
}

/** The used part of vitest's JSON report. */
interface Report {
  testResults: { assertionResults: { status: string; failureMessages: string[] }[] }[];
}

let copy: string;
/** The copy's tests have their own PostgreSQL: in this run's, the databases have this repository's tables. */
const { FOYER_TEST_POSTGRES: _, ...env } = process.env;

/** Runs a script of the copy. @throws Error with what it printed when it fails */
async function run(...script: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: copy, env }).catch(
    (error) => {
      throw new Error(`${script.join(' ')}\n${error.stdout}\n${error.stderr}`);
    },
  );
  return stdout;
}

beforeAll(async () => {
  copy = await copyRepository();
  await run('scripts/new-resource.ts', 'companies');
});

test('a new resource keeps the rules of format and structure', async () => {
  const written = [
    'packages/server/src/companies',
    'packages/server/test/doc-stories',
    'packages/protocol/src',
  ];
  await run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...written);
  await run('scripts/structure.ts');
});

test('a new resource compiles', async () => {
  const files = ['src/companies/companies.ts', 'src/companies/operations.ts'];
  const config = { extends: './tsconfig.json', files, include: [] };
  await writeFile(join(copy, 'packages/server/tsconfig.new.json'), JSON.stringify(config));
  await run('node_modules/typescript/bin/tsc', '-p', 'packages/server/tsconfig.new.json', '--checkers', '1');
});

test('a new resource passes its own tests and those derived from the registry', async () => {
  const report = join(copy, 'report.json');
  const filters = DERIVED.map((name) => `/${name}.test.ts`);
  const output = ['--reporter=json', `--outputFile=${report}`];
  // A failure is in the report too, with its reason.
  await run(
    'node_modules/vitest/vitest.mjs',
    'run',
    'packages/server/src/companies/',
    ...filters,
    ...output,
    `--testNamePattern=${CONCERNED}`,
  ).catch(() => undefined);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(tests.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
  // A pattern that matches nothing in a file would pass without a test.
  const hasPassed = testResults.map(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed'),
  );
  expect(hasPassed).toEqual(Array(DERIVED.length + 1).fill(true));
});

test('a name that is already used is refused before anything is written', async () => {
  const migrations = () => readdir(join(copy, 'packages/server/migrations'));
  const before = await migrations();
  await expect(run('scripts/new-resource.ts', 'tickets')).rejects.toThrow('"tickets" is taken by a table');
  expect(await migrations()).toEqual(before);
});
