import { ARTICLE_BULK_MAX } from '@foyer/protocol';
import { beforeEach, expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { importArticles } from '../transfer/import.ts';
import { articlesOf, countArticles, createArticle } from './articles.ts';
import { changeArticles } from './bulk.ts';
import { listVersions } from './history.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const all = () => articlesOf(ctx).orderBy('articles.id').execute();

it('changes the named articles, each with its history, and nothing of another site', async () => {
  const ids = [];
  for (const title of ['A', 'B', 'C']) ids.push((await createArticle(ctx, { title })).id);
  const other = await ground.makeSite();
  const theirs = await createArticle(other, { title: 'Theirs' });
  const [a = 0, b = 0] = ids;
  const selection = { ids: [a, b, theirs.id] };
  const publish = { action: 'set_status', selection, status: 'Published' } as const;
  expect(await changeArticles(ctx, publish)).toEqual({ changed: 2, left: 0, failed: [] });
  expect(await changeArticles(ctx, publish)).toMatchObject({ changed: 0 });
  expect((await all()).map(({ status }) => status)).toEqual(['Published', 'Published', 'Draft']);
  expect((await listVersions(ctx, { article_id: a, limit: 9, order: 'desc' })).items).toMatchObject([
    { number: 2, status: 'Published' },
    { number: 1, status: 'Draft' },
  ]);
  expect(await articlesOf(other).execute()).toMatchObject([{ status: 'Draft' }]);
});

it('changes all that match a filter, and reports how many are left', async () => {
  const blob = Array.from({ length: ARTICLE_BULK_MAX + 5 }, (_, at) => `# Old ${at}`).join('\n---\n');
  await importArticles(ctx, `${blob}\n---\n# New`);
  const archive = { action: 'set_status', selection: { filter: { q: 'Old' } }, status: 'Archived' } as const;
  expect(await countArticles(ctx, { q: 'Old', status: 'Draft' })).toEqual({ count: ARTICLE_BULK_MAX + 5 });
  expect(await changeArticles(ctx, archive)).toEqual({ changed: ARTICLE_BULK_MAX, left: 5, failed: [] });
  expect(await changeArticles(ctx, archive)).toEqual({ changed: 5, left: 0, failed: [] });
  expect(await countArticles(ctx, { status: 'Draft' })).toEqual({ count: 1 });
  const gone = await changeArticles(ctx, { action: 'delete', selection: { filter: { status: 'Draft' } } });
  expect(gone.changed).toBe(1);
});

it('moves to a category, except articles whose title the category already has', async () => {
  await createArticle(ctx, { title: 'Returns', category: 'Orders' });
  const twin = await createArticle(ctx, { title: 'RETURNS', category: 'Shop' });
  await createArticle(ctx, { title: 'Hours', category: 'Shop' });
  const move = { action: 'set_category', selection: { filter: {} }, category: 'Orders' } as const;
  expect(await changeArticles(ctx, move)).toMatchObject({
    changed: 1,
    failed: [{ id: twin.id, title: 'RETURNS' }],
  });
  expect((await all()).map(({ category }) => category)).toEqual(['Orders', 'Shop', 'Orders']);
  expect(await changeArticles(ctx, { ...move, category: null })).toMatchObject({
    changed: 2,
    failed: [{ title: 'RETURNS' }],
  });
  expect(await countArticles(ctx, { category: null })).toEqual({ count: 2 });
});
