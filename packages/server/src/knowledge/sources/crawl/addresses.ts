/** The address of a page without its fragment, which no server sees; undefined for anything but http and https. */
export function pageUrl(address: string, base?: string): URL | undefined {
  const url = URL.parse(address, base);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  url.hash = '';
  return url;
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/**
 * Whether a site may lead from one address to another: within the same origin, also with or without `www.`, and from
 * http to https, but not back.
 */
export function isSameSite(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isNoDowngrade = to.protocol === 'https:' || from.protocol === 'http:';
  return isNoDowngrade && from.port === '' && to.port === '' && bareHost(from) === bareHost(to);
}
