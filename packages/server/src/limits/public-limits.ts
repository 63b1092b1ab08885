import { HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';

/** One row of the table of limits. */
export interface PublicLimit {
  /** What is counted, in the words of the docs. */
  readonly what: string;
  /** Whose actions count together. An address is an IPv4 address or an IPv6 /64. */
  readonly per:
    | 'address'
    | 'address and site'
    | 'site'
    | 'visitor'
    | 'link'
    | 'account'
    | 'agent'
    | 'article'
    | 'identity provider';
  readonly max: number;
  readonly windowMs: number;
  /**
   * `load`: exact over all processes with Redis, else counted in each. `guesses`: always exact. `process`: counted in
   * each process, because a round trip would cost more than the counted work.
   */
  readonly kind: 'load' | 'guesses' | 'process';
}

const limit = (
  kind: PublicLimit['kind'],
  what: string,
  per: PublicLimit['per'],
  max: number,
  windowMs = MINUTE_MS,
): PublicLimit => ({ what, per, max, windowMs, kind });

/** A site's limit is this many times an address's. It stops distributed floods, which nothing else does. */
export const OF_SITE = 10;

/** From this share of a limit, browsers that can solve a challenge must solve one. */
export const CHALLENGED_FROM = 0.5;

/**
 * Every limit of an entry point that needs no sign-in. An address may be a school, an office or a mobile network's
 * gateway, so the numbers are far above what the people behind one do.
 */
export const PUBLIC_LIMITS = {
  // A browser without a record connects on each page. A thousand pupils who open a page at once are served within
  // two minutes, because a refused widget retries. Browsers with a record aren't counted.
  'greeting address': limit('load', 'handshakes of new browsers', 'address and site', 600),
  'greeting site': limit('load', 'handshakes of new browsers', 'site', 600 * OF_SITE),
  // A visitor's first message creates a record. A class or a call centre starts a few dozen per minute at most.
  'visitor address': limit('load', 'new visitors', 'address and site', 120),
  'visitor site': limit('load', 'new visitors', 'site', 120 * OF_SITE),
  // Each may wait for a person, so sixty from one address is more than a team could serve.
  'chat address': limit('load', 'new chats', 'address and site', 60),
  'chat site': limit('load', 'new chats', 'site', 60 * OF_SITE),
  // Each costs its browser about a quarter of a second of computing, or more.
  'solved address': limit('load', 'solved challenges', 'address and site', 600),
  'solved site': limit('load', 'solved challenges', 'site', 600 * OF_SITE),
  // Nobody types four messages a second for a minute.
  'message visitor': limit('process', 'messages', 'visitor', 240),
  'message address': limit('process', 'messages', 'address and site', 6_000),
  'message site': limit('process', 'messages', 'site', 6_000 * OF_SITE),
  // Each question of Try the bot is a search, or a call of the language model.
  'trial address': limit('load', 'questions in Try the bot', 'agent', 60),
  'trial site': limit('load', 'questions in Try the bot', 'site', 60 * OF_SITE),
  uploads: limit('load', 'uploads', 'address', 120),
  'upload site': limit('load', 'uploads of visitors', 'site', 120 * OF_SITE),
  // Fifty files of the default 10 MiB. It takes one address hours to use up a site's space (`attachments/uploads`).
  'upload bytes': limit('load', 'bytes that visitors upload', 'address', 512 * 1024 ** 2, HOUR_MS),
  // A page sends one request for a burst of events; a shared office has many pages.
  collect: limit('load', 'requests to `collect`', 'address', 600),
  'collect site': limit('load', 'requests to `collect`', 'site', 600 * OF_SITE),
  // A page reports once a minute and when it changes.
  'page reports': limit('load', 'reports of open pages', 'address and site', 600),
  'help pages': limit('load', 'pages of help centres', 'address', 600),
  'help searches': limit('load', 'searches in help centres', 'address', 120),
  'help search site': limit('load', 'searches in a help centre', 'site', 120 * OF_SITE),
  'help votes': limit('load', 'votes on articles', 'address', 10),
  // Readers vote on the pages they came for; more in a minute is somebody who manipulates a rating.
  'help votes site': limit('load', 'votes on articles', 'site', 10 * OF_SITE),
  // Browsers without a cookie can't be distinguished.
  'article votes': limit('load', 'votes without a cookie', 'article', 5, HOUR_MS),
  'portal address': limit('guesses', 'pages and files of the portal', 'address', 240),
  'portal link': limit('load', 'pages and files of the portal', 'link', 240),
  'portal answers link': limit('load', 'answers through the portal', 'link', 10),
  'portal answers address': limit('load', 'answers through the portal', 'address', 30),
  'portal answers site': limit('load', 'answers through the portal', 'site', 30 * OF_SITE),
  'sign-in address': limit('guesses', 'sign-ins', 'address', 10),
  'sign-in person': limit('guesses', 'passwords and codes asked of a signed-in person', 'account', 10),
  // Guessing from many addresses. High, so that it is hard to lock somebody out.
  'sign-in account': limit('guesses', 'failed sign-ins from unknown browsers', 'account', 100, HOUR_MS),
  // Every visit of the sign-in page asks for one, and again every few minutes.
  'passkey challenges': limit('load', 'challenges for passkeys', 'address', 120),
  // Each step of a sign-in is one; a team may share an address.
  'provider sign-in': limit('guesses', 'steps of a single sign-on', 'address', 60),
  'password calls': limit('guesses', 'requests about forgotten passwords', 'address', 20),
  // Enough for a team behind one address, too few to send mail to many strangers.
  'password links address': limit('guesses', 'password links', 'address', 20, HOUR_MS),
  // Enough for a person who looks in the wrong folder first, too few to fill an inbox.
  'password links account': limit('guesses', 'password links', 'account', 5, HOUR_MS),
  setup: limit('guesses', 'requests to the setup and to invitations', 'address', 20),
  'mail off': limit('guesses', 'links that turn off notification emails', 'address', 30),
  // Microsoft sends at most 25 a second for a provider in a first synchronisation.
  scim: limit('load', 'SCIM requests', 'identity provider', 1_500),
  'smtp mails': limit('load', 'emails to the built-in mail server', 'address', 600),
  // More unknown recipients than a sender mistypes: somebody guesses addresses.
  'smtp unknown recipients': limit('load', 'unknown recipients', 'address', 100, HOUR_MS),
} as const satisfies Record<string, PublicLimit>;

export type PublicLimitName = keyof typeof PUBLIC_LIMITS;
