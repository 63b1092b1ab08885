import type { Admitted, Services } from '../core/context.ts';
import { admit } from '../limits/admit.ts';
import type { Limiter, Limits } from '../limits/limits.ts';

/**
 * What strangers may create per minute, per address and per site. An address may be a school, an office or a mobile
 * network's gateway, so the numbers are far above what people behind one do:
 * - greetings: a browser without a record connects on each page. A thousand pupils who open a page at once are
 * served within two minutes, because a refused widget retries. Browsers with a record aren't counted.
 * - visitors: the first thing a visitor says creates a record. A class or a call centre starts a few dozen per
 * minute at most.
 * - chats: each may wait for a person, so sixty per minute from one address is more than a team could serve.
 * - trials: questions of an agent in Try the bot; each is a search, or a call of the language model.
 * A site's limit is ten times as high. It is for floods from many addresses, which nothing else stops.
 */
const PER_MINUTE: Record<Admitted, number> = { greeting: 600, visitor: 120, chat: 60, trial: 60 };
const SITE_FACTOR = 10;
const WINDOW_MS = 60_000;

/**
 * What visitors at one address may upload per hour, whether or not a message follows: fifty files of the default 10
 * MiB. It takes one address hours to use up a site's space (`attachments/uploads`).
 */
const UPLOAD_BYTES = 512 * 1024 ** 2;
const UPLOAD_WINDOW_MS = 3_600_000;

const MESSAGES: Record<Admitted, string> = {
  greeting: 'Too many new browsers from this network.',
  visitor: 'Too many new visitors from this network.',
  chat: 'Too many new chats from this network.',
  trial: 'Too many questions to the bot.',
};

/** The limits of entry points open to anybody who knows a site's public key. */
export function createVisitorLimits(
  limits: Limits,
  perMinute: Partial<Record<Admitted, number>> = {},
): Services['admit'] {
  const bounds = { ...PER_MINUTE, ...perMinute };
  const limiters = (of: string, factor: number): Record<Admitted, Limiter> => {
    const limiter = (what: Admitted) =>
      limits.ofLoad({ name: `${what} ${of}`, max: bounds[what] * factor, windowMs: WINDOW_MS });
    return {
      greeting: limiter('greeting'),
      visitor: limiter('visitor'),
      chat: limiter('chat'),
      trial: limiter('trial'),
    };
  };
  const ofAddress = limiters('address', 1);
  const ofSite = limiters('site', SITE_FACTOR);
  return async (siteId, caller, what) => {
    if (caller === undefined) return;
    // The address first: requests refused there must not use up the site's limit.
    const refusal = {
      message: (retryAfterS: number) => `${MESSAGES[what]} Try again in ${retryAfterS} s.`,
    };
    await admit(ofAddress[what], `${siteId}:${caller}`, refusal);
    await admit(ofSite[what], String(siteId), refusal);
  };
}

/** Bytes that visitors upload, by address. @returns false for too many */
export function createUploadLimit(limits: Limits) {
  const limiter = limits.ofLoad({ name: 'upload bytes', max: UPLOAD_BYTES, windowMs: UPLOAD_WINDOW_MS });
  return async (caller: string, bytes: number): Promise<boolean> =>
    (await limiter.take(caller, bytes)).allowed;
}
