import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { InputOf, KnowledgeDocument, KnowledgeSource, Message, OperationName } from '@foyer/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { makePdf } from '../../../test/documents.ts';
import { until } from '../../../test/harness.ts';
import { pageOf, startWebsite, type Website } from '../../../test/pages.ts';
import { TestSocket } from '../../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let web: Website;
beforeAll(async () => {
  app = await startTestApp({}, { crawlPauseMs: 0 });
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  web = await startWebsite();
});
afterEach(() => web.close());

async function desk<N extends OperationName>(operation: N, input: InputOf<N>): Promise<Json> {
  const { body } = await app.desk(cookie, operation, input);
  expect(body, JSON.stringify(body)).toMatchObject({ ok: true });
  return body.data;
}

/** Waits until a source was read, and returns the result. */
async function settled(id: number): Promise<KnowledgeSource> {
  let source: Json;
  await until(async () => {
    source = await desk('knowledge_sources.list', { id });
    return source.next_read_utc > new Date().toISOString() && source.state !== 'reading';
  });
  return source;
}

async function add(kind: 'page' | 'sitemap', path: string): Promise<KnowledgeSource> {
  const { id } = await desk('knowledge_sources.create', { kind, url: web.url + path });
  return settled(id);
}

async function refresh(id: number): Promise<KnowledgeSource> {
  await desk('knowledge_sources.refresh', { id });
  return settled(id);
}

const documentsOf = (source_id: number): Promise<KnowledgeDocument[]> =>
  desk('knowledge_documents.list', { source_id, order: 'asc' });
const textOf = async (source: KnowledgeSource): Promise<string> =>
  (await desk('knowledge_documents.get', { id: source.document_id ?? 0 })).body;
const found = async (q: string): Promise<string[]> =>
  (await desk('knowledge.search', { q })).passages.map(({ title }: Json) => title);
const askedFor = (path: string) => web.asked.filter((one) => one.path === path);

const sitemapOf = (...paths: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>${path.startsWith('http') ? path : web.url + path}</loc></url>`)
    .join('')}</urlset>`;

const RETURNS =
  '<p>You can send a lamp back within 45 days of its delivery, free of charge. Put it into its box and use our label.</p>';

/** The bot's answer to an anonymous visitor. */
async function ask(text: string): Promise<Message> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const sent = (await socket.call('chat.send', { session_id: null, client_id: randomUUID(), text })) as {
    session: { session_id: string };
  };
  await socket.subscribe(sent.session.session_id);
  const { message } = await socket.next('message', (frame) => frame.message.sender === 'bot');
  socket.cut();
  return message;
}

describe('a page', () => {
  test('is read without what surrounds it, and a visitor gets an answer from it with a link', async () => {
    web.pages['/returns'] = pageOf('Sending a lamp back', `${RETURNS}<script>document.title = 'no'</script>`);
    const source = await add('page', '/returns');
    expect(source).toMatchObject({
      kind: 'page',
      address: `${web.url}/returns`,
      title: 'Sending a lamp back',
      state: 'ready',
      problem: null,
      documents: 1,
      passages: 1,
    });
    expect(await textOf(source)).toBe(
      '# Sending a lamp back\n\nYou can send a lamp back within 45 days of its delivery, free of charge. Put it into its box and use our label.',
    );
    const answer = await ask('How many days do I have to send a lamp back?');
    expect(answer.text).toContain('45 days');
    expect(answer.sources).toEqual([
      { document_id: source.document_id, title: 'Sending a lamp back', url: `${web.url}/returns` },
    ]);
    expect(await desk('knowledge_sources.list', { id: source.id })).toMatchObject({ uses: 1 });
    expect(askedFor('/returns')[0]?.headers['user-agent']).toMatch(
      /^Mozilla\/5\.0 \(compatible; FoyerBot\/1\.0; \+http:\/\/localhost/,
    );
    await desk('knowledge_sources.delete', { id: source.id });
    expect(await found('send a lamp back')).toEqual([]);
  });

  test('is requested only if it has changed, and read again only then', async () => {
    let tag = '"one"';
    web.pages['/a'] = (headers) =>
      headers['if-none-match'] === tag
        ? { status: 304 }
        : {
            headers: { etag: tag, 'last-modified': 'Tue, 03 Nov 2026 10:00:00 GMT' },
            body: pageOf('Bulbs', `<p>Our bulbs have the size ${tag === '"one"' ? 'E27' : 'E14'}.</p>`),
          };
    const first = await add('page', '/a');
    const again = await refresh(first.id);
    expect(again).toMatchObject({ state: 'ready', passages: 1 });
    expect(Date.parse(again.read_utc ?? '')).toBeGreaterThanOrEqual(Date.parse(first.read_utc ?? ''));
    expect(askedFor('/a').map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"']);
    expect(askedFor('/a')[1]?.headers['if-modified-since']).toBe('Tue, 03 Nov 2026 10:00:00 GMT');
    tag = '"two"';
    expect(await textOf(await refresh(first.id))).toContain('E14');
  });

  test('that is gone is removed at once; one that fails temporarily stays', async () => {
    web.pages['/hours'] = pageOf('Opening hours', '<p>The workshop opens at nine in the morning.</p>');
    const { id } = await add('page', '/hours');
    web.pages['/hours'] = { status: 503 };
    const failing = await refresh(id);
    expect(failing).toMatchObject({ state: 'failed', problem: 'server_error', failed: 1, passages: 1 });
    expect(await found('When does the workshop open?')).toEqual(['Opening hours']);
    // It is retried before tomorrow.
    expect(Date.parse(failing.next_read_utc ?? '') - Date.now()).toBeLessThan(2 * 3_600_000);
    web.pages['/hours'] = { status: 410 };
    expect(await refresh(id)).toMatchObject({ state: 'failed', problem: 'not_found', passages: 0 });
    expect(await found('When does the workshop open?')).toEqual([]);
    web.pages['/hours'] = pageOf('Opening hours', '<p>The workshop opens at ten in the morning.</p>');
    expect(await refresh(id)).toMatchObject({ state: 'ready', passages: 1 });
  });

  test.each<[problem: string, answer: Website['pages'][string]]>([
    ['noindex', pageOf('A', '<p>Text of a page</p>', '<meta name="robots" content="noindex">')],
    ['noindex', { headers: { 'x-robots-tag': 'noindex, nofollow' }, body: pageOf('A', '<p>Text</p>') }],
    ['elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }],
    ['elsewhere', { status: 302, headers: { location: 'file:///etc/passwd' } }],
    ['elsewhere', { status: 302, headers: { location: '/a' } }],
    ['not_html', { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['too_large', { body: 'a'.repeat(5 * 1024 * 1024 + 1) }],
    [
      'too_large',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(64 * 1024 * 1024)) },
    ],
    [
      'no_text',
      pageOf('', '<div id="app"></div><script src="app.js"></script>').replace(
        /Home page|Imprint.*shop/g,
        '',
      ),
    ],
  ])('that can’t be read gives the reason: %s', async (problem, answer) => {
    web.pages['/a'] = answer;
    expect(await add('page', '/a')).toMatchObject({ state: 'failed', problem, passages: 0, documents: 0 });
  });

  test('is at the address to which its site redirects, and may be a PDF', async () => {
    web.pages['/manual'] = { status: 301, headers: { location: '/files/manual.pdf' } };
    web.pages['/files/manual.pdf'] = {
      headers: { 'content-type': 'application/pdf' },
      body: makePdf([[{ text: 'Lamp manual', size: 20 }, { text: 'The dimmer is under the shade.' }]]),
    };
    const source = await add('page', '/manual');
    expect(source).toMatchObject({ state: 'ready', title: 'Lamp manual' });
    const [document] = await documentsOf(source.id);
    expect(document).toMatchObject({ address: `${web.url}/manual`, url: `${web.url}/files/manual.pdf` });
  });

  test('keeps its letters, whatever charset it declares, and its links keep their targets', async () => {
    web.pages['/help/a'] = {
      headers: { 'content-type': 'text/html' },
      body: Buffer.from(
        `<html><head><meta charset="iso-8859-1"></head><body><main><p>Gr\u00fc\u00dfe aus K\u00f6ln. <a href="../b?x=1">Mehr</a> <a href="javascript:alert(1)">x</a> <img src="/p.png" alt="p">${'Und noch mehr Text. '.repeat(8)}</p></main></body></html>`,
        'latin1',
      ),
    };
    const text = await textOf(await add('page', '/help/a'));
    expect(text).toContain(`Grüße aus Köln. [Mehr](<${web.url}/b?x=1>) x`);
    expect(text).not.toMatch(/javascript|p\.png/);
  });
});

describe('robots.txt', () => {
  test('is obeyed, also if it names this robot', async () => {
    web.pages['/robots.txt'] = 'User-agent: *\nDisallow: /private\n\nUser-agent: FoyerBot\nDisallow: /team';
    web.pages['/team'] = pageOf('Team', '<p>Who we are.</p>');
    web.pages['/private'] = pageOf('Private', '<p>For other robots this is forbidden.</p>');
    expect(await add('page', '/team')).toMatchObject({ state: 'failed', problem: 'robots' });
    expect(await add('page', '/private')).toMatchObject({ state: 'ready' });
    expect(askedFor('/team')).toEqual([]);
    expect(askedFor('/robots.txt')).toHaveLength(1);
  });

  test('that is temporarily unreadable keeps everything from being read', async () => {
    web.pages['/robots.txt'] = { status: 500 };
    web.pages['/a'] = pageOf('A', '<p>Text of a page</p>');
    expect(await add('page', '/a')).toMatchObject({ state: 'failed', problem: 'server_error' });
    expect(askedFor('/a')).toEqual([]);
  });
});

describe('a sitemap', () => {
  test('adds its pages, one request at a time, and removes them when it no longer lists them', async () => {
    for (const name of ['one', 'two', 'three'])
      web.pages[`/${name}`] = pageOf(`Lamp ${name}`, `<p>The lamp called ${name} weighs a kilogram.</p>`);
    web.pages['/sitemap.xml'] = sitemapOf('/one', '/two', 'https://other.example/page', '/missing');
    const source = await add('sitemap', '/sitemap.xml');
    expect(source).toMatchObject({ state: 'ready', problem: null, documents: 2, failed: 1, is_cut: false });
    expect((await documentsOf(source.id)).map(({ address, problem }) => [address, problem])).toEqual([
      [`${web.url}/one`, null],
      [`${web.url}/two`, null],
      [`${web.url}/missing`, 'not_found'],
    ]);
    expect(web.mostAtOnce()).toBe(1);
    web.pages['/sitemap.xml'] = sitemapOf('/two', '/three');
    expect(await refresh(source.id)).toMatchObject({ documents: 2, failed: 0 });
    expect((await documentsOf(source.id)).map(({ title }) => title)).toEqual(['Lamp two', 'Lamp three']);
    expect(await found('the lamp called one')).not.toContain('Lamp one');
    // A sitemap that is broken for a day removes nothing.
    web.pages['/sitemap.xml'] = { status: 500 };
    expect(await refresh(source.id)).toMatchObject({
      state: 'failed',
      problem: 'server_error',
      documents: 2,
    });
  });

  test('may be compressed, and list other sitemaps', async () => {
    web.pages['/one'] = pageOf('Lamp one', '<p>It weighs a kilogram.</p>');
    web.pages['/two'] = pageOf('Lamp two', '<p>It weighs a pound.</p>');
    web.pages['/index.xml'] =
      `<sitemapindex><sitemap><loc>${web.url}/a.xml.gz</loc></sitemap><sitemap><loc>${web.url}/b.txt</loc></sitemap><sitemap><loc>http://10.0.0.1/c.xml</loc></sitemap></sitemapindex>`;
    web.pages['/a.xml.gz'] = {
      headers: { 'content-type': 'application/gzip' },
      body: gzipSync(sitemapOf('/one')),
    };
    web.pages['/b.txt'] = { headers: { 'content-type': 'text/plain' }, body: `${web.url}/two\n` };
    expect(await add('sitemap', '/index.xml')).toMatchObject({ state: 'ready', documents: 2 });
  });

  test('with more than 500 pages is cut, and says so', async () => {
    web.pages['/sitemap.xml'] = sitemapOf(...Array.from({ length: 501 }, (_, at) => `/page-${at}`));
    const { id } = await desk('knowledge_sources.create', { kind: 'sitemap', url: `${web.url}/sitemap.xml` });
    await until(async () => (await desk('knowledge_sources.list', { id })).is_cut);
    const { rows } = await app.app.database.pool.query(
      'select count(*)::int as n from knowledge_documents where source_id = $1 and site_id = $2',
      [id, site.site.id],
    );
    expect(rows).toEqual([{ n: 500 }]);
    await desk('knowledge_sources.delete', { id });
  });

  test.each<[what: string, body: string]>([
    ['a page', pageOf('A', '<p>Text</p>')],
    ['another XML', '<rss><channel/></rss>'],
    ['an empty file', ''],
  ])('%s is no sitemap', async (_what, body) => {
    web.pages['/sitemap.xml'] = body;
    expect(await add('sitemap', '/sitemap.xml')).toMatchObject({
      state: 'failed',
      problem: 'not_sitemap',
      documents: 0,
    });
  });
});

test('the texts of a site are limited; existing ones stay', async () => {
  web.pages['/a'] = pageOf('Bulbs', '<p>Our bulbs have the size E27.</p>');
  const { id, document_id } = await add('page', '/a');
  const { pool } = app.app.database;
  await pool.query(
    `insert into knowledge_documents (site_id, source_id, address, title, chars, created_at)
     select site_id, source_id, 'full', 'full', 10000000, now() from knowledge_documents where id = $1`,
    [document_id],
  );
  web.pages['/a'] = pageOf('Bulbs', '<p>Our bulbs have the size E14.</p>');
  await refresh(id);
  const document = await desk('knowledge_documents.get', { id: document_id ?? 0 });
  expect(document).toMatchObject({ state: 'failed', problem: 'site_full', passages: 1 });
  expect(document.body).toContain('E27');
});

test('an address is a source once, of a public web server, and a file can’t be read again', async () => {
  const url = `${web.url}/a`;
  const tried = async (input: object) => (await app.desk(cookie, 'knowledge_sources.create', input)).status;
  expect(await tried({ kind: 'page', url })).toBe(200);
  expect(await tried({ kind: 'page', url: `${url}#part` })).toBe(409);
  expect(await tried({ kind: 'page', url: 'ftp://shop.example/a' })).toBe(400);
  expect(await tried({ kind: 'page', url: 'https://ada:secret@shop.example/' })).toBe(400);
  expect(await tried({ kind: 'file', url })).toBe(400);
  const made = await app.rest(site.write, 'POST', '/v1/knowledge_sources', {
    kind: 'page',
    url: `${web.url}/b`,
  });
  expect(made.status).toBe(201);
  expect((await app.rest(site.read, 'DELETE', `/v1/knowledge_sources?id=${made.body.data.id}`)).status).toBe(
    403,
  );
  expect((await app.rest(site.write, 'DELETE', `/v1/knowledge_sources?id=${made.body.data.id}`)).status).toBe(
    200,
  );
  const { rows } = await app.app.database.pool.query(
    `insert into knowledge_sources (site_id, kind, address, created_at) values ($1, 'file', 'a.pdf', now()) returning id`,
    [site.site.id],
  );
  expect((await app.desk(cookie, 'knowledge_sources.refresh', { id: rows[0].id })).status).toBe(409);
});
