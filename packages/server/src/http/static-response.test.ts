import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { openBalancer } from '../../test/balancer.ts';
import { createStaticFiles, sendStatic } from './static-response.ts';

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The response as sent: `fetch` would decompress. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> {
  const sent = request(url, { headers, method });
  sent.end();
  const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = await response.toArray();
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

function unpacked({ headers, body }: RawAnswer): Buffer {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return body;
  return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
}

const dist = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const scriptNamed = (stem: string): RegExp => new RegExp(`^${stem}-[\\w-]+\\.js$`);

let app: TestApp;
let site: TestSite;
/** The address of the help centre: that of the public key redirects there. */
let help: string;
/** Names with a hash, and addresses whose content changes. */
let hashed: [string, string];
let stable: string[];
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  const scriptOf = async (name: string, stem: string): Promise<string> =>
    (await readdir(dist(`${name}/dist/assets`))).find((file) => scriptNamed(stem).test(file)) ?? 'missing';
  hashed = [
    `/widget/assets/${await scriptOf('widget', 'index')}`,
    `/app/assets/${await scriptOf('dashboard', 'app')}`,
  ];
  help = (await ask(`${app.url}/help/${site.publicKey}`)).headers.location ?? `/help/${site.publicKey}`;
  stable = [
    '/assets/js/visitor-sdk.js',
    '/assets/js/launcher.js',
    '/assets/js/live.js',
    '/assets/js/proactive.js',
    '/assets/js/rest.js',
    `/widget/${site.publicKey}`,
    '/widget/preview',
    '/app/',
    '/app/service-worker.js',
    '/app/icon.svg',
    '/app/manifest.en.webmanifest',
    '/demo',
    '/docs',
    '/v1/openapi.json',
    help,
  ];
});
afterAll(() => app.close());

describe('public content', () => {
  it('comes as brotli, as gzip or uncompressed, whichever the client prefers, and is the same each time', async () => {
    for (const path of [...stable, ...hashed]) {
      const url = app.url + path;
      const plain = await ask(url, { 'accept-encoding': 'identity' });
      expect([path, plain.status, plain.headers['content-encoding']]).toEqual([path, 200, undefined]);
      expect([path, (await ask(url)).headers['content-encoding']]).toEqual([path, undefined]);
      for (const [accepted, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0.1, gzip;q=0.9', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
      ] as const) {
        const answer = await ask(url, { 'accept-encoding': accepted });
        expect([path, answer.headers['content-encoding']]).toEqual([path, encoding]);
        expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding');
        expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
        expect([path, unpacked(answer).equals(plain.body)]).toEqual([path, true]);
        expect([path, answer.body.length < plain.body.length]).toEqual([path, true]);
      }
    }
  });

  it('is not sent again to a client that has it in an accepted encoding', async () => {
    for (const path of stable) {
      const url = app.url + path;
      const tags = new Set<string>();
      for (const encoding of ['br', 'gzip', 'identity']) {
        const etag = (await ask(url, { 'accept-encoding': encoding })).headers.etag ?? '';
        expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w-]{22,}"$/)]);
        tags.add(etag);
        for (const known of [etag, `"other", W/${etag}`, '*']) {
          const again = await ask(url, { 'accept-encoding': encoding, 'if-none-match': known });
          expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
          expect(again.headers.etag).toBe(etag);
        }
        const other = await ask(url, { 'accept-encoding': encoding, 'if-none-match': '"other"' });
        expect(other.status).toBe(200);
      }
      expect([path, tags.size]).toEqual([path, 3]);
    }
  });

  it('is cached forever if its name has a hash', async () => {
    for (const path of hashed) {
      const { headers } = await ask(app.url + path, { 'accept-encoding': 'br' });
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const known = { 'accept-encoding': 'br', 'if-none-match': headers.etag ?? '' };
      expect((await ask(app.url + path, known)).status).toBe(304);
    }
    const { body } = await ask(app.url + help);
    const sheet = /href="(?:http:\/\/[^/]+)?(\/assets\/help\/[^"]+)"/.exec(body.toString())?.[1] ?? '';
    const style = await ask(app.url + sheet, { 'accept-encoding': 'br' });
    expect(style.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('has the same headers for HEAD, and no body', async () => {
    for (const path of ['/assets/js/visitor-sdk.js', `/widget/${site.publicKey}`, '/docs', hashed[0]]) {
      for (const encoding of ['br', 'identity']) {
        const got = await ask(app.url + path, { 'accept-encoding': encoding });
        const head = await ask(app.url + path, { 'accept-encoding': encoding }, 'HEAD');
        expect(head.body.length).toBe(0);
        for (const name of [
          'etag',
          'cache-control',
          'content-type',
          'content-encoding',
          'content-length',
          'vary',
        ])
          expect([path, name, head.headers[name]]).toEqual([path, name, got.headers[name]]);
      }
    }
  });

  it('is requested again once it may have changed: scripts of pages after minutes, pages each time', async () => {
    const kept = await Promise.all(
      stable.map(async (path) => [path, (await ask(app.url + path)).headers['cache-control']] as const),
    );
    const keptFor = (wanted: string) => kept.filter(([, header]) => header === wanted).map(([path]) => path);
    expect(keptFor('public, max-age=300')).toEqual(expect.arrayContaining(stable.slice(0, 3)));
    expect(keptFor('public, no-cache')).toEqual(
      expect.arrayContaining([`/widget/${site.publicKey}`, '/widget/preview', '/app/', '/demo']),
    );
    expect(keptFor('public, no-cache')).toContain('/app/service-worker.js');
    expect(kept.filter(([, header]) => header?.includes('immutable'))).toEqual([]);
  });

  it('keeps its lifetime and its tag when it is not sent again', async () => {
    for (const path of [...stable.slice(0, 4), ...hashed]) {
      const got = await ask(app.url + path, { 'accept-encoding': 'br' });
      const known = { 'accept-encoding': 'br', 'if-none-match': got.headers.etag ?? '' };
      const again = await ask(app.url + path, known);
      expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
      for (const name of ['etag', 'cache-control', 'vary'])
        expect([path, name, again.headers[name]]).toEqual([path, name, got.headers[name]]);
    }
  });

  it('returns the requested part of a file', async () => {
    const whole = await ask(app.url + hashed[0]);
    const part = await ask(app.url + hashed[0], { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 10-19/${whole.body.length}`);
    expect(part.body.equals(whole.body.subarray(10, 20))).toBe(true);
    const beyond = await ask(app.url + hashed[0], { range: `bytes=${whole.body.length}-` });
    expect([beyond.status, beyond.headers['content-range'], beyond.headers['cache-control']]).toEqual([
      416,
      `bytes */${whole.body.length}`,
      undefined,
    ]);
  });

  it('returns the part in its encoding, and all of it if it has changed since', async () => {
    const whole = await ask(app.url + hashed[0], { 'accept-encoding': 'br' });
    const headers = { 'accept-encoding': 'br', range: 'bytes=10-19' };
    const part = await ask(app.url + hashed[0], headers);
    expect([part.status, part.headers['content-encoding']]).toEqual([206, 'br']);
    expect(part.body.equals(whole.body.subarray(10, 20))).toBe(true);
    const changed = await ask(app.url + hashed[0], { ...headers, 'if-range': '"other"' });
    expect([changed.status, changed.body.equals(whole.body)]).toEqual([200, true]);
  });

  it('exists compressed for every script and style with a hash', async () => {
    for (const name of ['widget', 'dashboard']) {
      const files = await readdir(dist(`${name}/dist/assets`));
      const texts = files.filter((file) => /\.(js|css)$/.test(file));
      expect(texts.length).toBeGreaterThan(20);
      const missing = texts.flatMap((file) => [`${file}.br`, `${file}.gz`]);
      expect(missing.filter((file) => !files.includes(file))).toEqual([]);
    }
  });

  it('may be used by pages of other origins where they load it', async () => {
    for (const path of [
      '/assets/js/visitor-sdk.js',
      '/assets/js/launcher.js',
      '/assets/js/live.js',
      '/assets/js/rest.js',
    ])
      expect((await ask(app.url + path)).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
  });

  it('is compressed once, also behind a proxy', async () => {
    const proxy = await openBalancer([app.url]);
    try {
      for (const path of ['/assets/js/visitor-sdk.js', hashed[1]]) {
        const plain = await ask(app.url + path);
        const answer = await ask(proxy.url + path, { 'accept-encoding': 'gzip, br' });
        expect(answer.headers['content-encoding']).toBe('br');
        expect(brotliDecompressSync(answer.body).equals(plain.body)).toBe(true);
      }
    } finally {
      await proxy.close();
    }
  });

  it('is sent again when only its content security policy has changed', async () => {
    const url = `${app.url}/widget/${site.publicKey}`;
    const before = await ask(url);
    const cookie = await app.signIn(site.admin.email);
    await app.desk(cookie, 'site.update', { allowed_origins: ['https://shop.example'] });
    const after = await ask(url, { 'if-none-match': before.headers.etag ?? '' });
    expect(after.status).toBe(200);
    expect(after.headers['content-security-policy']).toContain('https://shop.example');
    expect(after.body.equals(before.body)).toBe(true);
  });

  it('keeps the desk’s window apart from others, and not the widget’s, which shops frame', async () => {
    const desk = await ask(`${app.url}/app/inbox`);
    expect(desk.headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const again = await ask(`${app.url}/app/inbox`, { 'if-none-match': desk.headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers['cross-origin-opener-policy']).toBe('same-origin');
    const widget = await ask(`${app.url}/widget/${site.publicKey}`);
    expect(widget.headers).not.toHaveProperty('cross-origin-opener-policy');
    expect(widget.headers).not.toHaveProperty('cross-origin-resource-policy');
  });

  it('is not compressed if its format is compressed already', async () => {
    const files = await readdir(dist('widget/dist/assets'));
    const font = files.find((file) => file.endsWith('.woff2')) ?? 'missing';
    for (const [path, file] of [
      [`/widget/assets/${font}`, `widget/dist/assets/${font}`],
      ['/app/icon-192.png', 'dashboard/dist/icon-192.png'],
    ] as const) {
      const answer = await ask(app.url + path, { 'accept-encoding': 'gzip, br' });
      expect([path, answer.status, answer.headers['content-encoding']]).toEqual([path, 200, undefined]);
      expect(answer.body.equals(await readFile(dist(file)))).toBe(true);
    }
  });
});

it('a response with secrets or with people’s data is never compressed', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const requester = { email: 'mara@example.com' };
  const wanted = { subject: 'Help', body: 'please '.repeat(500), requester };
  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', wanted);
  const rest = await ask(`${app.url}/v1/tickets`, { ...headers, authorization: `Bearer ${site.read}` });
  expect([rest.status, rest.headers['content-encoding'], rest.body.length > 3000]).toEqual([
    200,
    undefined,
    true,
  ]);
  const link = await app.rest(site.write, 'POST', '/v1/portal_token', { ticket_id: ticket.body.data.id });
  const page = await ask(`${app.url}/portal/${link.body.data.token}`, headers);
  expect([page.status, page.headers['content-encoding']]).toEqual([200, undefined]);
});

it('of the desk has its page at names that no file can have', async () => {
  for (const name of [
    `${'a'.repeat(300)}.js`,
    'a%00.js',
    '..%2f..%2fpackage.txt',
    `a/${'b/'.repeat(40)}c.png`,
  ]) {
    const answer = await ask(`${app.url}/app/${name}`);
    expect([name, answer.status, answer.headers['content-type']]).toEqual([
      name,
      200,
      expect.stringContaining('text/html'),
    ]);
  }
});

describe('a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-static-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('does not exist if it is missing, but one that cannot be read is an error', async () => {
    const fileOf = createStaticFiles();
    await writeFile(join(folder, 'plain'), 'x');
    expect(await fileOf(join(folder, 'missing.js'), 'text/javascript')).toBeUndefined();
    expect(await fileOf(join(folder, 'plain', 'below.js'), 'text/javascript')).toBeUndefined();
    await symlink('loop.js', join(folder, 'loop.js'));
    await expect(fileOf(join(folder, 'loop.js'), 'text/javascript')).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('has another ETag once it has changed, for this process and for the next one', async () => {
    const path = join(folder, 'script.js');
    const serve = async () => {
      const server = fastify();
      const fileOf = createStaticFiles();
      server.get('/script.js', async (asked, reply) => {
        const file = await fileOf(path, 'text/javascript');
        return file ? sendStatic(asked, reply, file, 'no-cache') : reply.callNotFound();
      });
      return { server, url: `${await server.listen({ host: '127.0.0.1', port: 0 })}/script.js` };
    };
    await writeFile(path, 'one');
    const { atime, mtime } = await stat(path);
    const first = await serve();
    const before = await ask(first.url, { 'accept-encoding': 'br' });
    const known = { 'accept-encoding': 'br', 'if-none-match': before.headers.etag ?? '' };
    await writeFile(path, 'four');
    const running = await ask(first.url, known);
    expect([running.status, unpacked(running).toString()]).toEqual([200, 'four']);
    await first.server.close();

    // Like two releases from npm: the same size and the same time.
    await writeFile(path, 'two');
    await utimes(path, atime, mtime);
    const next = await serve();
    const after = await ask(next.url, known);
    expect([after.status, unpacked(after).toString()]).toEqual([200, 'two']);
    await next.server.close();
  });
});
