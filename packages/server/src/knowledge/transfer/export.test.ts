import { randomUUID } from 'node:crypto';
import { ARTICLE_BODY_MAX, IMPORT_MAX_BYTES } from '@foyer/protocol';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { articlesOf, createArticle } from '../articles/articles.ts';
import { exportArticles } from './export.ts';
import { importArticles, previewImport } from './import.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const all = (at: SiteContext) => articlesOf(at).orderBy('articles.id').execute();

async function partsOf(at: SiteContext): Promise<string[]> {
  const parts: string[] = [];
  let after: number | undefined;
  do {
    const part = await exportArticles(at, { after });
    parts.push(part.text);
    after = part.next ?? undefined;
  } while (after !== undefined);
  return parts;
}

const awkward = fc.oneof(
  fc.constantFrom(
    '---',
    ' ---',
    '```',
    '~~~~',
    '- ```',
    'title: x',
    'status: Soon',
    '# x',
    '',
    '    ---',
    '"',
    "'",
    '\r\nx',
    '\\',
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .filter((text) => !text.includes('\0') && text.isWellFormed()),
);
const oneLine = awkward.filter((text) => text.trim() === text && text !== '' && !/[\r\n]/.test(text));
const article = fc.record({
  title: oneLine,
  category: fc.option(oneLine),
  status: fc.constantFrom('Draft', 'Published', 'Archived'),
  body: fc.array(awkward, { maxLength: 8 }).map((lines) => lines.join('\n').trim()),
});

it('changes nothing when it is imported again, and creates the same elsewhere, whatever the articles contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(article, { minLength: 1, maxLength: 5 }), async (articles) => {
      const [here, there] = [await ground.makeSite(), await ground.makeSite()];
      for (const [at, one] of articles.entries())
        await createArticle(here, { ...one, title: `${one.title}${at}` });
      const before = await all(here);
      const text = (await partsOf(here)).join('');
      expect(await previewImport(here, text)).toMatchObject({ created: 0, updated: 0, failed_count: 0 });
      expect(await importArticles(here, text)).toEqual({
        created: 0,
        updated: 0,
        unchanged: articles.length,
        failed: [],
      });
      expect(await all(here)).toEqual(before);
      expect(await importArticles(there, text)).toMatchObject({ created: articles.length, failed: [] });
      expect(await partsOf(there)).toEqual([text]);
    }),
    { numRuns: 40 },
  );
});

it('is split into parts that can each be imported, if all is more than an import accepts', async () => {
  const body = 'x'.repeat(ARTICLE_BODY_MAX - 100);
  for (let at = 0; at < 30; at++) await createArticle(ctx, { title: `Long ${at}`, body });
  const parts = await partsOf(ctx);
  expect(parts).toHaveLength(2);
  const there = await ground.makeSite();
  let created = 0;
  for (const part of parts) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(IMPORT_MAX_BYTES);
    created += (await importArticles(there, part)).created;
  }
  expect(created).toBe(30);
});

it('without articles is an empty text', async () => {
  expect(await exportArticles(ctx, {})).toEqual({
    text: '',
    articles: 0,
    next: null,
  });
});

it('can be preceded by a dry run that reports each document’s effect, and changes nothing', async () => {
  await createArticle(ctx, { title: 'Same', body: 'Text.' });
  await createArticle(ctx, { title: 'Other', body: 'Text.' });
  const before = await all(ctx);
  const text = `# Same\n\nText.\n---\n# other\n\nChanged.\n---\ncategory: New ${randomUUID()}\n---\n# New\n---\nnothing`;
  const preview = await previewImport(ctx, text);
  expect(preview).toMatchObject({
    created: 1,
    updated: 1,
    unchanged: 1,
    failed_count: 1,
    failed: [{ index: 4 }],
  });
  expect(preview.documents).toMatchObject([
    { index: 1, line: 1, outcome: 'unchanged' },
    { index: 2, line: 5, outcome: 'updated', title: 'other' },
    { index: 3, line: 9, outcome: 'created', title: 'New' },
  ]);
  expect(await all(ctx)).toEqual(before);
  const { created, updated, unchanged } = preview;
  expect(await importArticles(ctx, text)).toMatchObject({ created, updated, unchanged });
});
