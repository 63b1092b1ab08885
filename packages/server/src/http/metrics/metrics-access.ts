import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../base/errors.ts';
import { hashSecret } from '../../base/secret-token.ts';

/** Loopback and the networks of a home, an office or a cluster. */
const INSIDE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

const isInside = (address: string): boolean =>
  ipaddr.isValid(address) && INSIDE.has(ipaddr.process(address).range());

/** A proxy that isn't in FOYER_TRUST_PROXY hides the client: it may be in the server's network, and the client not. */
const isHidden = ({ headers, ip, socket }: FastifyRequest): boolean =>
  (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) &&
  ip === socket.remoteAddress;

/**
 * Decides who may read `/metrics`: with a token, its bearers from everywhere; without one, private networks.
 * @param token FOYER_METRICS_TOKEN
 * @returns a function that throws AppError 401 or 403 for everybody else
 */
export function createMetricsAccess(token: string | undefined): (request: FastifyRequest) => void {
  const expected = token === undefined ? undefined : hashSecret(token);
  return (request) => {
    if (expected) {
      const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if (timingSafeEqual(hashSecret(given), expected)) return;
      throw new AppError('unauthorized', 'Metrics need FOYER_METRICS_TOKEN: Authorization: Bearer <token>.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    if (isInside(request.ip) && !isHidden(request)) return;
    throw new AppError(
      'insufficient_scope',
      'Without FOYER_METRICS_TOKEN, metrics are served only to private networks.',
    );
  };
}
