import type { Plan } from '@foyer/protocol';
import type { TokenScope } from '@foyer/protocol/values/tokens/token-scopes';
import type { Logger } from 'pino';
import { type BoundedCache, createBoundedCache } from '../../base/bounded-cache.ts';
import { AppError } from '../../base/errors.ts';
import { hashSecret } from '../../base/secret-token.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { createAddressRanges } from '../../net/address-ranges.ts';
import { RAW_TOKEN } from './api-tokens.ts';
import { createTokenCounts, type TokenCounts } from './token-counts.ts';

/** How long a revoked token still works if the notice is lost. */
const KNOWN_TTL_MS = 10_000;
const KNOWN_MAX = 10_000;
/** Long enough to keep a repeating client away from the database. */
const UNKNOWN_TTL_MS = 1_000;
const UNKNOWN_MAX = 1_000;

interface KnownToken {
  siteId: number;
  plan: Plan;
  tokenId: number;
  canWrite: boolean;
  scopes: TokenScope[] | null;
  browserOrigins: string[] | null;
  expiresAt: Date | null;
  allowedAddresses: string[];
  /** Undefined: it works from any address. */
  isAllowedFrom: ((address: string) => boolean) | undefined;
  /** The number of requests that the database had counted when the token was looked up. */
  stored: number;
}

export interface TokenAuthenticator {
  /**
   * Counts the request, unless it throws.
   * @param address the caller's, as the server knows it
   * @returns undefined for an unknown or revoked token
   * @throws AppError 401 for an expired token, 403 for an address that the token isn't allowed from
   */
  authenticate(
    raw: string,
    address: string,
  ): Promise<{ site: Site; actor: Extract<Actor, { kind: 'token' }> } | undefined>;
  /** Call it on a notice of kind `tokens` or `site`: the next request looks the token up again. */
  forget(siteId?: number): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

async function findToken(db: Db, hash: Buffer): Promise<KnownToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('sites', 'sites.id', 'api_tokens.site_id')
    .select(['api_tokens.site_id', 'api_tokens.id', 'api_tokens.can_write', 'api_tokens.request_count'])
    .select(['sites.plan', 'api_tokens.browser_origins', 'api_tokens.scopes'])
    .select(['api_tokens.expires_at', 'api_tokens.allowed_addresses'])
    .where('api_tokens.token_hash', '=', hash)
    .where('api_tokens.revoked_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      siteId: row.site_id,
      plan: row.plan,
      tokenId: row.id,
      canWrite: row.can_write,
      scopes: row.scopes,
      browserOrigins: row.browser_origins,
      expiresAt: row.expires_at,
      allowedAddresses: row.allowed_addresses,
      isAllowedFrom:
        row.allowed_addresses.length > 0 ? createAddressRanges(row.allowed_addresses) : undefined,
      stored: row.request_count,
    }
  );
}

interface Options {
  db: Db;
  now: () => Date;
  log: Logger;
}

/** Checked with each request: a cached token expires on time, too. */
function assertUsable(token: KnownToken, address: string, { now, log }: Options): void {
  const { expiresAt, isAllowedFrom, siteId, tokenId } = token;
  if (expiresAt && expiresAt <= now())
    throw new AppError(
      'unauthorized',
      `This token expired at ${expiresAt.toISOString()}. An admin can extend it, or create another.`,
      { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    );
  if (!isAllowedFrom || isAllowedFrom(address)) return;
  log.warn({ site_id: siteId, token_id: tokenId, address }, 'a token was refused at an address');
  throw new AppError('insufficient_scope', `This token isn’t allowed from the address ${address}.`);
}

function actorOf(token: KnownToken, requestCount: number): Extract<Actor, { kind: 'token' }> {
  const { tokenId, canWrite, scopes, browserOrigins, expiresAt, allowedAddresses } = token;
  return {
    kind: 'token',
    tokenId,
    canWrite,
    requestCount,
    ...(scopes && { scopes }),
    ...(browserOrigins && { browser: { origins: browserOrigins } }),
    ...(expiresAt && { expiresAt }),
    ...(allowedAddresses.length > 0 && { allowedAddresses }),
  };
}

/** Identifies raw tokens without a statement per request: looked up once by hash, then cached for a short time. */
export function createTokenAuthenticator(options: Options): TokenAuthenticator {
  const counts = createTokenCounts(options);
  const tokens = new KnownTokens(options, counts);
  return {
    async authenticate(raw, address) {
      const token = await tokens.find(raw);
      if (!token) return undefined;
      assertUsable(token, address, options);
      // For browser tokens the address is a visitor's.
      const requestCount = counts.count(token, token.browserOrigins ? null : address);
      return { site: { id: token.siteId, plan: token.plan }, actor: actorOf(token, requestCount) };
    },
    forget: (siteId) => tokens.forget(siteId),
    flush: counts.flush,
    stop: counts.stop,
  };
}

/** The cache of tokens, including unknown ones. */
class KnownTokens {
  readonly #db: Db;
  readonly #counts: TokenCounts;
  readonly #known: BoundedCache<KnownToken>;
  readonly #unknown: BoundedCache<true>;
  readonly #underWay = new Map<string, Promise<KnownToken | undefined>>();
  /** Increases with each `forget`. */
  #generation = 0;

  constructor({ db, now }: Options, counts: TokenCounts) {
    this.#db = db;
    this.#counts = counts;
    this.#known = createBoundedCache({ max: KNOWN_MAX, ttlMs: KNOWN_TTL_MS, now });
    this.#unknown = createBoundedCache({ max: UNKNOWN_MAX, ttlMs: UNKNOWN_TTL_MS, now });
  }

  find(raw: string): KnownToken | undefined | Promise<KnownToken | undefined> {
    // Keyed by the token itself, which is in memory with each of its requests anyway: hashing each request would
    // cost more than everything after it. The database stores and compares only the hash.
    const token = this.#known.get(raw);
    if (token || !RAW_TOKEN.test(raw) || this.#unknown.get(raw)) return token;
    const waiting = this.#underWay.get(raw);
    if (waiting) return waiting;
    const looking = this.#lookUp(raw).finally(() => {
      if (this.#underWay.get(raw) === looking) this.#underWay.delete(raw);
    });
    this.#underWay.set(raw, looking);
    return looking;
  }

  forget(siteId: number | undefined): void {
    this.#generation += 1;
    this.#underWay.clear();
    this.#unknown.clear();
    if (siteId === undefined) this.#known.clear();
    else this.#known.deleteSite(siteId);
  }

  async #lookUp(raw: string): Promise<KnownToken | undefined> {
    const before = this.#generation;
    const learn = this.#counts.reading();
    const token = await findToken(this.#db, hashSecret(raw));
    if (token) learn(token.tokenId, token.stored);
    // A notice that arrived meanwhile may concern this token, so the result isn't cached.
    if (before !== this.#generation) return token;
    if (token) this.#known.set(raw, token, token.siteId);
    else this.#unknown.set(raw, true);
    return token;
  }
}
