import { PLAN_LIMITS } from '@foyer/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { shareOfSite } from '../../base/loop/site-shares.ts';
import { neededScope } from '../../core/access/token-scopes.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site } from '../../core/context.ts';
import type { AnyOperation } from '../../core/operation.ts';
import type { RateLimiter } from '../../limits/limits.ts';
import { mayRun } from '../../registry.ts';

interface Caller {
  site: Site;
  actor: Extract<Actor, { kind: 'token' }>;
}

interface AdmissionOptions {
  /**
   * Also counts the request.
   * @returns undefined for an unknown or revoked token
   * @throws AppError 401 for an expired token, 403 for an address that it isn't allowed from
   */
  authenticate(rawToken: string, address: string): Promise<Caller | undefined>;
  limiter: RateLimiter;
  /** FOYER_QUERY_TOKEN */
  queryToken: boolean;
  /** FOYER_SITE_CPU_PERCENT, as a share; 0: no limit. */
  siteShareMax: number;
}

/**
 * Identifies the caller by an API token. The only place that checks tokens, counts requests and fills rate buckets, for
 * every entry point that accepts tokens.
 * @throws AppError 401, 403 for an address, then 429: a refused caller must not fill a bucket
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply, query: URLSearchParams) => Promise<Caller>;

function whyRefused(operation: AnyOperation, actor: Actor): string {
  const { browser, scopes } = actor.kind === 'token' ? actor : {};
  if (browser) return 'Browser tokens can only POST to visitors and track.';
  if (!scopes) return 'This token is read-only. Use a token with the scope write.';
  const needed = neededScope(operation);
  const has = `The token has ${scopes.join(', ')}.`;
  return needed
    ? `This needs the scope ${needed}. ${has}`
    : `A token limited to resources can’t do this. ${has}`;
}

/** @throws AppError 403 if the token's scopes don't allow the operation. */
export function checkScope(operation: AnyOperation, actor: Actor): void {
  if (mayRun(operation, actor)) return;
  throw new AppError('insufficient_scope', whyRefused(operation, actor));
}

/** @throws AppError 403 for a browser token on a page whose origin it doesn't list. */
export function checkPage({ browser }: Caller['actor'], origin: string | undefined): void {
  if (!browser || browser.origins.length === 0 || browser.origins.includes(origin ?? '')) return;
  throw new AppError('insufficient_scope', 'This browser token isn’t allowed on this origin.');
}

/** The headers that a page's script may read. */
export const EXPOSED_HEADERS =
  'X-Service-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';

/** The query as sent, repeated parameters included; empty without one. */
export const queryOf = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(request.url.split('?', 2)[1] ?? '');

/** The token of an `authorization` header; undefined for another scheme, or none. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];

function rawToken(request: FastifyRequest, query: URLSearchParams, queryToken: boolean): string | undefined {
  // The header wins if both are given.
  const header = request.headers.authorization;
  if (header !== undefined) return bearerToken(header);
  return queryToken ? (query.get('token') ?? undefined) : undefined;
}

/** Shares are counted over at least ten seconds. */
const SHARE_RETRY_S = 5;

/** Limits are per token and depend on the site's plan. Sets the `ratelimit-*` headers, also when it throws 429. */
export function createAdmission({
  authenticate,
  limiter,
  queryToken,
  siteShareMax,
}: AdmissionOptions): Admit {
  return async (request, reply, query) => {
    const raw = rawToken(request, query, queryToken);
    const caller = raw === undefined ? undefined : await authenticate(raw, request.ip);
    if (!caller) {
      throw new AppError('unauthorized', 'A valid API token is required: Authorization: Bearer <token>.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const bucket = await limiter.take(
      caller.site.id,
      caller.actor.tokenId,
      PLAN_LIMITS[caller.site.plan].requestsPerMinute,
    );
    void reply.headers({
      'ratelimit-limit': bucket.limit,
      'ratelimit-remaining': bucket.remaining,
      'ratelimit-reset': bucket.resetS,
    });
    if (!bucket.allowed) {
      throw new AppError(
        'rate_limited',
        `Rate limit of ${bucket.limit} requests per minute exceeded. Try again in ${bucket.resetS} s.`,
        { headers: { 'retry-after': String(bucket.resetS) } },
      );
    }
    if (siteShareMax > 0 && shareOfSite(caller.site.id) > siteShareMax) {
      throw new AppError(
        'rate_limited',
        `This site takes more than its share of the server. Try again in ${SHARE_RETRY_S} s.`,
        { headers: { 'retry-after': String(SHARE_RETRY_S) } },
      );
    }
    return caller;
  };
}
