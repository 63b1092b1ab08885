import { liveBeat } from '@foyer/protocol';
import { invalidInput, issuesOf } from '../../base/errors.ts';
import { countryOfTimeZone } from './country.ts';

const ADDRESS_MAX = 500;
/** Lists show a title on one line. */
const TITLE_MAX = 300;
const USER_AGENT_MAX = 300;

/** What a page reports about itself while it is open. */
export interface Beat {
  /** Random id of the open page, which only the page stores. */
  tab: string;
  /** The visitor's key. Not proven. */
  key: string;
  url: string;
  title: string | null;
  referrer: string | null;
  country: string | null;
  userAgent: string | null;
}

/** An address without its possibly secret parts: no query, fragment or password. */
function withoutSecrets(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`.slice(0, ADDRESS_MAX);
}

/**
 * Reads the body of a beat. `left` is set for a page's last one.
 * @returns undefined if it isn't a web page, such as a local file
 * @throws AppError 400 with every issue
 */
export function readBeat(
  body: unknown,
  userAgent: string | undefined,
): { beat: Beat; left: boolean } | undefined {
  const parsed = liveBeat.safeParse(body);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  const { tab, key, page_url, page_title, referrer, time_zone, left = false } = parsed.data;
  const url = withoutSecrets(page_url);
  if (url === null) return undefined;
  const beat = {
    tab,
    key,
    url,
    title: page_title?.slice(0, TITLE_MAX).toWellFormed() || null,
    referrer: referrer ? withoutSecrets(referrer) : null,
    country: countryOfTimeZone(time_zone),
    userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
  };
  return { beat, left };
}
