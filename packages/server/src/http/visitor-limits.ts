import type { Challenges } from '@foyer/protocol';
import { AppError } from '../base/errors.ts';
import type { Admitted, Services } from '../core/context.ts';
import { admit } from '../limits/admit.ts';
import type { Limiter, Limits } from '../limits/limits.ts';
import { CHALLENGED_FROM, OF_SITE, PUBLIC_LIMITS } from '../limits/public-limits.ts';

const MESSAGES: Record<Admitted, string> = {
  greeting: 'Too many new browsers from this network.',
  visitor: 'Too many new visitors from this network.',
  chat: 'Too many new chats from this network.',
  message: 'Too many messages.',
  trial: 'Too many questions to the bot.',
};

const KINDS = Object.keys(MESSAGES) as Admitted[];

/** The limits of what strangers create. Whether a challenge is always required: a greeting stores nothing. */
const CHALLENGED: Partial<Record<Admitted, { always: boolean }>> = {
  greeting: { always: false },
  visitor: { always: true },
  chat: { always: true },
};

interface VisitorLimitsOptions {
  /** When browsers of this site must solve a challenge. */
  challengesOf(siteId: number): Promise<Challenges>;
  /** Replaces the limits of an address, for tests; those of a site are ten times as high. */
  perMinute?: Partial<Record<Admitted, number>> | undefined;
}

/**
 * The limits of entry points open to anybody who knows a site's public key. A browser that can solve challenges must
 * solve one before a limit is reached; its actions are then counted separately, so a flood doesn't lock out those who
 * solve them.
 */
export function createVisitorLimits(
  limits: Limits,
  { challengesOf, perMinute = {} }: VisitorLimitsOptions,
): Services['admit'] {
  const limiters = (of: 'address' | 'site', factor: number) =>
    new Map<Admitted, Limiter>(
      KINDS.map((what) => {
        const max = perMinute[what];
        const name = `${what} ${of}` as const;
        return [what, limits.of(name, max === undefined ? PUBLIC_LIMITS[name].max : max * factor)];
      }),
    );
  const ofAddress = limiters('address', 1);
  const ofSite = limiters('site', OF_SITE);
  const ofVisitor = limits.of('message visitor');
  const solvedOfAddress = limits.of('solved address');
  const solvedOfSite = limits.of('solved site');
  return async ({ site, caller, proof }, what, visitor) => {
    if (caller === undefined) return;
    const message = (retryAfterS: number) => `${MESSAGES[what]} Try again in ${retryAfterS} s.`;
    const challenged = CHALLENGED[what];
    const mode = challenged ? await challengesOf(site.id) : 'off';
    const isAble = mode !== 'off' && proof !== 'none';
    if (challenged?.always && mode === 'always' && proof !== 'given')
      throw new AppError('rate_limited', message(60), {
        isSolvable: isAble,
        headers: { 'retry-after': '60' },
      });
    const take = async (limiter: Limiter | undefined, key: string): Promise<void> => {
      const challengedFrom = isAble && proof === 'possible' ? CHALLENGED_FROM : undefined;
      if (limiter) await admit(limiter, key, { message, challengedFrom });
    };
    const hasSolved = isAble && proof === 'given';
    // The narrowest first: a refused call must not use up the site's limit.
    if (visitor !== undefined) await take(ofVisitor, `${site.id}:${visitor}`);
    await take(hasSolved ? solvedOfAddress : ofAddress.get(what), `${site.id}:${caller}`);
    await take(hasSolved ? solvedOfSite : ofSite.get(what), String(site.id));
  };
}
