const withoutEndSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

/**
 * A page as the team writes it, in the form in which addresses are compared: `/checkout`, or `shop.example/checkout`.
 * `/` is the home page.
 */
export const pagePrefix = (written: string): string => {
  const wanted = written
    .trim()
    .replace(/^https?:\/\//i, '')
    .toLowerCase();
  return wanted === '/' ? wanted : withoutEndSlashes(wanted);
};

/**
 * Whether a page is met by a prefix of `pagePrefix`: `/checkout` by that path and all below it, on any host;
 * `shop.example/checkout` only on that host; `/` only by the home page.
 */
export const isOnPage = (prefix: string, { host, pathname }: { host: string; pathname: string }): boolean => {
  if (prefix === '/') return pathname === '/';
  const page = withoutEndSlashes((prefix.startsWith('/') ? pathname : `${host}${pathname}`).toLowerCase());
  return page === prefix || page.startsWith(`${prefix}/`);
};
