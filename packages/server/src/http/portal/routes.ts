import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import { chooseLanguage, type Language, type PortalTicket } from '@foyer/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Html } from '../../base/html.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import { type Speech, speechOf } from '../../i18n/phrases.ts';
import { addressKey } from '../../limits/address-key.ts';
import { admit } from '../../limits/admit.ts';
import type { Limiter, Limits } from '../../limits/limits.ts';
import { type Download, sendDownload } from '../files/attachment-routes.ts';
import { refusalOf } from '../server.ts';
import { registerSiteStyle } from '../site-style.ts';
import { isFarTooLarge, readSubmission, type Submission } from './form.ts';
import { LOCAL_TIMES_SOURCE } from './local-times.ts';
import { noticePage, type PortalForm, ticketPage } from './page.ts';

/** What the routes need to know about a link. The rest is up to its domain. */
interface PortalLinkState {
  site: Site;
  siteName: string;
  siteLogo: string | null;
  siteColor: string;
  /** The language of its pages. */
  language: Language;
  linkId: number;
  requesterId: number;
  state: 'live' | 'expired' | 'revoked';
}

/** `elsewhere`: a signed link, if files have an origin of their own. */
type PortalFile = Download & { elsewhere?: string | undefined };

interface PortalOptions<L extends PortalLinkState> {
  find(token: string): Promise<L | undefined>;
  show(ctx: SiteContext, link: L): Promise<PortalTicket>;
  answer(
    ctx: SiteContext,
    link: L,
    answer: { answerId: string; text: string; files: Submission['files'] },
  ): Promise<{ followUpToken: string | undefined }>;
  attachment(ctx: SiteContext, link: L, id: number): Promise<PortalFile | undefined>;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  limits: Limits;
}

interface OfToken {
  Params: { token: string };
}

/** Each may hold ATTACHMENTS_TOTAL_MAX_BYTES in memory. */
const UPLOADS_AT_ONCE = 8;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Only one script, nothing from other origins, no framing. */
const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; script-src ${LOCAL_TIMES_SOURCE}; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const sendPage = (reply: FastifyReply, page: Html, status = 200): FastifyReply =>
  reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(String(page));

/** The message of an error, for a reader who opened a link. */
function noticeOf(error: AppError, { say }: Speech): { title: string; sentences: string[] } {
  switch (error.code) {
    case 'not_found':
      return { title: say('not_found'), sentences: [say('link_hint')] };
    case 'insufficient_scope':
      return { title: say('refused'), sentences: [say('blocked'), say('ended_unsent')] };
    case 'rate_limited':
      return {
        title: say('slower_title'),
        sentences: [say('slower', { count: Number(error.headers['retry-after']) })],
      };
    case 'unsupported_media_type':
      return { title: say('not_sent'), sentences: [say('not_from_form')] };
    case 'payload_too_large':
      return { title: say('too_much'), sentences: [say('far_too_large')] };
    case 'unavailable':
      return { title: say('away'), sentences: [say('away_hint')] };
    default:
      return { title: say('refused'), sentences: [error.status >= 500 ? say('failed') : say('not_sent')] };
  }
}

/** An unknown link has no site: the language comes from the reader's browser. */
const speechOfReader = (request: FastifyRequest): Speech =>
  speechOf(chooseLanguage((request.headers['accept-language'] ?? '').split(','), [], 'en'));

/** Why a link no longer works, and what happened to the text. */
function endedSentences({ state, siteName: site, language }: PortalLinkState, isAnswer: boolean): string[] {
  const { say } = speechOf(language);
  return [
    state === 'revoked' ? say('ended_revoked', { site }) : say('ended_expired'),
    say(isAnswer ? 'ended_unsent' : 'ended_kept'),
    say('ended_go_on', { site }),
  ];
}

/**
 * The customer portal: the page of one ticket behind a link, which works without JavaScript. Needs no CSRF token:
 * no cookie identifies anybody here, and nothing happens without the link's own token. Only this page contains that
 * token, and no referrer leaks it.
 */
export async function registerPortal<L extends PortalLinkState>(
  server: FastifyInstance,
  options: PortalOptions<L>,
): Promise<void> {
  await server.register(async (scope) => {
    const stylesheet = await registerSiteStyle(scope, 'portal');
    const portal = new Portal(options, stylesheet);
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { throwFileSizeLimit: false });
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler<FastifyError>((thrown, request, reply) => portal.refuse(thrown, request, reply));
    scope.get<OfToken>('/portal/:token', async (request, reply) => {
      const link = await portal.linkOf(request);
      return portal.sendTicket(request, reply, link, { justSent: request.url.endsWith('?sent=1') });
    });
    registerAnswer(scope, portal, options);
    registerPortalAttachments(scope, portal, options);
  });
}

/** The page has words of its own. */
const TOO_MUCH = { message: () => 'Too much came at once.' };

const keyOf = ({ site, linkId }: PortalLinkState): string => `${site.id}:${linkId}`;
const pathOf = (request: FastifyRequest<OfToken>): string => `/portal/${request.params.token}`;

/** Finds the link of a request and sends its pages. */
class Portal<L extends PortalLinkState> {
  readonly #options: PortalOptions<L>;
  readonly #stylesheet: (color?: string) => string;
  /** The limit of an address: somebody may be trying links. */
  readonly #guesses: Limiter;
  readonly #reads: Limiter;
  /** For the error handler, which only gets the request. */
  readonly #speeches = new WeakMap<FastifyRequest, Speech>();

  constructor(options: PortalOptions<L>, stylesheet: (color?: string) => string) {
    this.#options = options;
    this.#stylesheet = stylesheet;
    this.#guesses = options.limits.of('portal address');
    this.#reads = options.limits.of('portal link');
  }

  /** @throws AppError 404, 429 */
  async linkOf(request: FastifyRequest<OfToken>): Promise<L> {
    await admit(this.#guesses, addressKey(request.ip), TOO_MUCH);
    const { token } = request.params;
    const link = TOKEN.test(token) ? await this.#options.find(token) : undefined;
    if (!link) throw new AppError('not_found', 'No such link.');
    this.#speeches.set(request, speechOf(link.language));
    await admit(this.#reads, keyOf(link), TOO_MUCH);
    return link;
  }

  /** The requester, as far as the link proves it: its holder acts for this ticket and opens no chat. */
  contextOf({ site, requesterId }: L, request: FastifyRequest): SiteContext {
    const actor = { kind: 'visitor', visitorId: requesterId, deviceId: null, verified: false } as const;
    return this.#options.contextFor(site, actor, request);
  }

  /** The ticket's page, or why the link no longer works. */
  async sendTicket(
    request: FastifyRequest<OfToken>,
    reply: FastifyReply,
    link: L,
    shown: { form?: PortalForm; status?: number; justSent?: boolean } = {},
  ): Promise<FastifyReply> {
    if (link.state !== 'live') return this.sendEnded(reply, link, shown.form?.text);
    const page = ticketPage({
      speech: speechOf(link.language),
      ticket: await this.#options.show(this.contextOf(link, request), link),
      form: shown.form ?? { answerId: randomUUID(), text: '', problems: [] },
      path: pathOf(request),
      stylesheet: this.#stylesheet(link.siteColor),
      justSent: shown.justSent ?? false,
    });
    return sendPage(reply, page, shown.status);
  }

  /** @param unsent text that can no longer be sent */
  sendEnded(reply: FastifyReply, link: L, unsent?: string): FastifyReply {
    const speech = speechOf(link.language);
    const page = noticePage({
      speech,
      title: speech.say('ended'),
      sentences: endedSentences(link, unsent !== undefined),
      siteName: link.siteName,
      siteLogo: link.siteLogo,
      stylesheet: this.#stylesheet(link.siteColor),
      ...(unsent === undefined ? {} : { unsent }),
    });
    return sendPage(reply, page, 410);
  }

  refuse(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = refusalOf(thrown, request);
    const speech = this.#speeches.get(request) ?? speechOfReader(request);
    const page = noticePage({
      speech,
      ...noticeOf(error, speech),
      stylesheet: this.#stylesheet(),
      ...(error.status >= 500 ? { requestId: request.id } : {}),
    });
    return sendPage(reply.headers(error.headers), page, error.status);
  }
}

/** The form below the ticket. */
function registerAnswer<L extends PortalLinkState>(
  scope: FastifyInstance,
  portal: Portal<L>,
  { answer, limits }: PortalOptions<L>,
): void {
  const linkAnswers = limits.of('portal answers link');
  const addressAnswers = limits.of('portal answers address');
  const siteAnswers = limits.of('portal answers site');
  const readWithinLimit = createSubmissionReader();

  scope.post<OfToken>('/portal/:token', async (request, reply) => {
    const link = await portal.linkOf(request);
    await admit(linkAnswers, keyOf(link), TOO_MUCH);
    await admit(addressAnswers, addressKey(request.ip), TOO_MUCH);
    await admit(siteAnswers, String(link.site.id), TOO_MUCH);
    const fresh = { answerId: randomUUID(), text: '' };
    const speech = speechOf(link.language);
    if (!request.isMultipart()) {
      const problems = [speech.say('not_from_form')];
      return portal.sendTicket(request, reply, link, { form: { ...fresh, problems }, status: 415 });
    }
    if (isFarTooLarge(request)) {
      const problems = [speech.say('far_too_large')];
      void reply.header('connection', 'close');
      return portal.sendTicket(request, reply, link, { form: { ...fresh, problems }, status: 413 });
    }
    const { answerId = fresh.answerId, text, files, problems } = await readWithinLimit(request, speech);
    if (link.state !== 'live') return portal.sendEnded(reply, link, text);
    if (problems.length > 0) {
      return portal.sendTicket(request, reply, link, { form: { answerId, text, problems }, status: 400 });
    }
    const ctx = portal.contextOf(link, request);
    const { followUpToken } = await answer(ctx, link, { answerId, text, files });
    const path = followUpToken === undefined ? pathOf(request) : `/portal/${followUpToken}`;
    return reply.headers(PAGE_HEADERS).redirect(`${path}?sent=1`, 303);
  });
}

/** Reads at most UPLOADS_AT_ONCE forms at a time; further ones are refused with a 503. */
function createSubmissionReader(): typeof readSubmission {
  let reading = 0;
  return async (request, speech) => {
    if (reading >= UPLOADS_AT_ONCE)
      throw new AppError('unavailable', 'Very many files are being sent right now.');
    reading += 1;
    try {
      return await readSubmission(request, speech);
    } finally {
      reading -= 1;
    }
  };
}

function registerPortalAttachments<L extends PortalLinkState>(
  scope: FastifyInstance,
  portal: Portal<L>,
  { attachment }: PortalOptions<L>,
): void {
  scope.get<{ Params: { token: string; id: string } }>(
    '/portal/:token/attachments/:id',
    async (request, reply) => {
      const link = await portal.linkOf(request);
      if (link.state !== 'live') return portal.sendEnded(reply, link);
      const { id } = request.params;
      const file = /^[1-9]\d{0,14}$/.test(id)
        ? await attachment(portal.contextOf(link, request), link, Number(id))
        : undefined;
      if (!file) throw new AppError('not_found', 'No such file.');
      const { elsewhere } = file;
      return elsewhere === undefined
        ? sendDownload(reply, file)
        : reply.header('cache-control', 'no-store').redirect(elsewhere, 302);
    },
  );
}
