import type { BubbleAnswer, LauncherLook, LiveAnswer } from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { PublicAddress } from '../core/public-address.ts';
import { activeRules, pagesOf } from '../proactive/active.ts';
import type { KnownSite } from '../sites/directory.ts';
import { presentLook } from '../sites/look.ts';
import { sendData } from './answer.ts';
import { launcherWords, wantedLanguages } from './launcher-words.ts';
import { checkPageOrigin } from './sign-in/origin-check.ts';

/** Limits for one host page's reports, per address and minute. */
const COLLECT_MAX_BYTES = 64 * 1024;

interface WidgetOptions {
  findSite(publicKey: string): Promise<KnownSite | undefined>;
  address: PublicAddress;
  collect(ctx: SiteContext, body: unknown): Promise<void>;
  contextFor(site: Site, request: FastifyRequest): SiteContext;
  /** A page of this origin requested the launcher: the snippet runs there. */
  noteSnippet(siteId: number, origin: string): void;
  /** False if this address, or all of the site's pages, have sent too much. */
  admit(siteId: number, address: string): Promise<boolean>;
  /** A page reports that it is open, on a site with live visitors. @throws AppError 400, 429 */
  live(site: KnownSite, request: FastifyRequest): Promise<Omit<LiveAnswer, 'live'>>;
  /** A page asks for a proactive message, or reports that it was opened. @throws AppError 400 */
  proactive(site: KnownSite, request: FastifyRequest): Promise<BubbleAnswer>;
  now(): Date;
}

/** Registers what the SDK calls without a token: the launcher's look, identity and events. */
export function registerWidgetRoutes(server: FastifyInstance, options: WidgetOptions): void {
  registerConfig(server, options);
  server.register(async (scope) => registerCollect(scope, options));
}

/** @throws AppError 404 */
async function siteOf(request: FastifyRequest, findSite: WidgetOptions['findSite']): Promise<KnownSite> {
  const key = new URL(request.url, 'http://localhost').searchParams.get('site') ?? '';
  const site = await findSite(key);
  if (!site) throw new AppError('not_found', 'No such site.');
  return site;
}

function registerConfig(server: FastifyInstance, { findSite, noteSnippet, now }: WidgetOptions): void {
  server.get('/widget/config', async (request, reply) => {
    void reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=60',
      vary: 'accept-language',
    });
    const site = await siteOf(request, findSite);
    // Browsers omit it for requests to the page's own server.
    const { origin } = request.headers;
    if (origin !== undefined) noteSnippet(site.id, origin);
    const { name, color, sound, consent, liveVisitors: live } = site;
    const locale = new URL(request.url, 'http://localhost').searchParams.get('lang') ?? '';
    const wanted = wantedLanguages(locale, request.headers['accept-language'] ?? '');
    const words = await launcherWords(site, wanted);
    const look: LauncherLook = { ...presentLook(site), ...(words && { words }) };
    const proactive = activeRules(site, now());
    const extras = {
      ...(live && { live: [''] }),
      ...(proactive.length > 0 && { proactive: pagesOf(proactive) }),
    };
    return sendData(reply, { name, color, sound, consent, live, look, extras, proactive });
  });
}

/** @param scope an encapsulated context, whose headers and parsers don't affect other routes */
function registerCollect(scope: FastifyInstance, options: WidgetOptions): void {
  const { findSite, address, collect, contextFor, live, proactive } = options;
  const admit = async (site: KnownSite, request: FastifyRequest): Promise<void> => {
    if (await options.admit(site.id, request.ip)) return;
    throw new AppError('rate_limited', 'Too many requests from this address.', {
      headers: { 'retry-after': '60' },
    });
  };
  parseAnyAsJson(scope);
  scope.addHook('onRequest', async (_request, reply) => {
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Service-Request-Id, Retry-After',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
    });
  });
  for (const path of ['/widget/collect', '/widget/live', '/widget/proactive'])
    scope.options(path, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'Content-Type',
          'access-control-max-age': '86400',
        })
        .send(),
    );
  scope.post('/widget/collect', async (request, reply) => {
    const site = await siteOf(request, findSite);
    checkPageOrigin(site, request, address);
    await admit(site, request);
    await collect(contextFor(site, request), request.body);
    return sendData(reply, { accepted: true }, 202);
  });
  scope.post('/widget/proactive', async (request, reply) => {
    const site = await siteOf(request, findSite);
    checkPageOrigin(site, request, address);
    await admit(site, request);
    return sendData(reply, await proactive(site, request));
  });
  scope.post('/widget/live', async (request, reply) => {
    const site = await siteOf(request, findSite);
    checkPageOrigin(site, request, address);
    const answer: LiveAnswer = site.liveVisitors
      ? { live: true, ...(await live(site, request)) }
      : { live: false };
    return sendData(reply, answer, 202);
  });
}

/** text/plain needs no preflight request, for which a closing page has no time. */
function parseAnyAsJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    ['text/plain', 'application/json'],
    { parseAs: 'string', bodyLimit: COLLECT_MAX_BYTES },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(String(body)));
      } catch {
        done(new AppError('invalid_json', 'The body isn’t valid JSON.'));
      }
    },
  );
}
