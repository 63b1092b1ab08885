import { hash, randomBytes } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Site, SiteContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Html } from '../../html.ts';
import { type StoredPicture, servePictures } from '../pictures.ts';
import { type AttemptLimiter, addressKey, createAttemptLimiter } from '../rate-limit.ts';
import { refusalOf } from '../server.ts';
import { registerSiteStyle } from '../site-style.ts';
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

/** What the door shows; where it comes from is its domain's. */
export interface HelpOptions<S extends HelpSite & Site = HelpSite & Site> {
  baseUrl: string;
  /** By the address, one that it had, or the public key. */
  findSite(slug: string): Promise<S | undefined>;
  contextFor(site: S, request: FastifyRequest): SiteContext;
  /** Goes up with every change of what is published. */
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
  now(): Date;
}

/** Of one address, a minute. */
const PAGES_PER_MINUTE = 600;
const SEARCHES_PER_MINUTE = 120;
const VOTES_PER_MINUTE = 10;
/** Of one address on one article, an hour: browsers without a cookie are not told apart. */
const VOTES_PER_ARTICLE = 5;
const HOUR_MS = 3_600_000;
const CACHED_CHARS = 32_000_000;
const QUESTION_MAX_CHARS = 200;
const VOTE_MAX_BYTES = 1_000;
const VOTER_COOKIE = 'foyer_reader';
const VOTER_KEPT_S = 365 * 24 * 3600;

/** Nothing inline, nothing from elsewhere, in no frame; the widget is a script and a frame of ours (decisions 9). */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * For search engines: what is nobody’s business but the team’s and the customers’. It names no help centre: a site is
 * listed by its own pages and sitemap, and not to whoever asks for all that are here.
 */
const ROBOTS = `User-agent: *
${['/app/', '/portal/', '/widget/', '/v1/', '/mcp', '/attachments/'].map((path) => `Disallow: ${path}\n`).join('')}`;

type Query = URLSearchParams;
interface OfSite {
  Params: { site: string; slug?: string };
}

/** What a page is made of: its site as it is shown, the version of its knowledge, and how pages look now. */
const tagOf = (frame: Frame, version: number): string =>
  `"${hash('sha256', JSON.stringify([frame.site, frame.address, frame.stylesheet, version]), 'base64url').slice(0, 22)}"`;

const queryOf = (request: FastifyRequest): Query => new URL(request.url, 'http://localhost').searchParams;

/** 1 for what is no page number: an address that was typed wrong shows the beginning. */
function pageNumber(query: Query): number {
  const text = query.get('page') ?? '1';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

const cookieOf = (request: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|;\\s*)${VOTER_COOKIE}=([A-Za-z0-9_-]{22})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];

/** The public help centre: pages that need no script, at `/help/<site>`. */
export async function registerHelp<S extends HelpSite & Site>(
  server: FastifyInstance,
  options: HelpOptions<S>,
): Promise<void> {
  const { baseUrl, findSite, contextFor, now } = options;
  const limiter = (max: number, windowMs = 60_000): AttemptLimiter =>
    createAttemptLimiter({ max, windowMs, now });
  const pages = limiter(PAGES_PER_MINUTE);
  const searches = limiter(SEARCHES_PER_MINUTE);
  const votes = limiter(VOTES_PER_MINUTE);
  const articleVotes = limiter(VOTES_PER_ARTICLE, HOUR_MS);
  const cache = createPageCache({ maxChars: CACHED_CHARS });
  const frames = new WeakMap<FastifyRequest, Frame>();

  const admit = (limit: AttemptLimiter, key: string): void => {
    const { allowed, retryAfterS } = limit.take(key);
    if (allowed) return;
    throw new AppError('rate_limited', String(retryAfterS), {
      headers: { 'retry-after': String(retryAfterS) },
    });
  };

  await server.register(async (door) => {
    const style = await registerSiteStyle(door, 'help');
    door.removeAllContentTypeParsers();
    door.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: VOTE_MAX_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );

    door.setErrorHandler<FastifyError>((thrown, request, reply) => {
      const error = refusalOf(thrown, request);
      const frame = frames.get(request);
      void reply.headers(error.headers).headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' });
      void reply.code(error.status);
      if (!frame) return reply.type('text/plain; charset=utf-8').send('There is no such help centre.\n');
      const page =
        error.code === 'not_found'
          ? missingPage(frame)
          : sayingPage(
              frame,
              error.code === 'rate_limited'
                ? frame.speech.say('slower', { count: Number(error.message) })
                : frame.speech.say('failed'),
            );
      return sendHtml(reply, page);
    });

    const sendHtml = (reply: FastifyReply, page: Html): FastifyReply =>
      reply.type('text/html; charset=utf-8').send(String(page));

    /** @throws AppError 404, 429 */
    const open = async (
      request: FastifyRequest<OfSite>,
    ): Promise<{ site: S; frame: Frame; ctx: SiteContext }> => {
      const site = await findSite(request.params.site);
      if (!site?.helpEnabled) throw new AppError('not_found', 'There is no such help centre.');
      const frame = frameOf(site, baseUrl, style(site.color));
      frames.set(request, frame);
      admit(pages, addressKey(request.ip));
      return { site, frame, ctx: contextFor(site, request) };
    };

    /** Sends what `make` makes of the site as it is now, from memory where it was made before. */
    const show = async (
      request: FastifyRequest<OfSite>,
      reply: FastifyReply,
      make: (opened: { frame: Frame; ctx: SiteContext }) => Promise<Html | { moved: string }>,
      type = 'text/html; charset=utf-8',
    ): Promise<FastifyReply> => {
      const { frame, ctx } = await open(request);
      const { pathname, search } = new URL(request.url, 'http://localhost');
      const rest = pathname.replace(/^\/help\/[^/]+/, '');
      // One address for each page: an earlier name of the site leads on.
      if (pathname !== frame.path + rest) return reply.redirect(`${frame.path}${rest}${search}`, 301);
      const tag = tagOf(frame, await options.version(ctx));
      void reply.headers({ ...PAGE_HEADERS, etag: tag, 'cache-control': 'public, no-cache' });
      if (!frame.site.helpIndexed) void reply.header('x-robots-tag', 'noindex');
      if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
      const query = queryOf(request);
      const key = [frame.site.id, pathname, query.get('page'), query.get('rated')].join(' ');
      const cached = cache.get(key, tag);
      if (cached) return reply.type(type).send(cached.text);
      const made = await make({ frame, ctx });
      if ('moved' in made) return reply.redirect(made.moved, 301);
      const text = String(made);
      cache.set(key, { tag, status: 200, text });
      return reply.type(type).send(text);
    };

    door.get('/robots.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(ROBOTS),
    );

    door.get<OfSite>('/help/:site', (request, reply) =>
      show(request, reply, async ({ frame, ctx }) => homePage(frame, await options.home(ctx))),
    );
    door.get<OfSite>('/help/:site/', (request, reply) =>
      reply.redirect(`/help/${encodeURIComponent(request.params.site)}`, 301),
    );

    const showCategory = (request: FastifyRequest<OfSite>, reply: FastifyReply, slug: string | null) =>
      show(request, reply, async ({ frame, ctx }) => {
        const page = pageNumber(queryOf(request));
        const shown = await options.category(ctx, slug, page);
        if (shown.category && shown.category.slug !== slug)
          return { moved: pathOfCategory(frame, shown.category) };
        return categoryPage(frame, shown);
      });
    door.get<OfSite>('/help/:site/categories/:slug', (request, reply) =>
      showCategory(request, reply, request.params.slug ?? ''),
    );
    door.get<OfSite>('/help/:site/more', (request, reply) => showCategory(request, reply, null));

    door.get<OfSite>('/help/:site/articles/:slug', (request, reply) =>
      show(request, reply, async ({ frame, ctx }) => {
        const slug = request.params.slug ?? '';
        const article = await options.article(ctx, slug);
        if (article.slug !== slug)
          return { moved: `${frame.path}/articles/${encodeURIComponent(article.slug)}` };
        const rated = queryOf(request).get('rated');
        return articlePage(frame, rated === 'yes' || rated === 'no' ? { ...article, rated } : article);
      }),
    );

    door.post<OfSite>('/help/:site/articles/:slug/helpful', async (request, reply) => {
      const { frame, ctx } = await open(request);
      const slug = request.params.slug ?? '';
      const helpful = request.body instanceof URLSearchParams ? request.body.get('helpful') : null;
      if (helpful !== 'yes' && helpful !== 'no')
        throw new AppError('invalid_input', 'helpful must be yes or no');
      const address = addressKey(request.ip);
      const known = cookieOf(request);
      admit(votes, address);
      if (!known) admit(articleVotes, `${address} ${frame.site.id} ${slug}`);
      const voter = known ?? randomBytes(16).toString('base64url');
      await options.rate(ctx, { slug, helpful: helpful === 'yes', voter: `browser:${voter}` });
      const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
      return reply
        .headers({
          'cache-control': 'no-store',
          'set-cookie': `${VOTER_COOKIE}=${voter}; Path=/help/; Max-Age=${VOTER_KEPT_S}; HttpOnly; SameSite=Lax${secure}`,
        })
        .redirect(`${frame.path}/articles/${encodeURIComponent(slug)}?rated=${helpful}#rate`, 303);
    });

    door.get<OfSite>('/help/:site/search', async (request, reply) => {
      const { frame, ctx } = await open(request);
      admit(searches, addressKey(request.ip));
      const question = (queryOf(request).get('q') ?? '').toWellFormed().replaceAll('\0', '').trim();
      const asked = question.slice(0, QUESTION_MAX_CHARS).toWellFormed();
      const hits = asked === '' ? [] : await options.search(ctx, asked);
      void reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      return sendHtml(reply, searchPage(frame, asked, hits));
    });

    door.get<OfSite>('/help/:site/sitemap.xml', (request, reply) =>
      show(
        request,
        reply,
        async ({ frame, ctx }) => sitemap(frame, await options.sitemap(ctx)),
        'application/xml; charset=utf-8',
      ),
    );

    door.get<OfSite>('/help/:site/*', async (request) => {
      await open(request);
      throw new AppError('not_found', 'There is no such page.');
    });

    servePictures(door, '/help/images/', 'same-site', options.image);
  });
}
