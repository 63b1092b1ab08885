import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { isOwnOrigin } from '../sign-in/origin-check.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostnameOf = (host: string | undefined): string | undefined => {
  const parsed = host === undefined ? null : URL.parse(`http://${host}`);
  // Only a name and a port: `user@host` and `host/path` would be parsed too.
  return parsed && parsed.host !== '' && parsed.pathname === '/' && parsed.username === '' && !parsed.search
    ? parsed.hostname
    : undefined;
};

/**
 * Protects against DNS rebinding: a page whose name was made to resolve to this machine sends its own name as
 * `Host`. So only the base URL's name counts, and the loopback names, which no such page can have and which a proxy
 * on this machine passes on.
 */
function isOwnHost(request: FastifyRequest, address: PublicAddress): boolean {
  // Respects X-Forwarded-Host only as configured in FOYER_TRUST_PROXY.
  const hostname = hostnameOf(request.host);
  return hostname !== undefined && (LOOPBACK.has(hostname) || hostname === new URL(address.url).hostname);
}

/**
 * Checks whether a browser page may use MCP: our own, or one listed in FOYER_MCP_ORIGINS. Programs send no `Origin`
 * and pass.
 * @returns the origin to allow in the response, if any
 * @throws AppError 403
 */
export function checkMcpOrigin(
  request: FastifyRequest,
  { address, origins }: { address: PublicAddress; origins: readonly string[] },
): string | undefined {
  if (!isOwnHost(request, address)) {
    throw new AppError('insufficient_scope', 'The Host header doesn’t match this server’s address.');
  }
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  if (origins.includes(origin) || isOwnOrigin(request, address)) return origin;
  throw new AppError('insufficient_scope', 'This origin may not use MCP on this server.');
}
