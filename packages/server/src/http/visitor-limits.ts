import type { Admitted, Services } from '../core/context.ts';
import { admit } from '../limits/admit.ts';
import type { Limiter, Limits } from '../limits/limits.ts';
import { OF_SITE, PUBLIC_LIMITS } from '../limits/public-limits.ts';

const MESSAGES: Record<Admitted, string> = {
  greeting: 'Too many new browsers from this network.',
  visitor: 'Too many new visitors from this network.',
  chat: 'Too many new chats from this network.',
  message: 'Too many messages.',
  trial: 'Too many questions to the bot.',
};

const KINDS = Object.keys(MESSAGES) as Admitted[];

/**
 * The limits of entry points open to anybody who knows a site's public key.
 * @param perMinute replaces what an address may, for tests; a site may ten times as much
 */
export function createVisitorLimits(
  limits: Limits,
  perMinute: Partial<Record<Admitted, number>> = {},
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
  return async (siteId, caller, what, visitor) => {
    if (caller === undefined) return;
    const refusal = {
      message: (retryAfterS: number) => `${MESSAGES[what]} Try again in ${retryAfterS} s.`,
    };
    const take = async (limiter: Limiter | undefined, key: string): Promise<void> => {
      if (limiter) await admit(limiter, key, refusal);
    };
    // The narrowest first: what is refused there must not use up the site's limit.
    if (visitor !== undefined) await take(ofVisitor, `${siteId}:${visitor}`);
    await take(ofAddress.get(what), `${siteId}:${caller}`);
    await take(ofSite.get(what), String(siteId));
  };
}
