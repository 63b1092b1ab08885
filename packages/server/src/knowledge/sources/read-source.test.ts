import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { useGround } from '../../../test/ground.ts';
import { pageOf, startWebsite, type Website } from '../../../test/pages.ts';
import type { SiteContext } from '../../core/context.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import { type Crawler, createCrawler } from './crawl/crawler.ts';
import { listDocuments } from './documents.ts';
import { claimSource, type Leased } from './leases.ts';
import { listPages } from './list-pages.ts';
import { readNextPage } from './read-page.ts';
import { readSource, sourceClock } from './read-source.ts';
import { createSource } from './web-sources.ts';

// Several workers, some of which die. Only these tests run jobs.

const ground = useGround();
const NOW = new Date('2026-03-10T12:00:00Z');
let siteId: number;
let web: Website;
let crawler: Crawler;
beforeEach(async () => {
  siteId = (await ground.makeSite()).site.id;
  web = await startWebsite();
  for (let page = 1; page <= 4; page += 1)
    web.pages[`/${page}`] = pageOf(`Page ${page}`, `<p>This is what page ${page} says about lamps.</p>`);
  web.pages['/sitemap.txt'] = {
    headers: { 'content-type': 'text/plain' },
    body: [1, 2, 3, 4].map((page) => `${web.url}/${page}`).join('\n'),
  };
  crawler = newCrawler();
});
afterEach(() => web.close());

const newCrawler = (): Crawler =>
  createCrawler({
    fetch: createGuardedFetch({ allowPrivate: true }),
    home: () => 'https://foyer.test',
    now: () => NOW,
    pauseMs: 0,
  });

/** A worker of a process of its own, `minutes` after the first. */
const workerAt = (minutes = 0): SiteContext =>
  ground.contextOf(siteId, { crawler, now: () => new Date(NOW.getTime() + minutes * 60_000) });

/** Address checks have their own tests. */
async function newSource(kind: 'page' | 'sitemap', path: string): Promise<number> {
  const ctx = workerAt();
  const { services } = ctx;
  Object.assign(services, { webhooks: { allowPrivate: true } });
  return (await createSource(ctx, { kind, url: web.url + path })).id;
}

const pagesAsked = (): string[] => web.asked.map(({ path }) => path).filter((path) => /^\/\d$/.test(path));
const states = async (source_id: number): Promise<string[]> =>
  (await listDocuments(workerAt(), { source_id, limit: 50, order: 'asc' })).items.map(({ state }) => state);
const claimed = async (ctx: SiteContext, id: number): Promise<Leased> => {
  const source = await claimSource(ctx, id);
  if (!source) throw new Error('the source is somebody else’s');
  return source;
};
const isDue = async (id: number, minutes: number): Promise<boolean> =>
  (await findDue(sourceClock, ground.db, new Date(NOW.getTime() + minutes * 60_000), 100)).some(
    (one) => one.siteId === siteId && one.id === id,
  );

test('two workers read each page once, and it is due again tomorrow', async () => {
  const id = await newSource('sitemap', '/sitemap.txt');
  expect(await isDue(id, 0)).toBe(true);
  await Promise.all([readSource(workerAt(), id), readSource(workerAt(), id), readSource(workerAt(), id)]);
  expect(pagesAsked()).toEqual(['/1', '/2', '/3', '/4']);
  expect(await states(id)).toEqual(['ready', 'ready', 'ready', 'ready']);
  expect(await isDue(id, 23 * 60)).toBe(false);
  expect(await isDue(id, 27 * 60)).toBe(true);
});

test('after a worker has died, another continues with the next page, and late results of the first are not stored', async () => {
  const id = await newSource('sitemap', '/sitemap.txt');
  const first = workerAt();
  const source = await claimed(first, id);
  expect(await listPages(first, source)).toBe(true);
  expect(await readNextPage(first, source)).toBe(true);
  await readSource(workerAt(1), id);
  expect(pagesAsked()).toEqual(['/1']);
  expect(await isDue(id, 1)).toBe(false);
  expect(await isDue(id, 3)).toBe(true);
  await readSource(workerAt(3), id);
  expect(pagesAsked()).toEqual(['/1', '/2', '/3', '/4']);
  web.pages['/1'] = pageOf('Late', '<p>This comes from a worker that was taken for dead.</p>');
  await ground.db
    .updateTable('knowledge_documents')
    .set({ due: true })
    .where('site_id', '=', siteId)
    .execute();
  expect(await readNextPage(first, source)).toBe(false);
  expect(await listPages(first, source)).toBe(false);
  const { items } = await listDocuments(workerAt(), { source_id: id, limit: 50, order: 'asc' });
  expect(items.map(({ title }) => title)).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4']);
});

test('two sources of one host are not read at the same time', async () => {
  const [one, other] = [await newSource('page', '/1'), await newSource('page', '/2')];
  await claimed(workerAt(), one);
  expect(await claimSource(workerAt(), other)).toBeUndefined();
  expect(await claimSource(workerAt(3), other)).toBeDefined();
});

test('a source that is deleted while it is read leaves nothing behind', async () => {
  const id = await newSource('page', '/1');
  const ctx = workerAt();
  const source = await claimed(ctx, id);
  web.pages['/1'] = () => pageOf('Page 1', '<p>What page 1 says about lamps.</p>');
  await ground.db.deleteFrom('knowledge_sources').where('site_id', '=', siteId).execute();
  expect(await readNextPage(ctx, source)).toBe(false);
  const rows = await ground.db
    .selectFrom('knowledge_documents')
    .select('id')
    .where('site_id', '=', siteId)
    .execute();
  expect(rows).toEqual([]);
});

test('a name that resolves to a private address is not called, and neither is a redirect to one', async () => {
  const guarded = createCrawler({
    fetch: createGuardedFetch({
      allowPrivate: false,
      resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    }),
    home: () => 'https://foyer.test',
    now: () => NOW,
    pauseMs: 0,
  });
  const port = new URL(web.url).port;
  const options = { maxBytes: 1_000 };
  const refused = { kind: 'gone', problem: 'private_address' };
  expect(await guarded.get(`http://shop.example:${port}/1`, options)).toEqual(refused);
  expect(await guarded.get(`http://127.0.0.1:${port}/1`, options)).toEqual(refused);
  expect(await guarded.get('http://169.254.169.254/latest/meta-data/', options)).toEqual(refused);
  expect(web.asked).toEqual([]);
  // robots.txt may redirect elsewhere, but not to a private address.
  web.pages['/robots.txt'] = { status: 302, headers: { location: 'http://[::1]:1/robots.txt' } };
  expect(await crawler.get(`${web.url}/1`, options)).toMatchObject({ kind: 'failed' });
  expect(pagesAsked()).toEqual([]);
});

test('requests to one host wait for each other, those to another don’t', async () => {
  const elsewhere = await startWebsite({ '/1': pageOf('Elsewhere', '<p>Text</p>') });
  const held = Promise.withResolvers<void>();
  const slow = createCrawler({
    fetch: async (...request) => {
      if (String(request[0]).startsWith(web.url)) await held.promise;
      return createGuardedFetch({ allowPrivate: true })(...request);
    },
    home: () => 'https://foyer.test',
    now: () => NOW,
    pauseMs: 0,
  });
  const options = { maxBytes: 10_000 };
  const waiting = [slow.get(`${web.url}/1`, options), slow.get(`${web.url}/2`, options)];
  expect(await slow.get(`${elsewhere.url}/1`, options)).toMatchObject({ kind: 'content' });
  expect(web.asked).toEqual([]);
  held.resolve();
  expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(['content', 'content']);
  expect(web.mostAtOnce()).toBe(1);
  await elsewhere.close();
});
