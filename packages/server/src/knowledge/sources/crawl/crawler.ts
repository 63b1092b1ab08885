import { setTimeout as delay } from 'node:timers/promises';
import type { SourceProblem } from '@foyer/protocol';
import { isSameSite, pageUrl } from './addresses.ts';
import { type Answer, ExchangeFailed, exchange } from './exchange.ts';
import { isNotForIndex, PRODUCT } from './not-for-index.ts';
import { createRobots } from './robots.ts';

/** The result of reading a page. */
export type Fetched =
  | {
      readonly kind: 'content';
      /** Its address, after redirects. */
      readonly url: string;
      readonly content: Buffer;
      readonly contentType: string;
      readonly etag: string | null;
      readonly lastModified: string | null;
    }
  /** As it was when `etag` or `lastModified` were received. */
  | { readonly kind: 'unchanged' }
  /** Nothing can be read at this address. */
  | { readonly kind: 'gone'; readonly problem: SourceProblem }
  /** It couldn't be read now, for a possibly temporary reason. */
  | { readonly kind: 'failed'; readonly problem: SourceProblem };

interface GetOptions {
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  readonly maxBytes: number;
}

/** Reads pages of other sites as robots should: only what robots.txt allows, one request at a time for each host. */
export interface Crawler {
  /** Follows redirects within the site. Never throws. */
  get(url: string, options: GetOptions): Promise<Fetched>;
}

interface Options {
  /** Through the address guard, without redirects. */
  readonly fetch: typeof fetch;
  /** The address of this installation: for owners of pages who wonder who reads them. */
  readonly home: () => string;
  readonly now: () => Date;
  /** Between two requests to one host; default 1 s. A Crawl-delay of robots.txt of up to 10 s makes it longer. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 1_000;
const REDIRECTS_MAX = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** Temporary problems: the text that was read before is kept. */
const TEMPORARY: readonly SourceProblem[] = ['unreachable', 'too_slow', 'server_error'];

/** Whether a problem may be temporary. */
export const isTemporary = (problem: SourceProblem | null): boolean =>
  problem !== null && TEMPORARY.includes(problem);

/**
 * A crawler for all sources of a process. Requests to one host run one after another, those to different hosts at once.
 */
export function createCrawler({ fetch, home, now, pauseMs = PAUSE_MS }: Options): Crawler {
  const inTurn = createTurns();
  const userAgent = (): string => `Mozilla/5.0 (compatible; ${PRODUCT}/1.0; +${home()})`;
  const send = (
    url: URL,
    headers: Record<string, string>,
    maxBytes: number,
    pause: number,
  ): Promise<Answer> =>
    inTurn(url.host, pause, () =>
      exchange(fetch, url, { headers: { 'user-agent': userAgent(), accept: '*/*', ...headers }, maxBytes }),
    );
  const robots = createRobots({ now, get: (url, maxBytes) => send(url, {}, maxBytes, pauseMs) });

  const follow = async (first: URL, { etag, lastModified, maxBytes }: GetOptions): Promise<Fetched> => {
    const headers = {
      ...(etag ? { 'if-none-match': etag } : {}),
      ...(lastModified ? { 'if-modified-since': lastModified } : {}),
    };
    let url = first;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const { isAllowed, delayMs } = await robots.rulesFor(url);
      if (!isAllowed) return { kind: 'gone', problem: 'robots' };
      const answer = await send(url, headers, maxBytes, Math.max(pauseMs, delayMs));
      if (!REDIRECTS.includes(answer.status)) return fetchedOf(url, answer);
      const next = pageUrl(answer.headers.get('location') ?? '', url.href);
      if (!next || !isSameSite(first, next)) return { kind: 'gone', problem: 'elsewhere' };
      url = next;
    }
    return { kind: 'gone', problem: 'elsewhere' };
  };

  return {
    async get(address, options) {
      const url = pageUrl(address);
      if (!url) return { kind: 'gone', problem: 'not_found' };
      try {
        return await follow(url, options);
      } catch (error) {
        if (!(error instanceof ExchangeFailed)) throw error;
        const { problem } = error;
        return { kind: isTemporary(problem) ? 'failed' : 'gone', problem };
      }
    },
  };
}

function fetchedOf(url: URL, { status, headers, content }: Answer): Fetched {
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'gone', problem: 'not_found' };
  if (status !== 200) return { kind: 'failed', problem: 'server_error' };
  if (isNotForIndex(headers.get('x-robots-tag'))) return { kind: 'gone', problem: 'noindex' };
  return {
    kind: 'content',
    url: url.href,
    content,
    contentType: headers.get('content-type') ?? '',
    etag: headers.get('etag'),
    lastModified: headers.get('last-modified'),
  };
}

/** One call at a time for each host, with a pause after each. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(host: string, pauseMs: number, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(host) ?? Promise.resolve()).then(work);
    const pause = () => delay(pauseMs, undefined, { ref: false });
    const rested = turn.then(pause, pause).then(() => {
      if (last.get(host) === rested) last.delete(host);
    });
    last.set(host, rested);
    return turn;
  };
}

declare module '../../../core/context.ts' {
  interface Services {
    /** Reads pages of other sites for the bot's knowledge. */
    readonly crawler: Crawler;
  }
}
