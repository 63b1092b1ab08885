import { createHmac, randomBytes } from 'node:crypto';
import type { LiveAnswer } from '@foyer/protocol';
import type { FastifyRequest } from 'fastify';
import type { Site } from '../core/context.ts';
import { addressKey } from '../limits/address-key.ts';
import { admit } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { readBeat } from '../visitors/live/beat.ts';
import type { LiveBoard } from '../visitors/live/board.ts';

/**
 * While a desk shows the live visitors, their pages report this often, so that an agent's message doesn't wait
 * long.
 */
const WATCHED_AGAIN_S = 15;

/** Passes the reports of open pages to the board. @throws AppError 400, 429 */
export function createLiveReports(
  board: LiveBoard,
  limits: Limits,
): (site: Site, request: FastifyRequest) => Promise<Omit<LiveAnswer, 'live'>> {
  const limiter = limits.of('page reports');
  // Keyed hashing: the address can't be computed from the stored value, and the key is lost with the process.
  const secret = randomBytes(32);
  const browserOf = (address: string, userAgent = ''): string =>
    createHmac('sha256', secret).update(`${address}\n${userAgent}`).digest('base64url').slice(0, 16);
  return async (site, { ip, headers, body }) => {
    const address = addressKey(ip);
    await admit(limiter, `${site.id}:${address}`, { message: () => 'Too many requests from this address.' });
    const userAgent = headers['user-agent'];
    const report = readBeat(body, userAgent);
    if (!report) return {};
    const { beat, left } = report;
    if (left) board.leave(site.id, beat.tab);
    else board.beat(site.id, beat, browserOf(address, userAgent));
    return {
      ...(board.isCalled(site.id, beat.key) ? { call: true } : {}),
      ...(board.isLookedAt(site.id) ? { again_s: WATCHED_AGAIN_S } : {}),
    };
  };
}
