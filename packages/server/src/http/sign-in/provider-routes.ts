import { randomBytes } from 'node:crypto';
import { EMAIL_MAX } from '@foyer/protocol';
import { MINUTE_S } from '@foyer/protocol/values/durations';
import type { SignInRefusal } from '@foyer/protocol/values/sign-in/single-sign-on';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { notFound, toAppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { addressKey } from '../../limits/address-key.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Auth } from '../../sites/sign-in/auth.ts';
import { checkedInput } from '../../sites/sign-in/checked-input.ts';
import { redirectUri, SINGLE_SIGN_ON_PATH, safeNext } from '../../sites/single-sign-on/addresses.ts';
import type { Admitted } from '../../sites/single-sign-on/admission.ts';
import { SignInRefused } from '../../sites/single-sign-on/claims.ts';
import { offeredProviders, type ProviderRow } from '../../sites/single-sign-on/providers.ts';
import { samlMetadata } from '../../sites/single-sign-on/saml.ts';
import { acceptAnswer, beginSignIn, finishSignIn } from '../../sites/single-sign-on/sign-in.ts';
import { sendData } from '../answer.ts';
import { authHeaders, setCookies } from './auth-answers.ts';
import { createHostCookies } from './host-cookies.ts';

/** Longer than a sign-in may take. */
const MARK_S = 30 * MINUTE_S;
const MARK = 'provider_sign_in';

const domainQuery = z.object({
  domain: z.string().trim().toLowerCase().max(EMAIL_MAX).optional(),
});
const startQuery = z.object({
  provider: z.coerce.number().int().positive(),
  next: z.string().max(4_000).optional(),
  email: z.string().max(EMAIL_MAX).optional(),
});
/** The size of a response with the groups of a large company. */
const SAML_MAX_BYTES = 256 * 1024;
const samlBody = z.object({ RelayState: z.string().min(1).max(200), SAMLResponse: z.string().min(1) });
const sitePath = z.object({ site: z.coerce.number().int().positive() });

const parametersOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URL(url, 'http://localhost').searchParams;
const queryOf = (request: FastifyRequest) => Object.fromEntries(parametersOf(request));

/** The person who was refused, for the audit log of the provider's site. */
export interface RefusedSignIn {
  siteId: number;
  providerId: number;
  provider: string;
  email: string | null;
  detail: string | null;
}

interface ProviderRouteOptions {
  db: Kysely<Tables>;
  auth: Auth;
  limits: Limits;
  /** The context of a site; undefined for an unknown one. */
  contextOf(siteId: number, request: FastifyRequest): Promise<SiteContext | undefined>;
  /** Records a sign-in in the audit log. */
  noteSignIn(ctx: SiteContext, person: Admitted, provider: ProviderRow): Promise<void>;
  noteRefusal(who: RefusedSignIn, reason: SignInRefusal, address: string): void;
}

/** The redirects to an identity provider and back. Both ends are opened by a browser, so every response is a page. */
export function registerProviderRoutes(server: FastifyInstance, options: ProviderRouteOptions): void {
  const { db, limits } = options;
  const calls = limits.of('provider sign-in');
  const isAdmitted = async (request: FastifyRequest): Promise<boolean> =>
    (await calls.take(addressKey(request.ip))).allowed;

  void server.register(
    async (door) => {
      door.addHook('onRequest', async (_request, reply) => {
        void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      });
      // Every visit of the sign-in page asks this, so it doesn't count as an attempt.
      door.get('/options', async (request, reply) => {
        const { domain } = checkedInput(domainQuery, queryOf(request));
        return sendData(reply, { providers: await offeredProviders(db, domain) });
      });
      // Providers post forms; every other address here is opened.
      door.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: SAML_MAX_BYTES },
        (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );
      door.post('/:site/saml', { bodyLimit: SAML_MAX_BYTES }, (request, reply) =>
        answer(options, request, reply, isAdmitted),
      );
      door.get('/:site/metadata', async (request, reply) => {
        const ctx = await options.contextOf(checkedInput(sitePath, request.params).site, request);
        if (!ctx) throw notFound('site');
        return reply.type('application/samlmetadata+xml; charset=utf-8').send(await samlMetadata(ctx));
      });
      door.get('/:site/start', (request, reply) => start(options, request, reply, isAdmitted));
      door.get('/:site/callback', (request, reply) => finish(options, request, reply, isAdmitted));
    },
    { prefix: SINGLE_SIGN_ON_PATH },
  );
}

/** Back to the sign-in page, which shows the reason. */
function refuse(
  { auth }: ProviderRouteOptions,
  reply: FastifyReply,
  reason: SignInRefusal,
  next: string,
): FastifyReply {
  const page = new URL('/app/sign-in', auth.address.url);
  page.searchParams.set('refused', reason);
  page.searchParams.set('next', next);
  return reply.redirect(page.pathname + page.search, 303);
}

type Admits = (request: FastifyRequest) => Promise<boolean>;

/** Logs why a sign-in was refused. A server's failure is logged as a failure. */
function reasonOf(request: FastifyRequest, error: unknown): SignInRefusal {
  if (!(error instanceof SignInRefused)) {
    request.log.error({ err: error }, 'a sign-in with an identity provider failed');
    return 'unavailable';
  }
  const { reason, detail } = error;
  request.log.warn({ address: request.ip, failure: `provider: ${reason}`, detail }, 'a sign-in failed');
  return reason;
}

async function start(
  options: ProviderRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  isAdmitted: Admits,
): Promise<FastifyReply> {
  const { site } = checkedInput(sitePath, request.params);
  const { provider, next, email } = checkedInput(startQuery, queryOf(request));
  const goOn = safeNext(next);
  if (!(await isAdmitted(request))) return refuse(options, reply, 'attempts', goOn);
  const cookies = createHostCookies(options.auth.address.startUrl);
  const browserMark = cookies.read(request, MARK) ?? randomBytes(32).toString('base64url');
  try {
    const ctx = await options.contextOf(site, request);
    if (!ctx) throw new SignInRefused('disabled');
    const url = await beginSignIn(ctx, { providerId: provider, browserMark, next: goOn, loginHint: email });
    setCookies(reply, [cookies.set(MARK, browserMark, MARK_S)]);
    return reply.redirect(url, 303);
  } catch (error) {
    return refuse(options, reply, reasonOf(request, error), goOn);
  }
}

/** A provider's response by SAML. The browser continues by a redirect, with which it sends its cookies again. */
async function answer(
  options: ProviderRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  isAdmitted: Admits,
): Promise<FastifyReply> {
  const { site } = checkedInput(sitePath, request.params);
  if (!(await isAdmitted(request))) return refuse(options, reply, 'attempts', safeNext(undefined));
  let next = safeNext(undefined);
  try {
    const { RelayState: state, SAMLResponse: samlResponse } = checkedInput(samlBody, request.body);
    const ctx = await options.contextOf(site, request);
    if (!ctx) throw new SignInRefused('expired');
    const { provider, refusal, ...answered } = await acceptAnswer(ctx, { state, samlResponse });
    next = answered.next;
    if (refusal) {
      noteRefused(options, request, { site, provider, refusal });
      throw refusal;
    }
    const callback = new URL(redirectUri(options.auth.address.url, site));
    callback.searchParams.set('state', state);
    return reply.redirect(callback.pathname + callback.search, 303);
  } catch (error) {
    return refuse(options, reply, reasonOf(request, error), next);
  }
}

function noteRefused(
  { noteRefusal }: ProviderRouteOptions,
  { ip }: FastifyRequest,
  { site, provider, refusal }: { site: number; provider: ProviderRow; refusal: SignInRefused },
): void {
  const { reason, email = null, detail = null } = refusal;
  noteRefusal({ siteId: site, providerId: provider.id, provider: provider.name, email, detail }, reason, ip);
}

async function finish(
  options: ProviderRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  isAdmitted: Admits,
): Promise<FastifyReply> {
  const { site } = checkedInput(sitePath, request.params);
  if (!(await isAdmitted(request))) return refuse(options, reply, 'attempts', safeNext(undefined));
  const browserMark = createHostCookies(options.auth.address.startUrl).read(request, MARK) ?? '';
  const parameters = parametersOf(request);
  let next = safeNext(undefined);
  try {
    const ctx = await options.contextOf(site, request);
    if (!ctx) throw new SignInRefused('expired');
    const { provider, result, ...finished } = await finishSignIn(ctx, { parameters, browserMark });
    next = finished.next;
    if (result instanceof SignInRefused) {
      noteRefused(options, request, { site, provider, refusal: result });
      throw result;
    }
    return await open(options, { request, reply, ctx }, { provider, person: result, next });
  } catch (error) {
    return refuse(options, reply, reasonOf(request, error), next);
  }
}

async function open(
  { auth, noteSignIn }: ProviderRouteOptions,
  { request, reply, ctx }: { request: FastifyRequest; reply: FastifyReply; ctx: SiteContext },
  { provider, person, next }: { provider: ProviderRow; person: Admitted; next: string },
): Promise<FastifyReply> {
  const opened = await auth.openProviderSession(
    { userId: person.userId, siteId: ctx.site.id, providerId: provider.id, asksCode: provider.asks_code },
    authHeaders(request, auth),
  );
  setCookies(reply, opened.cookies);
  if (opened.needsCode) return reply.redirect(`/app/sign-in?code=true&next=${encodeURIComponent(next)}`, 303);
  // The person is signed in: a failure to log it must not undo that.
  await noteSignIn(ctx, person, provider).catch((error) =>
    request.log.error({ err: toAppError(error) }, 'recording a sign-in failed'),
  );
  return reply.redirect(next, 303);
}
