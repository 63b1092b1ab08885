import { CompiledQuery } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { articlesOf, createArticle, updateArticle } from '../articles/articles.ts';
import { formatExport } from './export-text.ts';
import { importArticles } from './import.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const all = () => articlesOf(ctx).orderBy('articles.id').execute();
const version = async (): Promise<number | undefined> =>
  (
    await ctx.db
      .selectFrom('sites')
      .select('knowledge_version')
      .where('id', '=', ctx.site.id)
      .executeTakeFirst()
  )?.knowledge_version;

const BLOB = `title: Returns
category: Orders
status: Published
---
# Sending it back

Thirty days.
---
# Shipping

Two days.
---
status: Soon
---
# Gift cards
---
No heading at all.
---
# Shipping

Twice.
`;

const failed = (reason: string, message: string, values?: object) => ({
  reason,
  message: expect.stringContaining(message),
  ...(values ? { values } : {}),
});

test('imports what it can and reports the rest by its index', async () => {
  expect(await importArticles(ctx, BLOB)).toEqual({
    created: 2,
    updated: 0,
    unchanged: 0,
    failed: [
      { ...failed('status', 'Soon', { name: 'Soon' }), index: 3, line: 13 },
      { ...failed('title_none', 'title'), index: 4, line: 17 },
      { ...failed('same', 'document 2', expect.objectContaining({ index: 2 })), index: 5, line: 19 },
    ],
  });
  expect(await all()).toMatchObject([
    { title: 'Returns', category: 'Orders', status: 'Published', slug: 'returns' },
    { title: 'Shipping', category: null, status: 'Draft', body: 'Two days.', slug: 'shipping' },
  ]);
});

test('the same again changes nothing, not even the version', async () => {
  await importArticles(ctx, BLOB);
  const before = await all();
  expect(await importArticles(ctx, BLOB)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect(await all()).toEqual(before);
  expect(await version()).toBe(1);
});

test('other text updates; a missing status keeps the article’s, a given one counts', async () => {
  await importArticles(ctx, BLOB);
  const again =
    'category: Orders\n---\n# returns\n\nSixty days.\n---\nstatus: Published\n---\n# Shipping\n\nTwo days.';
  expect(await importArticles(ctx, again)).toEqual({ created: 0, updated: 2, unchanged: 0, failed: [] });
  expect(await all()).toMatchObject([
    { title: 'returns', status: 'Published', body: 'Sixty days.', slug: 'returns', version: 2 },
    { title: 'Shipping', status: 'Published', body: 'Two days.', version: 2 },
  ]);
});

test('the same title in another category is another article', async () => {
  await importArticles(ctx, '# Returns\n\nA.');
  expect(await importArticles(ctx, 'category: Shop\n---\n# Returns\n\nA.')).toMatchObject({
    created: 1,
    unchanged: 0,
  });
  expect(await all()).toMatchObject([{ slug: 'returns' }, { slug: 'returns-2' }]);
});

test('importing an export changes nothing, whatever the articles contain', async () => {
  const bodies = ['above\n\n---\n\nbelow', 'title: not front matter', '```\nopen\n---', 'one\r\ntwo  ', ''];
  for (const [at, body] of bodies.entries()) {
    await createArticle(ctx, { title: `"Title" ${at}`, category: 'c', status: 'Archived', body });
  }
  const before = await all();
  expect(await importArticles(ctx, formatExport(before))).toEqual({
    created: 0,
    updated: 0,
    unchanged: bodies.length,
    failed: [],
  });
  expect(await all()).toEqual(before);
});

test('two imports of the same at once leave one of each', async () => {
  const results = await Promise.all([1, 2, 3, 4].map(() => importArticles(ctx, BLOB)));
  expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(2);
  expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(6);
  expect(await all()).toHaveLength(2);
});

test('an import whose connection breaks changes nothing, and is complete when it is repeated', async () => {
  const cut = ctx.transaction(async (tx) => {
    await importArticles(tx, BLOB);
    await tx.db.executeQuery(CompiledQuery.raw('select pg_terminate_backend(pg_backend_pid())'));
  });
  await expect(cut).rejects.toThrow();
  expect(await all()).toEqual([]);
  expect(await version()).toBe(0);
  expect(await importArticles(ctx, BLOB)).toMatchObject({ created: 2 });
});

test('a blob of many thousand documents is imported, again, and changed, by a few statements each time', async () => {
  const blob = (text: string): string =>
    Array.from({ length: 12_000 }, (_, at) => `# Article ${at % 6_000}\n\n${text} ${at}`)
      .map((one, at) => (at < 6_000 ? one : `category: second\n---\n${one}`))
      .join('\n---\n');
  expect(await importArticles(ctx, blob('one'))).toMatchObject({ created: 12_000, failed: [] });
  expect(await importArticles(ctx, blob('one'))).toMatchObject({ unchanged: 12_000 });
  expect(await importArticles(ctx, blob('two'))).toMatchObject({ updated: 12_000 });
  const slugs = await ctx.db
    .selectFrom('articles')
    .select('slug')
    .where('site_id', '=', ctx.site.id)
    .execute();
  expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(12_000);
});

test('over 5 MiB in bytes is refused before anything is read', async () => {
  const big = `# Big\n\n${'ü'.repeat(2.5 * 1024 * 1024)}x`;
  expect(big.length).toBeLessThan(5 * 1024 * 1024);
  await expect(importArticles(ctx, big)).rejects.toMatchObject({ code: 'payload_too_large' });
});

test('a document that is too long for an article is reported and the others are imported', async () => {
  const blob = `# Long\n\n${'x'.repeat(200_001)}\n---\n# Short\n\nText.`;
  expect(await importArticles(ctx, blob)).toEqual({
    created: 1,
    updated: 0,
    unchanged: 0,
    failed: [{ ...failed('body_long', '200000', { number: 200_000 }), index: 1, line: 1 }],
  });
});

test("another site's article of the same name is not changed", async () => {
  const other = await ground.makeSite();
  const { id } = await createArticle(other, { title: 'Shipping', body: 'Never.' });
  await importArticles(ctx, BLOB);
  expect(await updateArticle(other, { id })).toMatchObject({ body: 'Never.' });
});
