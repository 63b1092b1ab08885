import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let slug: string;

beforeAll(async () => {
  app = await startTestApp({ FOYER_TRUST_PROXY: 'loopback' });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  slug = `shop-${randomUUID().slice(0, 8)}`;
  await desk('help_centre.update', { slug, intro: 'Everything <about> your order.' });
});
afterAll(() => app.close());

async function desk(operation: string, input: object): Promise<Json> {
  const { body } = await app.desk(cookie, operation, input);
  if (!body.ok) throw new Error(JSON.stringify(body));
  return body.data;
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}${path}`, { headers, redirect: 'manual' });
const page = async (path: string): Promise<string> => (await get(`/help/${slug}${path}`)).text();
const write = (title: string, body = 'Text.', category: string | null = null): Promise<Json> =>
  desk('articles.save', { title, body, category, status: 'Published' });

describe('the help centre', () => {
  it('shows categories, articles, their contents and where they are', async () => {
    await write(
      'Returning an item',
      'Thirty days.\n\n## How\n\nSend it.\n\n## Costs\n\nNone.',
      'Orders & more',
    );
    const home = await page('');
    expect(home).toContain('Everything &lt;about&gt; your order.');
    expect(home).toContain(`href="/help/${slug}/articles/returning-an-item"`);
    expect(await page('/categories/orders-more')).toContain('Returning an item');
    const article = await page('/articles/returning-an-item');
    expect(article).toContain('<html lang="en" dir="ltr">');
    expect(article).toContain('<h2 id="how">How</h2>');
    expect(article).toContain('<a href="#costs" dir="auto">Costs</a>');
    expect(article).toMatch(
      /<link rel="canonical" href="http[^"]+\/help\/[^"]+\/articles\/returning-an-item">/,
    );
    expect(article).toContain('<meta property="og:title" content="Returning an item">');
    expect(article).toContain('<meta name="description" content="Thirty days.">');
    expect(article).toContain(`data-site="${site.publicKey}"`);
  });

  it('runs nothing that is not ours, and is in no frame', async () => {
    const { headers } = await get(`/help/${slug}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('shows only published articles, and changes at once', async () => {
    const { article } = await write('Fleeting');
    const before = await get(`/help/${slug}/articles/fleeting`);
    expect(before.status).toBe(200);
    const tag = before.headers.get('etag') ?? '';
    expect((await get(`/help/${slug}/articles/fleeting`, { 'if-none-match': tag })).status).toBe(304);
    await desk('articles.bulk', { action: 'set_status', selection: { ids: [article.id] }, status: 'Draft' });
    const after = await get(`/help/${slug}/articles/fleeting`, { 'if-none-match': tag });
    expect(after.status).toBe(404);
    expect(await after.text()).toContain('role="search"');
    expect(await page('')).not.toContain('Fleeting');
    expect(await page('/search?q=fleeting')).toContain('No results');
  });

  it('redirects from every earlier address, the site’s too', async () => {
    const { article } = await write('Moving house', 'x', 'Old name');
    await desk('articles.save', {
      id: article.id,
      title: 'Moving',
      status: 'Published',
      category: 'Old name',
      slug: 'moving',
    });
    const answer = await get(`/help/${slug}/articles/moving-house`);
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `/help/${slug}/articles/moving`]);
    const { items } = { items: await desk('categories.list', {}) };
    const { id } = items.find(({ name }: Json) => name === 'Old name');
    await desk('categories.update', { id, name: 'New name' });
    const category = await get(`/help/${slug}/categories/old-name`);
    expect([category.status, category.headers.get('location')]).toEqual([
      301,
      `/help/${slug}/categories/new-name`,
    ]);
    const byKey = await get(`/help/${site.publicKey}/search?q=a`);
    expect(byKey.status).toBe(200);
    const key = await get(`/help/${site.publicKey}/categories/new-name?page=1`);
    expect([key.status, key.headers.get('location')]).toEqual([
      301,
      `/help/${slug}/categories/new-name?page=1`,
    ]);
    const former = slug;
    slug = `store-${randomUUID().slice(0, 8)}`;
    await desk('help_centre.update', { slug });
    expect((await get(`/help/${former}`)).headers.get('location')).toBe(`/help/${slug}`);
  });

  it('answers an unknown page with one that offers its search, and an unknown site without that', async () => {
    for (const path of [
      '/articles/none',
      '/categories/none',
      '/none',
      '/categories/orders-more?page=9',
      '/articles/%E0%A4%A',
    ]) {
      const answer = await get(`/help/${slug}${path}`);
      expect([path, answer.status]).toEqual([path, path.endsWith('%A') ? 400 : 404]);
      if (answer.status === 404) expect(await answer.text()).toContain('role="search"');
    }
    expect((await get('/help/nobody')).status).toBe(404);
    expect((await get(`/help/images/1-1-${'a'.repeat(32)}`)).status).toBe(404);
  });

  it('is listed by search engines only if the site allows it, and is gone when it is switched off', async () => {
    expect(await page('')).toContain('content="index, follow"');
    expect(await page('/search?q=x')).toContain('content="noindex"');
    await desk('help_centre.update', { indexed: false });
    const answer = await get(`/help/${slug}`);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(await answer.text()).toContain('content="noindex"');
    await desk('help_centre.update', { indexed: true, enabled: false });
    expect((await get(`/help/${slug}`)).status).toBe(404);
    await desk('help_centre.update', { enabled: true });
    expect((await get(`/help/${slug}`)).status).toBe(200);
  });

  it('is in the site’s language, from right to left if that is written so', async () => {
    await desk('site.update', { language: 'he' });
    const home = await page('');
    await desk('site.update', { language: 'en' });
    expect(home).toContain('<html lang="he" dir="rtl">');
    expect(home).toContain('חיפוש תשובות');
    expect(home).not.toContain('Search');
  });

  it('keeps search engines out of what is private, and names no site to them', async () => {
    const text = await (await get('/robots.txt')).text();
    expect(text).toContain('Disallow: /portal/\n');
    expect(text).not.toContain('/help');
  });

  it('has a sitemap of published pages', async () => {
    const answer = await get(`/help/${slug}/sitemap.xml`);
    expect(answer.headers.get('content-type')).toContain('application/xml');
    const text = await answer.text();
    expect(text).toContain(`/help/${slug}/articles/returning-an-item</loc>`);
    expect(text).not.toContain('fleeting');
  });

  it('refuses an address that another site has', async () => {
    const other = await app.makeSite();
    const theirs = await app.signIn(other.admin.email);
    expect((await app.desk(theirs, 'help_centre.update', { slug })).status).toBe(409);
    for (const bad of ['images', 'a', 'Ä', '-a', 'a b', 'x'.repeat(61)])
      expect((await app.desk(theirs, 'help_centre.update', { slug: bad })).status, bad).toBe(400);
  });
});

describe('“was this helpful”', () => {
  const vote = (path: string, helpful: string, reader?: string, from = '203.0.113.1'): Promise<Response> =>
    fetch(`${app.url}/help/${slug}/articles/${path}/helpful`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': from,
        ...(reader ? { cookie: reader } : {}),
      },
      body: `helpful=${helpful}`,
      redirect: 'manual',
    });

  it('counts a browser once, with its last vote, and shows the result to the team', async () => {
    const { article } = await write('Helpful');
    const first = await vote('helpful', 'yes');
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      `/help/${slug}/articles/helpful?rated=yes#rate`,
    ]);
    const set = first.headers.get('set-cookie') ?? '';
    expect(set).toContain('HttpOnly');
    const reader = set.split(';')[0];
    await vote('helpful', 'yes', reader);
    expect((await desk('articles.open', { id: article.id })).ratings).toEqual({ helpful: 1, unhelpful: 0 });
    await vote('helpful', 'no', reader);
    await vote('helpful', 'no');
    expect((await desk('articles.open', { id: article.id })).ratings).toEqual({ helpful: 0, unhelpful: 2 });
    expect(await page('/articles/helpful?rated=no')).toContain('role="status"');
  });

  it('is limited, and refuses unknown votes', async () => {
    expect((await vote('helpful', 'maybe')).status).toBe(400);
    expect((await vote('none', 'yes')).status).toBe(404);
    const many = await Promise.all(Array.from({ length: 12 }, () => vote('helpful', 'yes')));
    const refused = many.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused?.text()).toContain('Please wait');
  });

  it('ignores forged cookies, and accepts its own only unchanged', async () => {
    const { article } = await write('Honest');
    const set = (await vote('honest', 'yes', undefined, '203.0.113.3')).headers.get('set-cookie');
    const own = set?.split(';')[0] ?? '';
    const from = '203.0.113.2';
    const forged = [
      `foyer_reader=${'A'.repeat(22)}`,
      `foyer_reader=${'A'.repeat(22)}.${own.split('.')[1]}`,
      own.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'foyer_reader=.',
      own.replace('.', ''),
      `foyer_reader=${'B'.repeat(22)}.${'B'.repeat(43)}`,
    ];
    const statuses = [];
    for (const reader of forged) statuses.push((await vote('honest', 'no', reader, from)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
    expect((await vote('honest', 'yes', own, from)).status).toBe(303);
    expect((await desk('articles.open', { id: article.id })).ratings).toEqual({ helpful: 1, unhelpful: 5 });
  });

  it('is limited for a site, however many addresses vote', async () => {
    await write('Crowd');
    const votes = Array.from({ length: 110 }, (_, at) => vote('crowd', 'no', undefined, `198.51.100.${at}`));
    const passed = (await Promise.all(votes)).filter(({ status }) => status === 303);
    expect(passed.length).toBeGreaterThan(50);
    expect(passed.length).toBeLessThanOrEqual(100);
  });
});

describe('pictures', () => {
  it('are encoded again and shown, others only linked', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { path } = await desk('article_images.create', { content: pixel });
    expect((await desk('article_images.create', { content: pixel })).path).toBe(path);
    const shown = await get(path);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('cache-control')).toContain('immutable');
    await write('Pictures', `![A dot](${path})\n\n![Theirs](https://elsewhere.example/x.png)`);
    const html = await page('/articles/pictures');
    expect(html).toContain(`<img src="${path}" alt="A dot"`);
    expect(html).not.toContain('<img src="https');
    expect((await get(`${path.slice(0, -1)}x`)).status).toBe(404);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    expect((await app.desk(cookie, 'article_images.create', { content: svg })).status).toBe(400);
  });
});
