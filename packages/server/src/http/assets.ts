import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { ifMissing } from '../base/missing-file.ts';
import { packageFile } from '../base/package-files.ts';
import type { Site } from '../core/context.ts';
import type { PublicAddress } from '../core/public-address.ts';
import { MAIL_STYLE_SOURCE } from '../tickets/mails/mail-html.ts';
import {
  createStaticFiles,
  createStaticResponse,
  REVALIDATE,
  type StaticResponse,
  sendStatic,
} from './static-response.ts';

const packages = fileURLToPath(packageFile('../'));
const DIST = {
  sdk: join(packages, 'sdk', 'dist'),
  widget: join(packages, 'widget', 'dist'),
  dashboard: join(packages, 'dashboard', 'dist'),
};
/** The snippet's script, and what it loads: the launcher, reports of open pages, proactive messages, requests with a token. */
const SDK_FILES = ['visitor-sdk.js', 'launcher.js', 'live.js', 'proactive.js', 'rest.js'];
const DEMO_PAGE = join(packages, 'server', 'pages', 'demo.html');

/** Nothing inline and nothing from other origins, except images of strangers. */
const contentPolicy = ({ filesUrl = '' }: PublicAddress, frameAncestors: string, styles = ''): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'${styles}; img-src 'self' data: blob: ${filesUrl}; font-src 'self'; ` +
  `connect-src 'self'; media-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; ` +
  `frame-ancestors ${frameAncestors}`;

/** HTML is parsed and scripts are loaded by address only through the policies of these names. */
const trustedTypes = (...names: string[]): string =>
  `; require-trusted-types-for 'script'; trusted-types ${names.join(' ')}`;

const widgetPolicy = (address: PublicAddress, frameAncestors: string): string =>
  contentPolicy(address, frameAncestors) + trustedTypes('foyer-article', 'foyer-solver');

/**
 * The desk shows emails in frames without scripts, where its own policy holds: their style sheet is always the same one,
 * and their style attributes are cleaned by the server. The editor reads those of pasted text.
 */
const deskPolicy = (address: PublicAddress): string =>
  contentPolicy(address, "'none'", ` ${MAIL_STYLE_SOURCE}`) +
  `; style-src-attr 'unsafe-inline'; frame-src 'self'` +
  // The desk's own styles, and ProseMirror's for pasted text.
  trustedTypes('foyer-inert', 'foyer-scripts', 'ProseMirrorClipboard');

/** No other site's window holds a reference to the desk's, and none embeds its page. */
const OWN_WINDOW = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The service worker fetches from this origin and loads no other script. */
const WORKER_POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'`;

interface AssetOptions {
  address: PublicAddress;
  findSite(
    publicKey: string,
  ): Promise<
    | (Site & { publicKey: string; name: string; color: string; sound: boolean; allowedOrigins: string[] })
    | undefined
  >;
  /** The site that the demo shop shows: the given one, or the first. */
  demoSite(publicKey: string | undefined): Promise<string | undefined>;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const DASHBOARD_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.js': SCRIPT,
  '.txt': 'text/plain; charset=utf-8',
};

/** Only plain file names: others could lead outside the folder, or be invalid on a disk. */
const FILE_NAME = /^[\w.-]{1,100}$/;

/** As @fastify/static throws it. */
interface HttpError extends Error {
  status?: number;
  headers?: Record<string, string>;
}

/**
 * Files with a hash in their name never change, and the build compresses them. A missing one is a 404, never the
 * page.
 */
async function serveFolder(server: FastifyInstance, root: string, prefix: string): Promise<void> {
  if (!(await stat(root).catch(ifMissing(undefined)))) return;
  await server.register(async (folder) => {
    folder.setErrorHandler<HttpError>((error, _request, reply) => {
      if (error.status !== 416) throw error;
      // Its header states the file's length, for a client that has all of it already.
      return reply
        .code(416)
        .headers({ ...error.headers })
        .send();
    });
    await folder.register(fastifyStatic, {
      root,
      prefix,
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      index: false,
      setHeaders: (reply) => void reply.header('cross-origin-resource-policy', 'cross-origin'),
    });
  });
}

/** Files for browsers: SDK, widget, desk, demo shop. */
export async function registerAssets(server: FastifyInstance, options: AssetOptions): Promise<void> {
  const fileOf = createStaticFiles();
  await serveFolder(server, join(DIST.widget, 'assets'), '/widget/assets/');
  await serveFolder(server, join(DIST.dashboard, 'assets'), '/app/assets/');
  server.get('/', (_request, reply) => reply.redirect('/app/', 302));
  registerSdk(server, fileOf);
  registerWidgetPages(server, fileOf, options);
  await registerDemo(server, options);
  registerDesk(server, fileOf, options);
}

type FileOf = ReturnType<typeof createStaticFiles>;

/** @throws AppError 404 that says how to build it */
async function built(fileOf: FileOf, path: string, type: string, what: string): Promise<StaticResponse> {
  const file = await fileOf(path, type);
  if (!file) throw new AppError('not_found', `${what} isn’t built. Run: npm run build`);
  return file;
}

function registerSdk(server: FastifyInstance, fileOf: FileOf): void {
  for (const name of SDK_FILES) {
    server.get(`/assets/js/${name}`, async (request, reply) => {
      void reply.headers({
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      const file = await built(fileOf, join(DIST.sdk, name), SCRIPT, 'The SDK');
      return sendStatic(request, reply, file, 'public, max-age=300');
    });
  }
}

function registerWidgetPages(
  server: FastifyInstance,
  fileOf: FileOf,
  { address, findSite }: Pick<AssetOptions, 'address' | 'findSite'>,
): void {
  // Public keys begin with `pk_`, so none is "preview".
  server.get('/widget/preview', async (request, reply) => {
    void reply.header('content-security-policy', widgetPolicy(address, "'self'"));
    const file = await built(fileOf, join(DIST.widget, 'preview.html'), HTML, 'The preview of the widget');
    return sendStatic(request, reply, file, REVALIDATE);
  });

  server.get<{ Params: { key: string } }>('/widget/:key', async (request, reply) => {
    const site = await findSite(request.params.key);
    if (!site) throw new AppError('not_found', 'No such site.');
    const ancestors = site.allowedOrigins.length > 0 ? ["'self'", ...site.allowedOrigins].join(' ') : '*';
    void reply.header('content-security-policy', widgetPolicy(address, ancestors));
    const file = await built(fileOf, join(DIST.widget, 'index.html'), HTML, 'The widget');
    return sendStatic(request, reply, file, REVALIDATE);
  });
}

async function registerDemo(
  server: FastifyInstance,
  { address, demoSite }: Pick<AssetOptions, 'address' | 'demoSite'>,
): Promise<void> {
  const demo = await readFile(DEMO_PAGE, 'utf8');
  server.get('/demo', async (request, reply) => {
    const named = new URL(request.url, address.url).searchParams.get('site') ?? undefined;
    const key = await demoSite(named);
    if (!key)
      throw new AppError('not_found', 'There is no site yet. Open the setup link, or run: npm run demo');
    const html = demo.replaceAll('{{base_url}}', address.url).replaceAll('{{site_key}}', key);
    return sendStatic(request, reply, createStaticResponse(HTML, html), REVALIDATE);
  });
}

function registerDesk(
  server: FastifyInstance,
  fileOf: FileOf,
  { address }: Pick<AssetOptions, 'address'>,
): void {
  // A service worker only controls addresses below its own.
  server.get('/app/service-worker.js', async (request, reply) => {
    void reply.header('content-security-policy', WORKER_POLICY);
    const path = join(DIST.dashboard, 'service-worker.js');
    const file = await built(fileOf, path, SCRIPT, 'The service worker');
    return sendStatic(request, reply, file, REVALIDATE);
  });

  const deskFile = async (name: string): Promise<StaticResponse | undefined> => {
    const type = DASHBOARD_TYPES[extname(name)];
    return type !== undefined && FILE_NAME.test(name) ? fileOf(join(DIST.dashboard, name), type) : undefined;
  };
  // Every address of the desk is its one page, except missing files.
  server.get<{ Params: { '*': string } }>('/app/*', async (request, reply) => {
    const path = request.params['*'];
    const file = await deskFile(path);
    if (file) return sendStatic(request, reply, file, 'public, max-age=3600');
    if (path.startsWith('assets/')) throw new AppError('not_found', 'No such file.');
    void reply.headers({
      'content-security-policy': deskPolicy(address),
      ...OWN_WINDOW,
    });
    const page = await built(fileOf, join(DIST.dashboard, 'index.html'), HTML, 'The desk');
    return sendStatic(request, reply, page, REVALIDATE);
  });
  server.get('/app', (_request, reply) => reply.redirect('/app/', 302));
}
