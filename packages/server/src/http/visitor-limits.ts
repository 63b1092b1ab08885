import { AppError } from '../base/errors.ts';
import type { Admitted, Services } from '../core/context.ts';
import { type AttemptLimiter, createAttemptLimiter } from './rest/rate-limit.ts';

/**
 * What strangers may make a minute, for each address and for each site. An address may be a school, an office or a
 * mobile network's gateway, so the numbers are far above what people do behind one:
 *
 * - greetings: a browser without a record greets on each page. A thousand pupils who look at a page at once are still
 *   heard within two minutes, and a refused widget comes back by itself. Browsers with a record are not counted.
 * - visitors: a record is made by the first thing that a visitor says. A class or a call centre starts at most some dozens
 *   within a minute.
 * - chats: each may wait for a person, so sixty a minute from one address is more than a team could serve.
 * - trials: questions of an agent who tries the bot; each is a search, or a call of the language model.
 *
 * A site's own bound is ten times as high. It is there for floods from many addresses, which nothing else stops. Each
 * process counts for itself.
 */
const PER_MINUTE: Record<Admitted, number> = { greeting: 600, visitor: 120, chat: 60, trial: 60 };
const SITE_FACTOR = 10;
const WINDOW_MS = 60_000;

/**
 * What visitors at one address may send up in an hour, whether or not a message follows: fifty files of the default
 * 10 MiB. One address can fill the room of a site (`attachments/uploads`) only in hours.
 */
const UPLOAD_BYTES = 512 * 1024 ** 2;
const UPLOAD_WINDOW_MS = 3_600_000;

const MESSAGES: Record<Admitted, string> = {
  greeting: 'Too many new browsers from this network.',
  visitor: 'Too many new visitors from this network.',
  chat: 'Too many new chats from this network.',
  trial: 'Too many questions to the bot.',
};

function check(limiter: AttemptLimiter, key: string, message: string): void {
  const { allowed, retryAfterS } = limiter.take(key);
  if (allowed) return;
  throw new AppError('rate_limited', `${message} Try again in ${retryAfterS} s.`, {
    headers: { 'retry-after': String(retryAfterS) },
  });
}

/** The limits at the doors that take anybody who knows a site's public key. */
export function createVisitorLimits({
  now,
  perMinute = {},
}: {
  now: () => Date;
  perMinute?: Partial<Record<Admitted, number>> | undefined;
}): Services['admit'] {
  const bounds = { ...PER_MINUTE, ...perMinute };
  const limiters = (factor: number): Record<Admitted, AttemptLimiter> => {
    const limiter = (what: Admitted) =>
      createAttemptLimiter({ max: bounds[what] * factor, windowMs: WINDOW_MS, now });
    return {
      greeting: limiter('greeting'),
      visitor: limiter('visitor'),
      chat: limiter('chat'),
      trial: limiter('trial'),
    };
  };
  const ofAddress = limiters(1);
  const ofSite = limiters(SITE_FACTOR);
  return (siteId, caller, what) => {
    if (caller === undefined) return;
    // The address first: what it is refused must not use up the site's share.
    check(ofAddress[what], `${siteId}:${caller}`, MESSAGES[what]);
    check(ofSite[what], String(siteId), MESSAGES[what]);
  };
}

/** Bytes that visitors send up, by address. @returns false for too many. */
export function createUploadLimit({ now }: { now: () => Date }) {
  const limiter = createAttemptLimiter({ max: UPLOAD_BYTES, windowMs: UPLOAD_WINDOW_MS, now });
  return (caller: string, bytes: number): boolean => limiter.take(caller, bytes).allowed;
}
