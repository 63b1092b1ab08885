import { existsSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { isNode, visit } from './product-patterns.ts';

// The table of docs/security-tests.md names tests by their titles: each of them exists, and runs.

const PAGE = new URL('../../../docs/security-tests.md', import.meta.url);
const ATTACKS = 38;
const FAULTS = 32;

const [, section = ''] = /^## Row by row\n([\s\S]*?)^## /m.exec(readFileSync(PAGE, 'utf8')) ?? [];
/** The cells of each row: number, what, tests, figure. */
const rows = [...section.matchAll(/^\| (R?\d+) \| (.*) \|$/gm)].map(([, number = '', rest = '']) => {
  const [what = '', tests = '', figure = ''] = rest.split(' | ');
  return { number, what, tests, figure };
});
const linksIn = (text: string) =>
  [...text.matchAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+\.test\.ts)\)/g)].map(
    ([, title = '', path = '']) => ({
      title,
      path,
    }),
  );
const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/`node ([\w/.-]+\.ts)/g)].map(([, path = '']) => path);

/** The names that a call goes by: `it.skip.each([])('…')` is it, skip and each. */
function namesOf(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee.type === 'Identifier') return [String(callee.name)];
  if (callee.type === 'CallExpression') return namesOf(callee.callee);
  if (callee.type === 'MemberExpression') return [...namesOf(callee.object), ...namesOf(callee.property)];
  return [];
}

/** The titles of the tests in a file that run. */
function titlesIn(file: URL): Set<string> {
  const { program, errors } = parseSync(file.pathname, readFileSync(file, 'utf8'));
  expect(errors).toEqual([]);
  const titles = new Set<string>();
  visit(program, ({ type, callee, arguments: given }) => {
    if (type !== 'CallExpression' || !Array.isArray(given)) return;
    const [first, ...names] = namesOf(callee);
    const [title] = given;
    const runs = !names.some((name) => ['skip', 'todo', 'fails', 'runIf', 'skipIf'].includes(name));
    if ((first === 'it' || first === 'test') && runs && isNode(title) && typeof title.value === 'string')
      titles.add(title.value);
  });
  return titles;
}

it('has every row of the review, once', () => {
  const wanted = [
    ...Array.from({ length: ATTACKS }, (_, place) => String(place + 1)),
    ...Array.from({ length: FAULTS }, (_, place) => `R${place + 1}`),
  ];
  expect(rows.map(({ number }) => number)).toEqual(wanted);
});

it.each(rows)('row $number, $what, names tests and scripts that exist', ({ tests, figure }) => {
  const links = linksIn(tests);
  const scripts = scriptsIn(figure);
  expect(links.length + scripts.length).toBeGreaterThan(0);
  // The cell contains nothing but links of that form.
  expect(links.map(({ title, path }) => `[${title}](${path})`).join('; ')).toBe(tests.trim());
  for (const { title, path } of links) {
    const file = new URL(path, PAGE);
    expect(existsSync(file), path).toBe(true);
    expect([...titlesIn(file)], path).toContain(title);
  }
  for (const path of scripts) expect(existsSync(new URL(path, new URL('../', PAGE))), path).toBe(true);
});
