import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Evidence, statedFacts } from './evidence.ts';
import { factLanguageOf } from './fact-language.ts';

// Articles of small businesses in fourteen languages, as owners write them.
const SITES = join(import.meta.dirname, '../../../../../bench/sites');
const ARTICLES = readdirSync(SITES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(SITES, path), 'utf8') }));
const NUMBER = /(?<![\p{L}\p{N}.,:])\p{Nd}+/u;
const LIST_MARK = /^\s*\d{1,2}[.)]\s/gm;

test('an article supports all of its own text', () => {
  expect(ARTICLES.length).toBeGreaterThan(300);
  const wrong = ARTICLES.flatMap(({ path, text }) => {
    const found = new Evidence(statedFacts(text, 'en')).unsupported(text, factLanguageOf(text, 'en'));
    return found === undefined ? [] : [`${path}: ${found}`];
  });
  expect(wrong).toEqual([]);
});

test('but not its own text with another number', () => {
  const tried = ARTICLES.filter(({ text }) => NUMBER.test(text.replace(LIST_MARK, '')));
  const missed = tried.filter(({ text }) => {
    const changed = text.replace(LIST_MARK, '').replace(NUMBER, (number) => `987${number}`);
    return (
      new Evidence(statedFacts(text, 'en')).unsupported(changed, factLanguageOf(text, 'en')) === undefined
    );
  });
  expect(tried.length).toBeGreaterThan(200);
  expect(missed.map(({ path }) => path)).toEqual([]);
});
