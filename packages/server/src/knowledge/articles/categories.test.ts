import { beforeEach, describe, expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { getHelpHome, listHelpArticles } from '../help/help.ts';
import { createArticle, getArticle } from './articles.ts';
import {
  createCategory,
  deleteCategory,
  listCategories,
  mergeCategories,
  moveCategory,
  renameCategory,
} from './categories.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const all = async (at: SiteContext = ctx) => (await listCategories(at, { limit: 200, order: 'asc' })).items;
const names = async (): Promise<string[]> => (await all()).map(({ name }) => name);
const write = (title: string, category: string | null) =>
  createArticle(ctx, { title, category, status: 'Published' });
const idOf = async (name: string): Promise<number> => (await all()).find((one) => one.name === name)?.id ?? 0;

describe('categories', () => {
  it('are created with the articles that name them, in that order, and are counted', async () => {
    await write('Returns', 'Orders');
    await write('Refunds', 'Orders');
    await write('Hours', 'Shop');
    await createArticle(ctx, { title: 'Draft', category: 'Shop' });
    expect(await all()).toMatchObject([
      { name: 'Orders', slug: 'orders', article_count: 2, published_count: 2 },
      { name: 'Shop', slug: 'shop', article_count: 2, published_count: 1 },
    ]);
  });

  it('are the same in every normal form of their name, and differ by case', async () => {
    await write('One', 'Caf\u00e9');
    await write('Two', 'Cafe\u0301');
    await write('Three', 'café ');
    expect(await all()).toMatchObject([
      { name: 'Café', article_count: 2, slug: 'cafe' },
      { name: 'café', article_count: 1, slug: 'cafe-2' },
    ]);
  });

  it('can be reordered, and the help centre follows', async () => {
    for (const name of ['A', 'B', 'C', 'D']) await write('Article', name);
    const [a, b, c, d] = (await all()).map(({ id }) => id);
    await moveCategory(ctx, { id: d ?? 0, before_id: a ?? 0 });
    expect(await names()).toEqual(['D', 'A', 'B', 'C']);
    await moveCategory(ctx, { id: d ?? 0, before_id: c ?? 0 });
    expect(await names()).toEqual(['A', 'B', 'D', 'C']);
    await moveCategory(ctx, { id: b ?? 0, before_id: null });
    expect(await names()).toEqual(['A', 'D', 'C', 'B']);
    await moveCategory(ctx, { id: b ?? 0, before_id: b ?? 0 });
    expect((await getHelpHome(ctx)).categories.map(({ category }) => category?.name)).toEqual([
      'A',
      'D',
      'C',
      'B',
    ]);
    await Promise.all((await all()).map(({ id }) => moveCategory(ctx, { id, before_id: null })));
    expect((await names()).sort()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('are renamed with all their articles, and their old address redirects', async () => {
    const { id } = await write('Returns', 'Orders');
    const category = await idOf('Orders');
    expect(await renameCategory(ctx, { id: category, name: 'Buying' })).toMatchObject({ slug: 'buying' });
    expect(await getArticle(ctx, id)).toMatchObject({ category: 'Buying' });
    expect(await listHelpArticles(ctx, { category: 'orders', page: 1 })).toMatchObject({
      category: { name: 'Buying', slug: 'buying' },
    });
    await write('Hours', 'Shop');
    await expect(renameCategory(ctx, { id: category, name: 'Shop' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await renameCategory(ctx, { id: category, name: 'Orders' })).toMatchObject({ slug: 'orders' });
  });

  it('are merged with their articles and addresses', async () => {
    await write('Returns', 'Orders');
    await write('Hours', 'Shop');
    const [from, into] = [await idOf('Orders'), await idOf('Shop')];
    await renameCategory(ctx, { id: from, name: 'Buying' });
    expect(await mergeCategories(ctx, { id: from, into_id: into })).toMatchObject({
      name: 'Shop',
      article_count: 2,
    });
    expect(await names()).toEqual(['Shop']);
    for (const category of ['orders', 'buying', 'shop'])
      expect(await listHelpArticles(ctx, { category, page: 1 })).toMatchObject({
        category: { slug: 'shop' },
      });
  });

  it('are not merged when two articles have the same title, and then nothing is changed', async () => {
    await write('Returns', 'Orders');
    await write('returns', 'Shop');
    await write('RETURNS', null);
    const [from, into] = [await idOf('Orders'), await idOf('Shop')];
    await expect(mergeCategories(ctx, { id: from, into_id: into })).rejects.toThrow('"Returns"');
    await expect(deleteCategory(ctx, from)).rejects.toMatchObject({ code: 'conflict' });
    await expect(mergeCategories(ctx, { id: from, into_id: from })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await names()).toEqual(['Orders', 'Shop']);
  });

  it('are deleted without their articles', async () => {
    const { id } = await write('Returns', 'Orders');
    await deleteCategory(ctx, await idOf('Orders'));
    expect(await getArticle(ctx, id)).toMatchObject({ category: null });
    expect(await all()).toEqual([]);
  });

  it('of another site look as if they did not exist', async () => {
    await write('Returns', 'Orders');
    const id = await idOf('Orders');
    const other = await ground.makeSite();
    const { id: theirs } = await createCategory(other, { name: 'Orders' });
    for (const attempt of [
      () => renameCategory(other, { id, name: 'x' }),
      () => moveCategory(other, { id, before_id: null }),
      () => moveCategory(other, { id: theirs, before_id: id }),
      () => mergeCategories(other, { id: theirs, into_id: id }),
      () => mergeCategories(other, { id, into_id: theirs }),
      () => deleteCategory(other, id),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    expect(await names()).toEqual(['Orders']);
  });
});
