import { hash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Html } from '../../base/html.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { addressKey } from '../../limits/address-key.ts';
import { admit } from '../../limits/admit.ts';
import type { Limiter, Limits } from '../../limits/limits.ts';
import { type StoredPicture, servePictures } from '../files/pictures.ts';
import { refusalOf } from '../server.ts';
import { registerSiteStyle } from '../site-style.ts';
import { createStaticResponse, isKnown, REVALIDATE, sendStatic } from '../static-response.ts';
import {
  type ArticlePage,
  articlePage,
  type CategoryPage,
  categoryPage,
  type Frame,
  frameOf,
  type HelpSite,
  homePage,
  missingPage,
  pathOfCategory,
  sayingPage,
  searchPage,
  sitemap,
} from './page.ts';
import { createPageCache } from './page-cache.ts';
import { findVoter, newVoter, voterCookie } from './voters.ts';

/** The content of the pages, provided by their domain. */
interface HelpOptions<S extends HelpSite & Site = HelpSite & Site> {
  address: PublicAddress;
  /** By the current address, an earlier one, or the public key. */
  findSite(slug: string): Promise<S | undefined>;
  contextFor(site: S, request: FastifyRequest): SiteContext;
  /** Increases with every change of the published content. */
  version(ctx: SiteContext): Promise<number>;
  home(ctx: SiteContext): Promise<Parameters<typeof homePage>[1]>;
  /** @throws AppError 404 */
  category(ctx: SiteContext, slug: string | null, page: number): Promise<CategoryPage>;
  /** @throws AppError 404 */
  article(ctx: SiteContext, slug: string): Promise<ArticlePage>;
  search(ctx: SiteContext, question: string): Promise<Parameters<typeof searchPage>[2]>;
  sitemap(ctx: SiteContext): Promise<Parameters<typeof sitemap>[1]>;
  /** @throws AppError 404 */
  rate(ctx: SiteContext, vote: { slug: string; helpful: boolean; voter: string }): Promise<void>;
  image(name: string): Promise<StoredPicture | undefined>;
  limits: Limits;
}

const HTML = 'text/html; charset=utf-8';
const CACHED_BYTES = 32_000_000;
const QUESTION_MAX_CHARS = 200;
const VOTE_MAX_BYTES = 1_000;

/**
 * Nothing inline, nothing from other origins, no framing, and no script created from text. The widget is a script and a
 * frame from Foyer's own origin.
 */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Keeps search engines away from everything that only concerns the team and its customers. Names no help centre:
 * each is found by its own pages and sitemap, and nobody can list them all.
 */
const ROBOTS = `User-agent: *
${['/app/', '/portal/', '/widget/', '/v1/', '/mcp', '/attachments/'].map((path) => `Disallow: ${path}\n`).join('')}`;

type Query = URLSearchParams;
interface OfSite {
  Params: { site: string; slug?: string };
}

/** Everything that a page depends on: the site's look, the version of its knowledge, and the layout of pages. */
const tagOf = (frame: Frame, version: number): string =>
  hash('sha256', JSON.stringify([frame.site, frame.address, frame.stylesheet, version]), 'base64url').slice(
    0,
    22,
  );

const queryOf = (request: FastifyRequest): Query => new URL(request.url, 'http://localhost').searchParams;

/** 1 for an invalid page number: a mistyped address shows the first page. */
function pageNumber(query: Query): number {
  const text = query.get('page') ?? '1';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** The public help centre: pages that need no script, at `/help/<site>`. */
export async function registerHelp<S extends HelpSite & Site>(
  server: FastifyInstance,
  options: HelpOptions<S>,
): Promise<void> {
  await server.register(async (scope) => {
    const style = await registerSiteStyle(scope, 'help');
    const pages = new HelpPages(options, style);
    readForms(scope);
    scope.setErrorHandler<FastifyError>((thrown, request, reply) => pages.refuse(thrown, request, reply));
    scope.get('/robots.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(ROBOTS),
    );
    registerPages(scope, pages, options);
    registerVote(scope, pages, options);
    registerSearch(scope, pages, options);
    scope.get<OfSite>('/help/:site/*', async (request) => {
      await pages.open(request);
      throw new AppError('not_found', 'No such page.');
    });
    servePictures(scope, '/help/images/', 'same-site', options.image);
  });
}

function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: VOTE_MAX_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** The page has words of its own, with the seconds in them. */
const TOO_MUCH = { message: String };

/** The site of a request, as its pages show it. */
interface Opened<S> {
  site: S;
  frame: Frame;
  ctx: SiteContext;
}

type MakePage<S> = (opened: Opened<S>) => Promise<Html | { moved: string }>;

/** Finds the site of a request, and sends cached pages as long as nothing has changed. */
class HelpPages<S extends HelpSite & Site> {
  readonly #options: HelpOptions<S>;
  readonly #style: (color?: string) => string;
  readonly #limit: Limiter;
  readonly #cache = createPageCache({ maxBytes: CACHED_BYTES });
  /** For the error handler, which only gets the request. */
  readonly #frames = new WeakMap<FastifyRequest, Frame>();

  constructor(options: HelpOptions<S>, style: (color?: string) => string) {
    this.#options = options;
    this.#style = style;
    this.#limit = options.limits.of('help pages');
  }

  /** @throws AppError 404, 429 */
  async open(request: FastifyRequest<OfSite>): Promise<Opened<S>> {
    const { address, findSite, contextFor } = this.#options;
    const site = await findSite(request.params.site);
    if (!site?.helpEnabled) throw new AppError('not_found', 'No such help centre.');
    const frame = frameOf(site, address.url, this.#style(site.color));
    this.#frames.set(request, frame);
    await admit(this.#limit, addressKey(request.ip), TOO_MUCH);
    return { site, frame, ctx: contextFor(site, request) };
  }

  /** Sends what `make` returns for the site's current version, cached. */
  async show(
    request: FastifyRequest<OfSite>,
    reply: FastifyReply,
    make: MakePage<S>,
    type = HTML,
  ): Promise<FastifyReply> {
    const opened = await this.open(request);
    const { frame, ctx } = opened;
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const rest = pathname.replace(/^\/help\/[^/]+/, '');
    // Each page has one address: an earlier name of the site redirects to the current one.
    if (pathname !== frame.path + rest) return reply.redirect(`${frame.path}${rest}${search}`, 301);
    const tag = tagOf(frame, await this.#options.version(ctx));
    void reply.headers({ ...PAGE_HEADERS, 'cache-control': REVALIDATE });
    if (!frame.site.helpIndexed) void reply.header('x-robots-tag', 'noindex');
    if (isKnown(request, reply, { type, tag })) return reply.code(304).send();
    const query = queryOf(request);
    const key = [frame.site.id, pathname, query.get('page'), query.get('rated')].join(' ');
    const cached = this.#cache.get(key, tag);
    if (cached) return sendStatic(request, reply, cached, REVALIDATE);
    const made = await make(opened);
    if ('moved' in made) return reply.redirect(made.moved, 301);
    const page = createStaticResponse(type, String(made), { tag });
    this.#cache.set(key, page);
    return sendStatic(request, reply, page, REVALIDATE);
  }

  /** Answers an error with a page of the site, if the request has a site. */
  refuse(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = refusalOf(thrown, request);
    const frame = this.#frames.get(request);
    void reply.headers(error.headers).headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' });
    void reply.code(error.status);
    if (!frame) return reply.type('text/plain; charset=utf-8').send('No such help centre.\n');
    return reply.type(HTML).send(String(refusalPage(frame, error)));
  }
}

function refusalPage(frame: Frame, error: AppError): Html {
  const { say } = frame.speech;
  if (error.code === 'not_found') return missingPage(frame);
  if (error.code === 'rate_limited')
    return sayingPage(frame, say('slower', { count: Number(error.message) }));
  return sayingPage(frame, say('failed'));
}

/** Home, categories, articles and the sitemap. */
function registerPages<S extends HelpSite & Site>(
  scope: FastifyInstance,
  pages: HelpPages<S>,
  options: HelpOptions<S>,
): void {
  const showCategory = (request: FastifyRequest<OfSite>, reply: FastifyReply, slug: string | null) =>
    pages.show(request, reply, async ({ frame, ctx }) => {
      const shown = await options.category(ctx, slug, pageNumber(queryOf(request)));
      if (shown.category && shown.category.slug !== slug)
        return { moved: pathOfCategory(frame, shown.category) };
      return categoryPage(frame, shown);
    });

  scope.get<OfSite>('/help/:site', (request, reply) =>
    pages.show(request, reply, async ({ frame, ctx }) => homePage(frame, await options.home(ctx))),
  );
  scope.get<OfSite>('/help/:site/', (request, reply) =>
    reply.redirect(`/help/${encodeURIComponent(request.params.site)}`, 301),
  );
  scope.get<OfSite>('/help/:site/categories/:slug', (request, reply) =>
    showCategory(request, reply, request.params.slug ?? ''),
  );
  scope.get<OfSite>('/help/:site/more', (request, reply) => showCategory(request, reply, null));
  scope.get<OfSite>('/help/:site/articles/:slug', (request, reply) =>
    pages.show(request, reply, async ({ frame, ctx }) => {
      const slug = request.params.slug ?? '';
      const article = await options.article(ctx, slug);
      if (article.slug !== slug)
        return { moved: `${frame.path}/articles/${encodeURIComponent(article.slug)}` };
      const rated = queryOf(request).get('rated');
      return articlePage(frame, rated === 'yes' || rated === 'no' ? { ...article, rated } : article);
    }),
  );
  scope.get<OfSite>('/help/:site/sitemap.xml', (request, reply) =>
    pages.show(
      request,
      reply,
      async ({ frame, ctx }) => sitemap(frame, await options.sitemap(ctx)),
      'application/xml; charset=utf-8',
    ),
  );
}

/** Whether an article was helpful: one vote per browser, which a cookie recognises. */
function registerVote<S extends HelpSite & Site>(
  scope: FastifyInstance,
  pages: HelpPages<S>,
  { rate, limits }: HelpOptions<S>,
): void {
  const votes = limits.of('help votes');
  const articleVotes = limits.of('article votes');
  const siteVotes = limits.of('help votes site');
  scope.post<OfSite>('/help/:site/articles/:slug/helpful', async (request, reply) => {
    const { frame, ctx } = await pages.open(request);
    const slug = request.params.slug ?? '';
    const helpful = request.body instanceof URLSearchParams ? request.body.get('helpful') : null;
    if (helpful !== 'yes' && helpful !== 'no')
      throw new AppError('invalid_input', 'helpful must be yes or no');
    const caller = addressKey(request.ip);
    const known = findVoter(ctx, request);
    await admit(votes, caller, TOO_MUCH);
    if (!known) await admit(articleVotes, `${caller} ${frame.site.id} ${slug}`, TOO_MUCH);
    await admit(siteVotes, String(frame.site.id), TOO_MUCH);
    const voter = known ?? newVoter();
    await rate(ctx, { slug, helpful: helpful === 'yes', voter: `browser:${voter}` });
    return reply
      .headers({ 'cache-control': 'no-store', 'set-cookie': voterCookie(ctx, voter) })
      .redirect(`${frame.path}/articles/${encodeURIComponent(slug)}?rated=${helpful}#rate`, 303);
  });
}

function registerSearch<S extends HelpSite & Site>(
  scope: FastifyInstance,
  pages: HelpPages<S>,
  { search, limits }: HelpOptions<S>,
): void {
  const searches = limits.of('help searches');
  const ofSite = limits.of('help search site');
  scope.get<OfSite>('/help/:site/search', async (request, reply) => {
    const { frame, ctx } = await pages.open(request);
    await admit(searches, addressKey(request.ip), TOO_MUCH);
    await admit(ofSite, String(frame.site.id), TOO_MUCH);
    const question = (queryOf(request).get('q') ?? '').toWellFormed().replaceAll('\0', '').trim();
    const asked = question.slice(0, QUESTION_MAX_CHARS).toWellFormed();
    const hits = asked === '' ? [] : await search(ctx, asked);
    void reply.headers({ ...PAGE_HEADERS, 'x-robots-tag': 'noindex' });
    const page = createStaticResponse(HTML, String(searchPage(frame, asked, hits)));
    return sendStatic(request, reply, page, 'no-store');
  });
}
