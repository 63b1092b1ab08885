import robots from 'robots-parser';
import { createBoundedCache } from '../../../base/bounded-cache.ts';
import { pageUrl } from './addresses.ts';
import { type Answer, ExchangeFailed } from './exchange.ts';
import { PRODUCT } from './not-for-index.ts';

/** The limit of RFC 9309: more need not be read. */
const MAX_BYTES = 512 * 1024;
const REDIRECTS_MAX = 5;
const KEPT_MS = 3_600_000;
const ORIGINS_MAX = 500;
const DELAY_MAX_MS = 10_000;

/** The package exports the function itself, which its types don't say. */
const robotsParser = robots as unknown as typeof robots.default;

type Robots = ReturnType<typeof robotsParser>;

interface Rules {
  readonly isAllowed: boolean;
  /** The delay that the site wants between two requests, at most 10 s. */
  readonly delayMs: number;
}

interface Options {
  readonly now: () => Date;
  get(url: URL, maxBytes: number): Promise<Answer>;
}

/**
 * The rules of each origin's robots.txt, kept for an hour. A site without one allows everything.
 * @throws ExchangeFailed from `rulesFor`, if the file can't be read for a reason that may pass: then nothing is read
 */
export function createRobots({ now, get }: Options) {
  const known = createBoundedCache<Robots>({ max: ORIGINS_MAX, ttlMs: KEPT_MS, now });

  const read = async (origin: string): Promise<Robots> => {
    const first = new URL('/robots.txt', origin);
    let url = first;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const { status, headers, content } = await get(url, MAX_BYTES);
      if (status === 200) return robotsParser(first.href, content.toString('utf8'));
      if (status >= 500 || status === 429) throw new ExchangeFailed('server_error');
      const next =
        status >= 300 && status < 400 ? pageUrl(headers.get('location') ?? '', url.href) : undefined;
      if (!next) break;
      url = next;
    }
    return robotsParser(first.href, '');
  };

  return {
    async rulesFor(url: URL): Promise<Rules> {
      const rules = known.get(url.origin) ?? (await read(url.origin));
      known.set(url.origin, rules);
      const delayMs = (rules.getCrawlDelay(PRODUCT) ?? 0) * 1_000;
      return {
        isAllowed: rules.isAllowed(url.href, PRODUCT) ?? true,
        delayMs: Math.min(Number.isFinite(delayMs) ? delayMs : 0, DELAY_MAX_MS),
      };
    },
  };
}
