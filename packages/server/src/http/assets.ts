import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Site } from '../context.ts';
import { AppError } from '../errors.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = {
  sdk: join(packages, 'sdk', 'dist'),
  widget: join(packages, 'widget', 'dist'),
  dashboard: join(packages, 'dashboard', 'dist'),
};
/** The script of the snippet, and the button that it loads. */
const SDK_FILES = ['visitor-sdk.js', 'launcher.js'];
const DEMO_PAGE = join(packages, 'server', 'pages', 'demo.html');

/** No inline script, nothing from elsewhere (decisions 9); styles in attributes are what the layout of a panel needs. */
const contentPolicy = (frameAncestors: string, extra = ''): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; ` +
  `connect-src 'self'; media-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; ` +
  `frame-ancestors ${frameAncestors}${extra}`;

/** The worker fetches from here, and loads no further script. */
const WORKER_POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'`;

export interface AssetOptions {
  baseUrl: string;
  findSite(
    publicKey: string,
  ): Promise<
    | (Site & { publicKey: string; name: string; color: string; sound: boolean; allowedOrigins: string[] })
    | undefined
  >;
  /** The site that the demo shop shows: the one named, or the first. */
  demoSite(publicKey: string | undefined): Promise<string | undefined>;
}

const missing = (what: string) => new AppError('not_found', `${what} was not built. Run: npm run build`);

async function page(file: string, what: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw missing(what);
  });
}

function sendPage(reply: FastifyReply, html: string, policy: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** Fingerprinted files never change; whatever isn't there is a 404, never the page. */
async function serveFolder(server: FastifyInstance, root: string, prefix: string): Promise<void> {
  if (!(await stat(root).catch(() => undefined))) return;
  await server.register(fastifyStatic, {
    root,
    prefix,
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
    index: false,
    setHeaders: (reply) => void reply.header('cross-origin-resource-policy', 'cross-origin'),
  });
}

/** The browsers' parts: SDK, widget, dashboard, demo shop. */
export async function registerAssets(
  server: FastifyInstance,
  { baseUrl, findSite, demoSite }: AssetOptions,
): Promise<void> {
  await serveFolder(server, join(DIST.widget, 'assets'), '/widget/assets/');
  await serveFolder(server, join(DIST.dashboard, 'assets'), '/app/assets/');

  server.get('/', (_request, reply) => reply.redirect('/app/', 302));

  for (const file of SDK_FILES) {
    server.get(`/assets/js/${file}`, async (_request, reply) => {
      const script = await page(join(DIST.sdk, file), 'The SDK');
      return reply
        .headers({
          'cache-control': 'public, max-age=300',
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-allow-origin': '*',
        })
        .type('text/javascript; charset=utf-8')
        .send(script);
    });
  }

  // Named by no public key, which all begin with `pk_`.
  server.get('/widget/preview', async (_request, reply) =>
    sendPage(
      reply,
      await page(join(DIST.widget, 'preview.html'), 'The preview of the widget'),
      contentPolicy("'self'"),
    ),
  );

  server.get<{ Params: { key: string } }>('/widget/:key', async (request, reply) => {
    const site = await findSite(request.params.key);
    if (!site) throw new AppError('not_found', 'There is no such site.');
    const ancestors = site.allowedOrigins.length > 0 ? ["'self'", ...site.allowedOrigins].join(' ') : '*';
    return sendPage(
      reply,
      await page(join(DIST.widget, 'index.html'), 'The widget'),
      contentPolicy(ancestors),
    );
  });

  server.get('/demo', async (request, reply) => {
    const named = new URL(request.url, baseUrl).searchParams.get('site') ?? undefined;
    const key = await demoSite(named);
    if (!key)
      throw new AppError(
        'not_found',
        'There is no site to show yet. Open the set-up link, or run: npm run demo',
      );
    const html = (await page(DEMO_PAGE, 'The demo'))
      .replaceAll('{{base_url}}', baseUrl)
      .replaceAll('{{site_key}}', key);
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
  });

  const dashboardFile = async (name: string): Promise<Buffer | undefined> => {
    const file = normalize(join(DIST.dashboard, name));
    if (!file.startsWith(DIST.dashboard + sep) || extname(file) === '') return undefined;
    return readFile(file).catch(() => undefined);
  };
  const types: Record<string, string> = {
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.ico': 'image/x-icon',
    '.webmanifest': 'application/manifest+json',
    '.js': 'text/javascript',
    '.txt': 'text/plain',
  };

  // Under the desk's own address: browsers let it serve what lies below that, and no more.
  server.get('/app/service-worker.js', async (_request, reply) => {
    const worker = await page(join(DIST.dashboard, 'service-worker.js'), 'The service worker');
    return reply
      .headers({ 'content-security-policy': WORKER_POLICY, 'cache-control': 'no-cache' })
      .type('text/javascript; charset=utf-8')
      .send(worker);
  });

  // Every address of the desk is its one page, but a missing file is missing.
  const desk = async (path: string, reply: FastifyReply): Promise<FastifyReply> => {
    const file = path === '' || path === 'index.html' ? undefined : await dashboardFile(path);
    if (file)
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type(types[extname(path)] ?? 'application/octet-stream')
        .send(file);
    if (path.startsWith('assets/')) throw new AppError('not_found', 'There is no such file.');
    return sendPage(
      reply,
      await page(join(DIST.dashboard, 'index.html'), 'The dashboard'),
      contentPolicy("'none'", `; frame-src 'self'`),
    );
  };
  server.get('/app', (_request, reply) => reply.redirect('/app/', 302));
  server.get<{ Params: { '*': string } }>('/app/*', (request, reply) => desk(request.params['*'], reply));
}
