import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../../core/context.ts';

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

/** With https the cookies have the `__Host-` prefix, which browsers refuse on http. */
export function createKnownBrowsers(baseUrl: string, derive: Services['derivedToken']): KnownBrowsers {
  const isHttps = baseUrl.startsWith('https:');
  const prefix = isHttps ? '__Host-foyer' : 'foyer';
  const nameOf = (email: string): string =>
    `${prefix}.known_${createHash('sha256').update(email).digest('hex').slice(0, 16)}`;
  const markOf = (email: string, random: string): string => derive(`known browser ${random} ${email}`);
  return {
    find({ headers }, email) {
      const name = `${nameOf(email)}=`;
      const cookie = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(name));
      const [random = '', given = ''] = cookie?.slice(name.length).split('.') ?? [];
      const expected = Buffer.from(markOf(email, random));
      const mark = Buffer.from(given);
      return mark.length === expected.length && timingSafeEqual(mark, expected) ? random : undefined;
    },
    cookieFor(email) {
      const random = randomBytes(RANDOM_BYTES).toString('base64url');
      const flags = [
        'Path=/',
        `Max-Age=${KEEP_S}`,
        'HttpOnly',
        'SameSite=Lax',
        ...(isHttps ? ['Secure'] : []),
      ];
      return [`${nameOf(email)}=${random}.${markOf(email, random)}`, ...flags].join('; ');
    },
  };
}
