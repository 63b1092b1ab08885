import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request was sent by our own pages (decisions 9). Our own are the base URL's origin and, with the same
 * scheme, the host that the request was sent to: one server is reached as `localhost` and as `127.0.0.1`, and a page
 * elsewhere can forge neither header. Without an `Origin` it is no browser's write; it passes if it brings no cookie
 * along, and with it no authority.
 */
export function isOwnOrigin(request: FastifyRequest, baseUrl: string): boolean {
  const { origin, host, cookie } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return cookie === undefined && (site === undefined || site === 'same-origin');
  const base = new URL(baseUrl);
  const sent = URL.parse(origin);
  if (!sent || sent.origin !== origin) return false;
  return sent.origin === base.origin || (sent.protocol === base.protocol && sent.host === host);
}

/** A handshake always needs an `Origin`: a browser sends one, and the cookie comes along by itself. */
export const isOwnHandshake = (request: FastifyRequest, baseUrl: string): boolean =>
  request.headers.origin !== undefined && isOwnOrigin(request, baseUrl);

/** @throws AppError 403 for a write that another page sent. */
export function checkOrigin(request: FastifyRequest, baseUrl: string): void {
  if (SAFE_METHODS.has(request.method) || isOwnOrigin(request, baseUrl)) return;
  throw new AppError('insufficient_scope', 'This request was not sent by a page of this server.');
}
