import type { Plan } from '@foyer/protocol';
import type { Logger } from 'pino';
import type { Actor, Site } from '../context.ts';
import type { Db } from '../db/database.ts';
import { RAW_TOKEN } from './api-tokens.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { hashSecret } from './secret-token.ts';
import { createTokenCounts } from './token-counts.ts';

/** The net behind the notices: a revocation that this process did not hear of counts after this long. */
const KNOWN_TTL_MS = 10_000;
const KNOWN_MAX = 10_000;
/** Long enough to spare the database a client that repeats itself. */
const UNKNOWN_TTL_MS = 1_000;
const UNKNOWN_MAX = 1_000;

interface KnownToken {
  siteId: number;
  plan: Plan;
  tokenId: number;
  canWrite: boolean;
  browserOrigins: string[] | null;
  /** The requests that the database knew of when the token was looked up. */
  stored: number;
}

export interface TokenAuthenticator {
  /** Counts the request. @returns undefined for a token that is unknown or revoked. */
  authenticate(raw: string): Promise<{ site: Site; actor: Extract<Actor, { kind: 'token' }> } | undefined>;
  /** On a notice of kind `tokens` or `site`: the next request looks again. */
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

/** Who a raw token is, without a statement per request: looked up once by its hash, then kept for a short time. */
export function createTokenAuthenticator(options: {
  db: Db;
  now: () => Date;
  log: Logger;
}): TokenAuthenticator {
  const { db, now } = options;
  const counts = createTokenCounts(options);
  const known = createBoundedCache<KnownToken>({ max: KNOWN_MAX, ttlMs: KNOWN_TTL_MS, now });
  const unknown = createBoundedCache<true>({ max: UNKNOWN_MAX, ttlMs: UNKNOWN_TTL_MS, now });
  const underWay = new Map<string, Promise<KnownToken | undefined>>();
  let forgotten = 0;

  const lookUp = async (raw: string): Promise<KnownToken | undefined> => {
    const before = forgotten;
    const learn = counts.reading();
    const token = await findToken(db, hashSecret(raw));
    if (token) learn(token.tokenId, token.stored);
    // A notice that came meanwhile may be about this very token: what was read is not kept.
    if (before !== forgotten) return token;
    if (token) known.set(raw, token);
    else unknown.set(raw, true);
    return token;
  };

  const find = (raw: string): KnownToken | undefined | Promise<KnownToken | undefined> => {
    // By the token itself, which is in memory with each of its requests anyway: a hash a request costs more than all that
    // follows. What is stored and compared is the hash alone.
    const token = known.get(raw);
    if (token || !RAW_TOKEN.test(raw) || unknown.get(raw)) return token;
    const waiting = underWay.get(raw);
    if (waiting) return waiting;
    const looking = lookUp(raw).finally(() => {
      if (underWay.get(raw) === looking) underWay.delete(raw);
    });
    underWay.set(raw, looking);
    return looking;
  };

  return {
    async authenticate(raw) {
      const token = await find(raw);
      if (!token) return undefined;
      const { siteId, plan, tokenId, canWrite, browserOrigins } = token;
      const requestCount = counts.count(token);
      const browser = browserOrigins && { browser: { origins: browserOrigins } };
      return {
        site: { id: siteId, plan },
        actor: { kind: 'token', tokenId, canWrite, requestCount, ...browser },
      };
    },
    forget(siteId) {
      forgotten += 1;
      underWay.clear();
      unknown.clear();
      if (siteId === undefined) known.clear();
      else known.deleteWhere((token) => token.siteId === siteId);
    },
    flush: counts.flush,
    stop: counts.stop,
  };
}
