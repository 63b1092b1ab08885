import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { PublicAddress } from '../../core/public-address.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether Foyer's own pages sent the request: from the base URL's origin or, with the same scheme, from the host
 * that the request was sent to. One server may be reached as `localhost` and as `127.0.0.1`, and another page can
 * forge neither header. A request without an `Origin` doesn't come from a browser; it passes if it has no cookie
 * and so no authority.
 */
export function isOwnOrigin(request: FastifyRequest, address: PublicAddress): boolean {
  const { origin, host, cookie } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return cookie === undefined && (site === undefined || site === 'same-origin');
  const sent = URL.parse(origin);
  if (!sent || sent.origin !== origin) return false;
  return [address.url, address.startUrl].some((own) => {
    const base = new URL(own);
    return sent.origin === base.origin || (sent.protocol === base.protocol && sent.host === host);
  });
}

/** A handshake always requires an `Origin`: browsers send one, and the cookie is sent automatically. */
export const isOwnHandshake = (request: FastifyRequest, address: PublicAddress): boolean =>
  request.headers.origin !== undefined && isOwnOrigin(request, address);

/** @throws AppError 403 for a write sent by another page */
export function checkOrigin(request: FastifyRequest, address: PublicAddress): void {
  if (SAFE_METHODS.has(request.method) || isOwnOrigin(request, address)) return;
  throw new AppError(
    'insufficient_scope',
    `This request didn’t come from a page of this server, whose address is ${address.url}.`,
    { reason: 'other_address', values: { name: address.url } },
  );
}

/**
 * A site that lists its origins accepts widget requests only from those pages, and from Foyer's own: the demo, the
 * help centre and the desk show the widget too.
 * @throws AppError 403
 */
export function checkPageOrigin(
  { allowedOrigins }: { allowedOrigins: readonly string[] },
  request: FastifyRequest,
  address: PublicAddress,
): void {
  const { origin } = request.headers;
  if (origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin)) return;
  if (isOwnOrigin(request, address)) return;
  throw new AppError('insufficient_scope', 'This site doesn’t accept requests from that origin.');
}
