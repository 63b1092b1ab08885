import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { silentLog } from '../../../test/harness.ts';
import type { SiteContext } from '../../core/context.ts';
import { openDatabase } from '../../db/database.ts';
import { createArticle, deleteArticle, updateArticle } from '../articles/articles.ts';
import { importArticles } from '../transfer/import.ts';
import { createSiteIndexes, type SiteIndexes } from './site-indexes.ts';

const ground = useGround();
let ctx: SiteContext;
let indexes: SiteIndexes;
beforeEach(async () => {
  ctx = await ground.makeSite();
  indexes = createSiteIndexes({ db: ground.db, log: silentLog });
});

const find = async (
  question: string,
  among: SiteIndexes = indexes,
  at: SiteContext = ctx,
): Promise<string[]> =>
  (await among.indexOf(at.site.id)).search(question, 5).map(({ passage }) => passage.title);
const publish = (title: string, body: string, at: SiteContext = ctx) =>
  createArticle(at, { title, body, status: 'Published' });

/** Counts the queries, and can delay their results. */
function countingDatabase() {
  const asked: string[] = [];
  const held = new Map<string, Promise<void>>();
  const kinds = new WeakMap<object, string>();
  const { db, close } = openDatabase(ground.url);
  const counted = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node);
      const kind =
        ['articles', 'training_rows', 'knowledge_documents'].find((table) => text.includes(`"${table}"`)) ??
        'version';
      kinds.set(queryId, kind);
      asked.push(kind);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      await held.get(kinds.get(queryId) ?? '');
      return result;
    },
  });
  const hold = (kind: string): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(kind, promise);
    return resolve;
  };
  return { db: counted, close, asked, hold };
}

describe('the index of a site', () => {
  test('follows every change: published, changed, unpublished, deleted, imported', async () => {
    expect(await find('walrus')).toEqual([]);
    const { id } = await createArticle(ctx, { title: 'Walrus', body: 'A walrus eats clams.' });
    expect(await find('walrus')).toEqual([]);
    await updateArticle(ctx, { id, status: 'Published' });
    expect(await find('walrus')).toEqual(['Walrus']);
    await updateArticle(ctx, { id, title: 'Penguin', body: 'A penguin eats herring.' });
    expect(await find('walrus')).toEqual([]);
    expect(await find('penguin')).toEqual(['Penguin']);
    await updateArticle(ctx, { id, status: 'Archived' });
    expect(await find('penguin')).toEqual([]);
    await updateArticle(ctx, { id, status: 'Published' });
    await deleteArticle(ctx, id);
    expect(await find('penguin')).toEqual([]);
    await importArticles(ctx, 'status: Published\n---\n# Otter\n\nAn otter eats urchins.');
    expect(await find('otter')).toEqual(['Otter']);
  });

  test('is right on a node that did not make the change', async () => {
    const node = openDatabase(ground.url);
    const elsewhere = createSiteIndexes({ db: node.db, log: silentLog });
    const { id } = await publish('Walrus', 'A walrus eats clams.');
    expect([await find('walrus'), await find('walrus', elsewhere)]).toEqual([['Walrus'], ['Walrus']]);
    await deleteArticle(ctx, id);
    expect(await find('walrus', elsewhere)).toEqual([]);
    await node.close();
  });

  test("has nothing of another site's", async () => {
    const other = await ground.makeSite();
    await publish('Walrus', 'A walrus eats clams.', other);
    expect(await find('walrus')).toEqual([]);
    expect(await find('walrus', indexes, other)).toEqual(['Walrus']);
  });

  test('of an unknown site is not found', async () => {
    await expect(indexes.indexOf(999_999_999)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('has a change that is committed while others wait for it to be built', async () => {
    const { db, close, asked, hold } = countingDatabase();
    const counted = createSiteIndexes({ db, log: silentLog });
    await publish('Otter', 'An otter eats urchins.');
    const release = hold('articles');
    const early = find('otter walrus', counted);
    await expect.poll(() => asked).toContain('articles');
    await publish('Walrus', 'A walrus eats clams.');
    const late = find('walrus', counted);
    await expect.poll(() => asked.filter((what) => what === 'version')).toHaveLength(3);
    release();
    expect(await early).toContain('Otter');
    expect(await late).toEqual(['Walrus']);
    await close();
  });
});

describe('the database', () => {
  test('gets one small query while nothing changes, and after a change only those for changed articles', async () => {
    const { db, close, asked } = countingDatabase();
    const counted = createSiteIndexes({ db, log: silentLog });
    const { id } = await publish('Walrus', 'A walrus eats clams.');
    await publish('Otter', 'An otter eats urchins.');
    const before = await counted.indexOf(ctx.site.id);
    asked.length = 0;
    expect(await counted.indexOf(ctx.site.id)).toBe(before);
    expect(asked).toEqual(['version']);
    await updateArticle(ctx, { id, body: 'A walrus eats snails.' });
    expect(await counted.indexOf(ctx.site.id)).toBe(before);
    await close();
  });

  test('is queried once for all who wait for the same index', async () => {
    const { db, close, asked } = countingDatabase();
    const counted = createSiteIndexes({ db, log: silentLog });
    await publish('Walrus', 'A walrus eats clams.');
    const found = await Promise.all(Array.from({ length: 20 }, () => counted.indexOf(ctx.site.id)));
    expect(new Set(found).size).toBe(1);
    expect(asked.filter((what) => what === 'articles')).toHaveLength(2);
    await close();
  });

  test('is queried again for the least recently used site', async () => {
    const none = await indexes.indexOf(ctx.site.id);
    const three = createSiteIndexes({ db: ground.db, log: silentLog, maxBytes: 3 * none.bytes });
    const sites = [ctx, ...(await Promise.all([1, 2, 3].map(() => ground.makeSite())))];
    const [first, second] = await Promise.all(sites.slice(0, 2).map(({ site }) => three.indexOf(site.id)));
    for (const { site } of [sites[2] ?? ctx, ctx, sites[3] ?? ctx]) await three.indexOf(site.id);
    expect(await three.indexOf(ctx.site.id)).toBe(first);
    expect(await three.indexOf(sites[1]?.site.id ?? 0)).not.toBe(second);
  });

  test('is queried again for other sites when one grows', async () => {
    const other = await ground.makeSite();
    const both = createSiteIndexes({ db: ground.db, log: silentLog, maxBytes: 40_000 });
    const before = await both.indexOf(other.site.id);
    await both.indexOf(ctx.site.id);
    expect(await both.indexOf(other.site.id)).toBe(before);
    await publish('Walrus', Array.from({ length: 200 }, (_, n) => `Walrus${n} eats clam${n}.`).join(' '));
    expect(await find('walrus7', both)).toEqual(['Walrus']);
    expect(await both.indexOf(other.site.id)).not.toBe(before);
  });

  test('that does not answer leaves the index as it was; the next use makes up for it', async () => {
    const node = openDatabase(ground.url, { max: 1 });
    const flaky = createSiteIndexes({ db: node.db, log: silentLog });
    await publish('Walrus', 'A walrus eats clams.');
    const lost = node.db.executeQuery(CompiledQuery.raw('select pg_terminate_backend(pg_backend_pid())'));
    const failed = flaky.indexOf(ctx.site.id).catch(() => undefined);
    await expect(lost).rejects.toThrow();
    await failed;
    expect(await find('walrus', flaky)).toEqual(['Walrus']);
    await node.close();
  });
});
