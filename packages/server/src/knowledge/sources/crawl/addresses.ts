/** The address of a page without its fragment, which no server sees; undefined for anything but http and https. */
export function pageUrl(address: string, base?: string): URL | undefined {
  const url = URL.parse(address, base);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  url.hash = '';
  return url;
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/**
 * Whether two addresses belong to one site: the same origin, also with or without `www.`, and on https instead of http.
 */
export function isSameSite(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  return one.port === '' && other.port === '' && bareHost(one) === bareHost(other);
}
