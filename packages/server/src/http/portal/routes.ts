import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import { chooseLanguage, type Language, type PortalTicket } from '@foyer/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Site, SiteContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Html } from '../../html.ts';
import { type Speech, speechOf } from '../../words/words.ts';
import { type Download, sendDownload } from '../attachment-routes.ts';
import { type AttemptLimiter, addressKey, createAttemptLimiter } from '../rate-limit.ts';
import { refusalOf } from '../server.ts';
import { registerSiteStyle } from '../site-style.ts';
import { isFarTooLarge, readSubmission, type Submission } from './form.ts';
import { noticePage, type PortalForm, ticketPage } from './page.ts';

/** What the door needs to know of a link; the rest is its domain's. */
export interface PortalLinkState {
  site: Site;
  siteName: string;
  siteLogo: string | null;
  siteColor: string;
  /** What its pages speak. */
  language: Language;
  linkId: number;
  requesterId: number;
  state: 'live' | 'expired' | 'revoked';
}

export interface PortalOptions<L extends PortalLinkState> {
  find(token: string): Promise<L | undefined>;
  show(ctx: SiteContext, link: L): Promise<PortalTicket>;
  answer(
    ctx: SiteContext,
    link: L,
    answer: { answerId: string; text: string; files: Submission['files'] },
  ): Promise<{ followUpToken: string | undefined }>;
  attachment(ctx: SiteContext, link: L, id: number): Promise<Download | undefined>;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  now(): Date;
}

interface OfToken {
  Params: { token: string };
}

/** Pages and files a minute, for one link and for one address. */
const READS_PER_MINUTE = 240;
/** Answers a minute through one link, and from one address. */
const ANSWERS_PER_LINK = 10;
const ANSWERS_PER_ADDRESS = 30;
/** Each may hold ATTACHMENTS_TOTAL_MAX_BYTES in memory. */
const UPLOADS_AT_ONCE = 8;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** No script at all, nothing from elsewhere, in no frame (decisions 9). */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
};

const sendPage = (reply: FastifyReply, page: Html, status = 200): FastifyReply =>
  reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(String(page));

/** What a refusal or a failure says to somebody who came by a link. */
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

/** Who comes by a link that leads nowhere has no site yet: their browser says what they read. */
const speechOfReader = (request: FastifyRequest): Speech =>
  speechOf(chooseLanguage((request.headers['accept-language'] ?? '').split(','), [], 'en'));

/** Why a link has ended, and what has become of what was written. */
function endedSentences({ state, siteName: site, language }: PortalLinkState, isAnswer: boolean): string[] {
  const { say } = speechOf(language);
  return [
    state === 'revoked' ? say('ended_revoked', { site }) : say('ended_expired'),
    say(isAnswer ? 'ended_unsent' : 'ended_kept'),
    say('ended_go_on', { site }),
  ];
}

/**
 * The customer portal: a page for one ticket behind a link, which works without JavaScript.
 *
 * Nothing here needs a token against forged requests: a browser brings no cookie along by which we would know anybody,
 * and the link's own token, without which nothing is done, is in no page but this one, and leaves it by no referrer.
 */
export async function registerPortal<L extends PortalLinkState>(
  server: FastifyInstance,
  options: PortalOptions<L>,
): Promise<void> {
  const { find, show, answer, attachment, contextFor, now } = options;
  const limiter = (max: number): AttemptLimiter => createAttemptLimiter({ max, windowMs: 60_000, now });
  const [reads, linkAnswers, addressAnswers] = [
    limiter(READS_PER_MINUTE),
    limiter(ANSWERS_PER_LINK),
    limiter(ANSWERS_PER_ADDRESS),
  ];
  let uploads = 0;

  const admit = (limit: AttemptLimiter, key: string): void => {
    const { allowed, retryAfterS } = limit.take(key);
    if (allowed) return;
    throw new AppError('rate_limited', 'Too much came at once.', {
      headers: { 'retry-after': String(retryAfterS) },
    });
  };
  const speeches = new WeakMap<FastifyRequest, Speech>();
  const keyOf = ({ site, linkId }: L): string => `${site.id}:${linkId}`;

  /** @throws AppError 404, 429 */
  const linkOf = async (request: FastifyRequest<OfToken>): Promise<L> => {
    admit(reads, `address:${addressKey(request.ip)}`);
    const { token } = request.params;
    const link = TOKEN.test(token) ? await find(token) : undefined;
    if (!link) throw new AppError('not_found', 'There is no such link.');
    speeches.set(request, speechOf(link.language));
    admit(reads, `link:${keyOf(link)}`);
    return link;
  };
  // The requester, as far as the link proves: whoever has it speaks for this ticket, and opens no chat.
  const contextOf = ({ site, requesterId }: L, request: FastifyRequest): SiteContext =>
    contextFor(site, { kind: 'visitor', visitorId: requesterId, deviceId: null, verified: false }, request);
  const pathOf = (request: FastifyRequest<OfToken>): string => `/portal/${request.params.token}`;

  await server.register(async (door) => {
    const stylesheet = await registerSiteStyle(door, 'portal');
    door.removeAllContentTypeParsers();
    await door.register(multipart, { throwFileSizeLimit: false });
    door.addContentTypeParser('*', (_request, _payload, done) => done(null));
    door.setErrorHandler<FastifyError>((thrown, request, reply) => {
      const error = refusalOf(thrown, request);
      const speech = speeches.get(request) ?? speechOfReader(request);
      const page = noticePage({
        speech,
        ...noticeOf(error, speech),
        stylesheet: stylesheet(),
        ...(error.status >= 500 ? { requestId: request.id } : {}),
      });
      return sendPage(reply.headers(error.headers), page, error.status);
    });

    const sendEnded = (reply: FastifyReply, link: L, unsent?: string): FastifyReply => {
      const speech = speechOf(link.language);
      const page = noticePage({
        speech,
        title: speech.say('ended'),
        sentences: endedSentences(link, unsent !== undefined),
        siteName: link.siteName,
        siteLogo: link.siteLogo,
        stylesheet: stylesheet(link.siteColor),
        ...(unsent === undefined ? {} : { unsent }),
      });
      return sendPage(reply, page, 410);
    };

    const sendTicket = async (
      request: FastifyRequest<OfToken>,
      reply: FastifyReply,
      link: L,
      shown: { form?: PortalForm; status?: number; justSent?: boolean } = {},
    ): Promise<FastifyReply> => {
      if (link.state !== 'live') return sendEnded(reply, link, shown.form?.text);
      const page = ticketPage({
        speech: speechOf(link.language),
        ticket: await show(contextOf(link, request), link),
        form: shown.form ?? { answerId: randomUUID(), text: '', problems: [] },
        path: pathOf(request),
        stylesheet: stylesheet(link.siteColor),
        justSent: shown.justSent ?? false,
      });
      return sendPage(reply, page, shown.status);
    };

    door.get<OfToken>('/portal/:token', async (request, reply) => {
      const link = await linkOf(request);
      return sendTicket(request, reply, link, { justSent: request.url.endsWith('?sent=1') });
    });

    const submissionOf = async (request: FastifyRequest, speech: Speech): Promise<Submission> => {
      if (uploads >= UPLOADS_AT_ONCE)
        throw new AppError('unavailable', 'Very many files are being sent right now.');
      uploads += 1;
      try {
        return await readSubmission(request, speech);
      } finally {
        uploads -= 1;
      }
    };

    door.post<OfToken>('/portal/:token', async (request, reply) => {
      const link = await linkOf(request);
      admit(linkAnswers, keyOf(link));
      admit(addressAnswers, addressKey(request.ip));
      const fresh = { answerId: randomUUID(), text: '' };
      const speech = speechOf(link.language);
      if (!request.isMultipart()) {
        const problems = [speech.say('not_from_form')];
        return sendTicket(request, reply, link, { form: { ...fresh, problems }, status: 415 });
      }
      if (isFarTooLarge(request)) {
        const problems = [speech.say('far_too_large')];
        void reply.header('connection', 'close');
        return sendTicket(request, reply, link, { form: { ...fresh, problems }, status: 413 });
      }
      const { answerId = fresh.answerId, text, files, problems } = await submissionOf(request, speech);
      if (link.state !== 'live') return sendEnded(reply, link, text);
      if (problems.length > 0) {
        return sendTicket(request, reply, link, { form: { answerId, text, problems }, status: 400 });
      }
      const { followUpToken } = await answer(contextOf(link, request), link, { answerId, text, files });
      const path = followUpToken === undefined ? pathOf(request) : `/portal/${followUpToken}`;
      return reply.headers(PAGE_HEADERS).redirect(`${path}?sent=1`, 303);
    });

    door.get<{ Params: { token: string; id: string } }>(
      '/portal/:token/attachments/:id',
      async (request, reply) => {
        const link = await linkOf(request);
        if (link.state !== 'live') return sendEnded(reply, link);
        const { id } = request.params;
        const file = /^[1-9]\d{0,14}$/.test(id)
          ? await attachment(contextOf(link, request), link, Number(id))
          : undefined;
        if (!file) throw new AppError('not_found', 'There is no such file.');
        return sendDownload(reply, file);
      },
    );
  });
}
