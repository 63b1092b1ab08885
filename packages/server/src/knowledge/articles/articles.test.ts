import { contract, type InputOf } from '@foyer/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { createArticle, deleteArticle, listArticles, updateArticle } from './articles.ts';

const ground = useGround();
let ctx: SiteContext;
let other: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
  other = await ground.makeSite();
});

const create = (input: InputOf<'articles.create'>, at: SiteContext = ctx) =>
  createArticle(at, contract['articles.create'].input.parse(input));
const update = (input: InputOf<'articles.update'>, at: SiteContext = ctx) =>
  updateArticle(at, contract['articles.update'].input.parse(input));
const list = async (input: InputOf<'articles.list'> = {}, at: SiteContext = ctx) => {
  const found = await listArticles(at, contract['articles.list'].input.parse(input));
  if (!('items' in found)) throw new Error('not a page');
  return { ...found, titles: found.items.map(({ title }) => title) };
};
const one = (id: number, at: SiteContext = ctx) => listArticles(at, { id, limit: 1, order: 'desc' });
const version = async (): Promise<number> =>
  (
    await ctx.db
      .selectFrom('sites')
      .select('knowledge_version')
      .where('id', '=', ctx.site.id)
      .executeTakeFirstOrThrow()
  ).knowledge_version;

describe('an article', () => {
  test('begins as a draft and keeps its slug when its title changes', async () => {
    const made = await create({ title: 'Rückgabe & Umtausch' });
    expect(made).toMatchObject({ status: 'Draft', category: null, body: '', slug: 'ruckgabe-umtausch' });
    const changed = await update({ id: made.id, title: 'Returns', status: 'Published', category: 'Orders' });
    expect(changed).toMatchObject({
      title: 'Returns',
      status: 'Published',
      category: 'Orders',
      slug: made.slug,
    });
    expect(await update({ id: made.id, category: null })).toMatchObject({ category: null, title: 'Returns' });
  });

  test('has a slug of its own, even when many with one title are created at once', async () => {
    const categories = Array.from({ length: 12 }, (_, at) => `c${at}`);
    const made = await Promise.all(categories.map((category) => create({ title: 'Returns', category })));
    expect(new Set(made.map(({ slug }) => slug))).toEqual(
      new Set(['returns', ...Array.from({ length: 11 }, (_, at) => `returns-${at + 2}`)]),
    );
  });

  test("with another's title and category is a conflict, whatever the case", async () => {
    await create({ title: 'Returns', category: 'Orders' });
    await expect(create({ title: 'RETURNS', category: 'Orders' })).rejects.toMatchObject({
      code: 'conflict',
    });
    const elsewhere = await create({ title: 'returns', category: 'Shop' });
    await expect(update({ id: elsewhere.id, category: 'Orders' })).rejects.toMatchObject({ status: 409 });
    expect(await create({ title: 'returns', category: 'Orders' }, other)).toMatchObject({ slug: 'returns' });
  });

  test('increases the version of the knowledge with every change and only then', async () => {
    const made = await create({ title: 'Returns' });
    expect(await version()).toBe(1);
    await update({ id: made.id, body: 'Thirty days.' });
    expect(await version()).toBe(2);
    await update({ id: made.id, body: 'Thirty days.' });
    await expect(create({ title: 'returns' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await version()).toBe(2);
    await deleteArticle(ctx, made.id);
    expect(await version()).toBe(3);
  });

  test('of another site looks as if it did not exist', async () => {
    const { id } = await create({ title: 'Returns' });
    await expect(one(id, other)).rejects.toMatchObject({ code: 'not_found' });
    await expect(update({ id, title: 'Mine' }, other)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteArticle(other, id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await list({}, other)).titles).toEqual([]);
    expect(await one(id)).toMatchObject({ title: 'Returns' });
  });
});

describe('the list', () => {
  test('pages newest first and filters', async () => {
    await create({ title: 'A', status: 'Published', category: 'x', body: '100% cotton' });
    await create({ title: 'B_1', status: 'Published', category: 'y' });
    await create({ title: 'C', category: 'x' });
    const first = await list({ limit: 2 });
    expect(first.titles).toEqual(['C', 'B_1']);
    expect((await list({ limit: 2, cursor: first.next_cursor ?? '' })).titles).toEqual(['A']);
    expect((await list({ status: 'Published', category: 'x' })).titles).toEqual(['A']);
    expect((await list({ q: '%' })).titles).toEqual(['A']);
    expect((await list({ q: 'b_' })).titles).toEqual(['B_1']);
    expect((await list({ order: 'asc' })).titles).toEqual(['A', 'B_1', 'C']);
  });

  test('gives one by its id, or none', async () => {
    const { id } = await create({ title: 'A' });
    expect(await one(id)).toMatchObject({ id, title: 'A' });
    await deleteArticle(ctx, id);
    await expect(one(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteArticle(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
