import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { docxEntries, makeZip, putKnowledgeFile } from '../documents.ts';
import { until } from '../harness.ts';
import { pageOf, startWebsite, type Website } from '../pages.ts';

// Sources of the bot as a way into the inner network, or to a server without memory. Planned from the documentation alone.

let app: TestApp;
let guarded: TestApp;
let site: TestSite;
let cookie: string;
let web: Website;
let inner: Website;
beforeAll(async () => {
  [app, guarded] = await Promise.all([
    startTestApp({}, { crawlPauseMs: 0 }),
    startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'false' }, { crawlPauseMs: 0 }),
  ]);
});
afterAll(() => Promise.all([app.close(), guarded.close()]));
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  [web, inner] = await Promise.all([
    startWebsite(),
    startWebsite({ '/': pageOf('Inner', '<p>The secret of the inner network is here.</p>') }),
  ]);
});
afterEach(() => Promise.all([web.close(), inner.close()]));

async function settled(id: number, at = app, as = cookie): Promise<Json> {
  let source: Json;
  await until(async () => {
    source = (await at.desk(as, 'knowledge_sources.list', { id })).body.data;
    return (
      (source.state === 'ready' || source.state === 'failed') &&
      source.read_utc !== undefined &&
      source.state !== 'reading' &&
      source.state !== 'waiting'
    );
  });
  return source;
}
const add = async (kind: string, url: string, at = app, as = cookie): Promise<Json> => {
  const { status, body } = await at.desk(as, 'knowledge_sources.create', { kind, url });
  return status === 200 ? settled(body.data.id, at, as) : { state: 'refused', problem: body.error.message };
};
const upload = async (name: string, content: Buffer): Promise<Json> => {
  const response = await putKnowledgeFile(app.url, cookie, { name, content, origin: app.url });
  if (response.status !== 201) return { state: 'refused', problem: response.status };
  const { data } = (await response.json()) as Json;
  return settled(data.id);
};
const textsOf = async (id: number): Promise<string> => {
  const documents = (await app.desk(cookie, 'knowledge_documents.list', { source_id: id })).body
    .data as Json[];
  const whole = await Promise.all(
    documents.map(
      async (one) => (await app.desk(cookie, 'knowledge_documents.get', { id: one.id })).body.data.body,
    ),
  );
  return whole.join('\n');
};

const docx = (body: string): Buffer => makeZip(docxEntries(body));

describe('a source', () => {
  it('reaches no internal address, however it is written', async () => {
    const own = await guarded.makeSite();
    const as = await guarded.signIn(own.admin.email);
    const { port } = new URL(inner.url);
    const hosts = [
      '127.0.0.1',
      'localhost',
      'localhost.',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '[::]',
      '１２７.0.0.1',
      '127。0。0。1',
      'user:pass@127.0.0.1',
      '127.0.0.1\\@shop.example',
    ];
    for (const host of hosts)
      for (const kind of ['page', 'sitemap']) {
        const source = await add(kind, `http://${host}:${port}/`, guarded, as);
        expect([host, source.state]).not.toEqual([host, 'ready']);
      }
    expect(inner.asked).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1/',
    'data:text/html,x',
    'javascript:1',
    'jar:http://x!/',
    'view-source:http://x/',
    'http:127.0.0.1',
    'http:///x',
    'blob:http://x/',
  ])('at %s is refused or read by nobody', async (url) => {
    const source = await add('page', url);
    expect(['refused', 'failed']).toContain(source.state);
  });

  it('follows no redirect, link or sitemap to another website', async () => {
    web.pages['/away'] = { status: 302, headers: { location: `${inner.url}/` } };
    web.pages['/hop'] = { status: 302, headers: { location: '/away' } };
    web.pages['/meta'] =
      `<html><head><meta http-equiv="refresh" content="0;url=${inner.url}/"><base href="${inner.url}/"></head><body><main><p>A page that would like to be another one, with enough words.</p><iframe src="${inner.url}/"></iframe><img src="${inner.url}/"></main></body></html>`;
    web.pages['/canonical'] = {
      headers: {
        link: `<${inner.url}/>; rel="canonical"`,
        refresh: `0; url=${inner.url}/`,
        'content-location': `${inner.url}/`,
      },
      body: pageOf('X', '<p>Enough words for a page of its own, really.</p>'),
    };
    web.pages['/map.xml'] = {
      headers: { 'content-type': 'application/xml' },
      body: `<urlset><url><loc>${inner.url}/</loc></url><url><loc>//${new URL(inner.url).host}/</loc></url><url><loc>${web.url}@${new URL(inner.url).host}/</loc></url></urlset>`,
    };
    web.pages['/index.xml'] = {
      headers: { 'content-type': 'application/xml' },
      body: `<sitemapindex><sitemap><loc>${inner.url}/map.xml</loc></sitemap></sitemapindex>`,
    };
    web.pages['/robots.txt'] = {
      headers: { 'content-type': 'text/plain' },
      body: `Sitemap: ${inner.url}/map.xml\nUser-agent: *\nAllow: /`,
    };
    for (const [kind, path] of [
      ['page', '/away'],
      ['page', '/hop'],
      ['page', '/meta'],
      ['page', '/canonical'],
      ['sitemap', '/map.xml'],
      ['sitemap', '/index.xml'],
    ] as const) {
      const source = await add(kind, web.url + path);
      if (source.id) expect(await textsOf(source.id)).not.toContain('secret of the inner');
    }
    expect(inner.asked.filter(({ path }) => path !== '/robots.txt')).toEqual([]);
  });

  const bomb = (n: number): string => {
    const entities = Array.from(
      { length: n },
      (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
    ).join('');
    return `<!DOCTYPE r [<!ENTITY l0 "lol lol lol lol"><!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y SYSTEM "PLACE">${entities}]>`;
  };
  it('with entities, a loop or a bomb in its sitemap costs nothing', async () => {
    const xml = { 'content-type': 'application/xml' };
    web.pages['/entities.xml'] = {
      headers: xml,
      body: `<?xml version="1.0"?>${bomb(9).replace('PLACE', `${inner.url}/`)}<urlset><url><loc>${web.url}/&x;&y;&l9;</loc></url></urlset>`,
    };
    web.pages['/loop.xml'] = {
      headers: xml,
      body: `<sitemapindex>${`<sitemap><loc>${web.url}/loop.xml</loc></sitemap><sitemap><loc>${web.url}/loop.xml?a</loc></sitemap>`.repeat(500)}</sitemapindex>`,
    };
    web.pages['/loop.xml?a'] = web.pages['/loop.xml'];
    web.pages['/bomb.xml'] = {
      headers: { 'content-type': 'application/gzip' },
      body: gzipSync(Buffer.alloc(300_000_000, '<url>')),
    };
    web.pages['/bomb.txt'] = {
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(300_000_000, 'http://a ')),
    };
    web.pages['/attributes'] = `<html><body><p ${'a="b" '.repeat(400_000)}>text</p></body></html>`;
    web.pages['/bomb'] = {
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(300_000_000, ' ')),
    };
    web.pages['/hops'] = { status: 302, headers: { location: '/hops' } };
    const before = process.memoryUsage().rss;
    for (const [kind, path] of [
      ['sitemap', '/entities.xml'],
      ['sitemap', '/loop.xml'],
      ['sitemap', '/bomb.xml'],
      ['sitemap', '/bomb.txt'],
      ['page', '/attributes'],
      ['page', '/bomb'],
      ['page', '/hops'],
    ] as const) {
      const source = await add(kind, web.url + path);
      expect([path, source.documents ?? 0]).toEqual([path, path === '/attributes' ? 1 : 0]);
    }
    expect(inner.asked).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  }, 240_000);

  it('by a file with entities, names of paths or a bomb costs nothing', async () => {
    const entity = bomb(9).replace('PLACE', `${inner.url}/`);
    const body = '<w:p><w:r><w:t>&x;&y;&l9; A warranty of five years.</w:t></w:r></w:p>';
    const entries = docxEntries(body);
    const withEntity = Object.fromEntries(
      Object.entries(entries).map(([name, content]) => [
        name,
        name.endsWith('document.xml')
          ? String(content).replace(/^(<\?xml[^>]*\?>)?/, (head) => `${head}${entity}`)
          : content,
      ]),
    );
    const files: [string, Buffer][] = [
      ['entities.docx', makeZip(withEntity)],
      ['bomb.docx', docx(`<w:p><w:r><w:t>${'a'.repeat(300_000_000)}</w:t></w:r></w:p>`)],
      [
        'paths.docx',
        makeZip({
          ...docxEntries('<w:p><w:r><w:t>A warranty of five years is given.</w:t></w:r></w:p>'),
          '../../../../tmp/foyer-evil': 'x',
          '/tmp/foyer-evil2': 'x',
        }),
      ],
      ['deep.docx', docx(`${'<w:tbl><w:tr><w:tc>'.repeat(30_000)}x`)],
      [
        'external.docx',
        makeZip({
          ...docxEntries('<w:p><w:r><w:t>A warranty of five years is given.</w:t></w:r></w:p>'),
          'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" TargetMode="External" Target="${inner.url}/" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"/></Relationships>`,
        }),
      ],
      [
        'loop.pdf',
        Buffer.from(
          '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Count 999999999>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
        ),
      ],
      [
        'action.pdf',
        Buffer.from(
          `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${inner.url}/)>>>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
        ),
      ],
      ['../../evil.pdf', Buffer.from('%PDF-1.4 nothing')],
      ['a\0b.pdf', Buffer.from('%PDF-1.4 nothing')],
      [`${'x'.repeat(5000)}.pdf`, Buffer.from('%PDF-1.4 nothing')],
      ['poly.pdf', Buffer.concat([Buffer.from('<script>alert(1)</script>%PDF-1.4'), docx('<w:p/>')])],
    ];
    const before = process.memoryUsage().rss;
    for (const [name, content] of files) {
      const source = await upload(name, content);
      const text = source.id ? await textsOf(source.id) : '';
      expect(text).not.toMatch(/root:|inner network|lol lol/);
    }
    expect(inner.asked).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(900_000_000);
  }, 240_000);
});
