import type { Plan } from '@foyer/protocol';
import type { Logger } from 'pino';
import { type BoundedCache, createBoundedCache } from '../../base/bounded-cache.ts';
import { hashSecret } from '../../base/secret-token.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { RAW_TOKEN } from './api-tokens.ts';
import { createTokenCounts, type TokenCounts } from './token-counts.ts';

/** How long a revoked token still works if the notice is lost. */
const KNOWN_TTL_MS = 10_000;
const KNOWN_MAX = 10_000;
/** Long enough to keep a client that repeats itself away from the database. */
const UNKNOWN_TTL_MS = 1_000;
const UNKNOWN_MAX = 1_000;

interface KnownToken {
  siteId: number;
  plan: Plan;
  tokenId: number;
  canWrite: boolean;
  browserOrigins: string[] | null;
  /** The number of requests that the database had counted when the token was looked up. */
  stored: number;
}

export interface TokenAuthenticator {
  /** Counts the request. @returns undefined for an unknown or revoked token */
  authenticate(raw: string): Promise<{ site: Site; actor: Extract<Actor, { kind: 'token' }> } | undefined>;
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
    .select(['sites.plan', 'api_tokens.browser_origins'])
    .where('api_tokens.token_hash', '=', hash)
    .where('api_tokens.revoked_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      siteId: row.site_id,
      plan: row.plan,
      tokenId: row.id,
      canWrite: row.can_write,
      browserOrigins: row.browser_origins,
      stored: row.request_count,
    }
  );
}

interface Options {
  db: Db;
  now: () => Date;
  log: Logger;
}

/** Identifies raw tokens without a statement per request: looked up once by hash, then cached for a short time. */
export function createTokenAuthenticator(options: Options): TokenAuthenticator {
  const counts = createTokenCounts(options);
  const tokens = new KnownTokens(options, counts);
  return {
    async authenticate(raw) {
      const token = await tokens.find(raw);
      if (!token) return undefined;
      const { siteId, plan, tokenId, canWrite, browserOrigins } = token;
      const requestCount = counts.count(token);
      const browser = browserOrigins && { browser: { origins: browserOrigins } };
      return {
        site: { id: siteId, plan },
        actor: { kind: 'token', tokenId, canWrite, requestCount, ...browser },
      };
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
