import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const IGNORED = new Set(['node_modules', 'dist', 'data', 'screenshots', 'coverage']);
const SERVER = 'packages/server/src/';
/** A placeholder in the guide for a name of the reader's choice. */
const PLACEHOLDER = /NAME|NNNN|XX/;
/** This file contains the patterns that it searches for. */
const SELF = 'packages/server/test/doc-links.test.ts';

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const find = (pattern: string): string[] =>
  globSync(pattern, {
    cwd: fileURLToPath(ROOT),
    exclude: (path) => path.split('/').some((part) => IGNORED.has(part)),
  })
    .filter((path) => path !== SELF)
    .sort();

const PAGES = find('**/*.md');
const SOURCES = find('**/*.{ts,tsx,js,mjs,css,html,sh,yaml,yml,json}').filter(
  (path) => !path.endsWith('package-lock.json'),
);

const FENCE = /^```[\s\S]*?^```$/gm;

/** As GitHub makes an anchor from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsIn = (page: string): string[] =>
  [
    ...read(page)
      .replace(FENCE, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => anchorOf(heading));

/** What is wrong with a link that is relative to `page`, or undefined. */
function problemOf(page: string, link: string): string | undefined {
  const [file = '', fragment] = link.split('#');
  const target = file ? new URL(file, new URL(page, ROOT)) : new URL(page, ROOT);
  if (!existsSync(target)) return `there is no ${link}`;
  const path = decodeURIComponent(target.pathname.slice(ROOT.pathname.length));
  if (fragment === undefined || anchorsIn(path).includes(fragment)) return undefined;
  return `${path} has no heading #${fragment}`;
}

const problems = (page: string, links: string[]): string[] =>
  links.flatMap((link) => problemOf(page, link) ?? []);

/** The paths of the tree block, each below the last line that is not indented. */
function pathsOfTree(): string[] {
  const [, block = ''] = /^## The tree\n+```\n([\s\S]*?)^```$/m.exec(read('ARCHITECTURE.md')) ?? [];
  let parent = '';
  return block
    .trimEnd()
    .split('\n')
    .map((line) => {
      const path = line.trim().split(/\s+/)[0] ?? '';
      if (line.startsWith(' ')) return `${parent}/${path}`;
      parent = path.replace(/\/$/, '');
      return path;
    });
}

describe('the pages', () => {
  it.each(PAGES)('%s links to pages and headings that exist', (page) => {
    const links = [
      ...read(page)
        .replace(FENCE, '')
        .matchAll(/\]\((?!\w+:)([^)\s]+)\)/g),
    ].map(([, link = '']) => link);
    expect(problems(page, links)).toEqual([]);
  });

  it.each(PAGES)('%s names files of the repository that exist', (page) => {
    const paths = [...read(page).matchAll(/`((?:packages|docs|scripts|bench)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    // Build output exists only after a build.
    expect(
      paths.filter(
        (path) => !/\/dist\//.test(path) && !PLACEHOLDER.test(path) && !existsSync(new URL(path, ROOT)),
      ),
    ).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names files of the server that exist', (page) => {
    const names = [...read(page).matchAll(/`([a-z-]+\/[\w./-]+?)(?:#(\w+))?`/g)];
    const missing = names.filter(([, path = '', name = '']) => {
      if (PLACEHOLDER.test(path)) return false;
      const places = [path, `${SERVER}${path}`, `${SERVER}${path}.ts`];
      const found = places.find((place) => existsSync(new URL(place, ROOT)));
      return found === undefined || (name !== '' && !read(found).includes(name));
    });
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it('ARCHITECTURE.md has a tree of folders and files that exist', () => {
    const paths = pathsOfTree();
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  });

  it('every page can be reached by links from docs/README.md', () => {
    const seen = new Set<string>();
    const visit = (page: string): void => {
      if (seen.has(page) || !existsSync(new URL(page, ROOT))) return;
      seen.add(page);
      for (const [, link = ''] of read(page).matchAll(/\]\((?!\w+:)([^)#\s]+\.md)/g))
        visit(new URL(link, new URL(page, ROOT)).pathname.slice(ROOT.pathname.length));
    };
    visit('docs/README.md');
    expect(PAGES.filter((page) => page.startsWith('docs/') && !seen.has(page))).toEqual([]);
  });
});

describe('the code', () => {
  it('cites pages and headings that exist', () => {
    const found = SOURCES.flatMap((path) => {
      const links = [...read(path).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => link);
      return problems('README.md', links).map((problem) => `${path}: ${problem}`);
    });
    expect(found).toEqual([]);
  });

  // Migrations are no sources here: a released one is never edited, not even its comments.
  it('cites nothing that only its author has', () => {
    const citation = /\bdecisions \d|\binterface, ["“]|\(issue \d|\([\w-]+\.md[,)]/;
    const citing = SOURCES.filter((path) => citation.test(read(path)));
    expect(citing).toEqual([]);
  });
});
