import { HELP_HOME_ARTICLES_MAX, HELP_HOME_CATEGORIES_MAX, HELP_PAGE_ARTICLES } from '@foyer/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { createArticle, deleteArticle, updateArticle } from '../articles/articles.ts';
import { saveArticle } from '../articles/drafts.ts';
import { importSampleKnowledge } from '../sample.ts';
import { importArticles } from '../transfer/import.ts';
import { getHelpArticle, getHelpHome, listHelpArticles, searchHelp } from './help.ts';
import { rateAsVisitor, ratingsOf } from './ratings.ts';

const ground = useGround();
let ctx: SiteContext;

beforeEach(async () => {
  ctx = await ground.makeSite();
});

const write = (title: string, category: string | null = null, body = '') =>
  createArticle(ctx, { title, category, body, status: 'Published' });

const found = async (q: string): Promise<string[]> =>
  (await searchHelp(ctx, { q, limit: 10 })).hits.map(({ title }) => title);

describe('the help centre’s first page', () => {
  it('shows published articles by category and title, those without a category last', async () => {
    await write('Returns', 'Orders');
    await write('About us');
    await write('Delivery 10', 'Orders');
    await write('Delivery 9', 'Orders');
    await createArticle(ctx, { title: 'Secret', category: 'Orders' });
    const { categories, article_count } = await getHelpHome(ctx);
    expect(
      categories.map(({ category, articles }) => [category?.name, articles.map(({ title }) => title)]),
    ).toEqual([
      ['Orders', ['Delivery 9', 'Delivery 10', 'Returns']],
      [undefined, ['About us']],
    ]);
    expect(article_count).toBe(4);
  });

  it('follows every change, and shows nothing of another site', async () => {
    const { id } = await write('Returns', 'Orders');
    expect((await getHelpHome(ctx)).article_count).toBe(1);
    await updateArticle(ctx, { id, status: 'Archived' });
    expect(await getHelpHome(ctx)).toEqual({ categories: [], article_count: 0 });
    await updateArticle(ctx, { id, status: 'Published' });
    expect((await getHelpHome(ctx)).article_count).toBe(1);
    expect((await getHelpHome(await ground.makeSite())).article_count).toBe(0);
    await deleteArticle(ctx, id);
    expect((await getHelpHome(ctx)).article_count).toBe(0);
  });

  it('is limited, and the rest is there page by page', async () => {
    const documents = Array.from(
      { length: HELP_HOME_CATEGORIES_MAX + 10 },
      (_, at) => `title: Only one\ncategory: C${at}\nstatus: Published\n---\ntext`,
    );
    for (let at = 0; at <= HELP_PAGE_ARTICLES; at++)
      documents.unshift(`title: Article ${at}\ncategory: A\nstatus: Published\n---\ntext`);
    await importArticles(ctx, documents.join('\n---\n'));
    const { categories, article_count } = await getHelpHome(ctx);
    expect(categories).toHaveLength(HELP_HOME_CATEGORIES_MAX);
    expect(article_count).toBe(HELP_HOME_CATEGORIES_MAX + 10 + HELP_PAGE_ARTICLES + 1);
    const big = categories.find(({ category }) => category?.name === 'A');
    expect(big?.articles).toHaveLength(HELP_HOME_ARTICLES_MAX);
    const category = big?.category?.slug ?? '';
    const [first, second] = [
      await listHelpArticles(ctx, { category, page: 1 }),
      await listHelpArticles(ctx, { category, page: 2 }),
    ];
    expect([first.pages, first.articles.length, second.articles.length]).toEqual([2, HELP_PAGE_ARTICLES, 1]);
    expect(new Set([...first.articles, ...second.articles].map(({ slug }) => slug)).size).toBe(
      HELP_PAGE_ARTICLES + 1,
    );
    await expect(listHelpArticles(ctx, { category, page: 3 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(listHelpArticles(ctx, { category: 'none', page: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the help centre’s search', () => {
  it('finds nothing for unknown words, even once the index has learned, and compounds by their parts', async () => {
    await importSampleKnowledge(ctx);
    const index = await ctx.services.indexes.indexOf(ctx.site.id);
    expect(index.search('delivery', 1)[0]?.learned).toBe(true);
    expect(await found('zzzz')).toEqual([]);
    expect(await found('xylophone')).toEqual([]);
    expect(await found('giftcardbalance')).toEqual(['Gift cards']);
  });

  it('finds incomplete words in titles, and whole words in texts', async () => {
    await write('Returning an item', 'Orders', 'Send it back within 30 days.');
    await write('Delivery times', null, 'Two to four days by bicycle.');
    expect(await found('ret')).toEqual(['Returning an item']);
    expect(await found('item retur')).toEqual(['Returning an item']);
    expect(await found('bicycle')).toEqual(['Delivery times']);
    expect(await found('zeppelin')).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect((await searchHelp(ctx, { q: 'bicycle', limit: 1 })).hits[0]).toMatchObject({
      slug: 'delivery-times',
      category: null,
      excerpt: 'Two to four days by bicycle.',
    });
  });

  it('finds no draft and nothing of another site', async () => {
    await createArticle(ctx, { title: 'Secret plans', body: 'Zeppelins' });
    await createArticle(await ground.makeSite(), { title: 'Theirs', body: 'Zeppelins', status: 'Published' });
    expect(await found('secret')).toEqual([]);
    expect(await found('zeppelins')).toEqual([]);
  });
});

describe('an article of the help centre', () => {
  it('exists with its category as long as it is published', async () => {
    const { id } = await write('Returns', 'Orders', '# How\n\nBack.');
    expect(await getHelpArticle(ctx, { slug: 'returns' })).toMatchObject({
      id,
      title: 'Returns',
      category: { name: 'Orders', slug: 'orders' },
      body: '# How\n\nBack.',
    });
    await updateArticle(ctx, { id, status: 'Draft' });
    await expect(getHelpArticle(ctx, { slug: 'returns' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(getHelpArticle(await ground.makeSite(), { slug: 'returns' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is found by each address that it had', async () => {
    const { id } = await write('Returns', 'Orders');
    const saved = { id, title: 'Returns', category: 'Orders', status: 'Published', body: '' } as const;
    const { id: agentId } = await makeAgent(ctx, {
      email: 'ada@example.com',
      name: 'Ada',
      role: 'admin',
    });
    const ada = ground.contextOf(ctx.site.id, {
      actor: { kind: 'agent', agentId, name: 'Ada', role: 'admin' },
    });
    const save = (slug: string) => saveArticle(ada, { ...saved, slug });
    await save('send-back');
    await save('sending-back');
    expect(await getHelpArticle(ctx, { slug: 'returns' })).toMatchObject({ slug: 'sending-back' });
    expect(await getHelpArticle(ctx, { slug: 'send-back' })).toMatchObject({ slug: 'sending-back' });
    // No other article gets an address that still redirects.
    expect(await write('Returns', 'Shop')).toMatchObject({ slug: 'returns-2' });
    await save('returns');
    expect(await getHelpArticle(ctx, { slug: 'sending-back' })).toMatchObject({ slug: 'returns' });
  });
});

describe('a visitor’s rating', () => {
  it('counts once, with the last vote, even when it is given twice at once', async () => {
    const { id } = await write('Returns');
    const visitor = { kind: 'visitor', visitorId: 7, deviceId: 1, verified: false } as const;
    const reader = ground.contextOf(ctx.site.id, { actor: visitor });
    await Promise.all([1, 2, 3, 4].map(() => rateAsVisitor(reader, { slug: 'returns', helpful: true })));
    expect(await ratingsOf(ctx, id)).toEqual({ helpful: 1, unhelpful: 0 });
    await rateAsVisitor(reader, { slug: 'returns', helpful: false });
    expect(await ratingsOf(ctx, id)).toEqual({ helpful: 0, unhelpful: 1 });
    const other = ground.contextOf(ctx.site.id, { actor: { ...visitor, visitorId: 8 } });
    await rateAsVisitor(other, { slug: 'returns', helpful: false });
    expect(await ratingsOf(ctx, id)).toEqual({ helpful: 0, unhelpful: 2 });
    await updateArticle(ctx, { id, status: 'Draft' });
    await expect(rateAsVisitor(other, { slug: 'returns', helpful: true })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
