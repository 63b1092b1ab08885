import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SiteContext } from '../../core/context.ts';
import { isAmong } from '../../core/vault.ts';

const COOKIE = 'foyer_reader';
const KEPT_S = 365 * 24 * 3600;
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{22})\\.([A-Za-z0-9_-]{43})(?:;|$)`);

const purposeOf = (voter: string): string => `article voter ${voter}`;

/** The browser that voted before; undefined without a cookie of ours. A forged one would be a new voter each time. */
export function findVoter({ services }: SiteContext, request: FastifyRequest): string | undefined {
  const [, voter = '', token = ''] = VALUE.exec(request.headers.cookie ?? '') ?? [];
  return isAmong(token, services.derivedToken.all(purposeOf(voter))) ? voter : undefined;
}

/** A browser that hasn't voted yet. */
export const newVoter = (): string => randomBytes(16).toString('base64url');

/** The cookie that identifies the browser from now on. */
export function voterCookie({ services }: SiteContext, voter: string): string {
  const secure = services.address.url.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${voter}.${services.derivedToken(purposeOf(voter))}; Path=/help/; Max-Age=${KEPT_S}; HttpOnly; SameSite=Lax${secure}`;
}
