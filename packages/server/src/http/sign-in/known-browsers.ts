import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../../core/context.ts';
import { isAmong } from '../../core/vault.ts';
import { createHostCookies } from './host-cookies.ts';

/** The maximum lifetime of a cookie in browsers. */
const KEEP_S = 400 * 86_400;
const RANDOM_BYTES = 16;

/** Remembers which browsers have signed in to an account, with a signed cookie per account. */
interface KnownBrowsers {
  /** The id of a browser that has signed in to this account before; undefined for any other, or a forged cookie. */
  find(request: FastifyRequest, email: string): string | undefined;
  /** The `set-cookie` value for a browser that has just signed in. */
  cookieFor(email: string): string;
}

/** The cookies of one server, see `KnownBrowsers`. */
export function createKnownBrowsers(baseUrl: string, derive: Services['derivedToken']): KnownBrowsers {
  const cookies = createHostCookies(baseUrl);
  const nameOf = (email: string): string =>
    `known_${createHash('sha256').update(email).digest('hex').slice(0, 16)}`;
  const purposeOf = (email: string, random: string): string => `known browser ${random} ${email}`;
  return {
    find(request, email) {
      const [random = '', given = ''] = cookies.read(request, nameOf(email))?.split('.') ?? [];
      return isAmong(given, derive.all(purposeOf(email, random))) ? random : undefined;
    },
    cookieFor(email) {
      const random = randomBytes(RANDOM_BYTES).toString('base64url');
      return cookies.set(nameOf(email), `${random}.${derive(purposeOf(email, random))}`, KEEP_S);
    },
  };
}
