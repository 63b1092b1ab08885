import { store, tabStore } from './storage.ts';

/** In the tab's storage: its site. In the browser's: the last opened site, for a new tab. */
const REMEMBERED = 'foyer.site';
/** Tells the tab's next page that the person has no access to the requested site. */
const REFUSED = 'foyer.site_refused';

let shown: number | undefined;

const idOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/**
 * Determines this page's site before anything is requested: the one in the address, which is removed from it, or
 * the tab's, or the last opened one. It stays the same for the life of the page; another site is another page, in
 * which nothing of this one remains.
 */
export function findSite(): void {
  const url = new URL(location.href);
  const named = url.searchParams.get('site');
  if (named === null) shown = idOf(tabStore.getItem(REMEMBERED)) ?? idOf(store.getItem(REMEMBERED));
  else {
    url.searchParams.delete('site');
    history.replaceState(history.state, '', url);
    shown = idOf(named);
    if (shown !== undefined) store.setItem(REMEMBERED, named);
  }
  if (shown !== undefined) keepSite(shown);
}

/** Stays at this site, which the server chose if this page named none. */
export function keepSite(id: number): void {
  shown = id;
  tabStore.setItem(REMEMBERED, String(id));
}

/** Forgets the site in this browser when signing out. */
export function forgetSite(): void {
  shown = undefined;
  tabStore.removeItem(REMEMBERED);
  store.removeItem(REMEMBERED);
}

/** Names the site to the server. */
export const siteHeaders = (): Record<string, string> =>
  shown === undefined ? {} : { 'X-Foyer-Site': String(shown) };

/** An address with this site, for everything that sends no headers: sockets, external links, notifications. */
export function withSite(address: string | URL, id = shown): string {
  const url = new URL(address, location.origin);
  if (id !== undefined) url.searchParams.set('site', String(id));
  return typeof address === 'string' && address.startsWith('/')
    ? url.pathname + url.search + url.hash
    : url.href;
}

/** A path of the desk without its site, and whether it belongs to the current site. */
export function pathHere(path: string): { path: string; isHere: boolean } {
  const url = new URL(path, location.origin);
  const named = url.searchParams.get('site');
  url.searchParams.delete('site');
  return {
    path: url.pathname + url.search + url.hash,
    isHere: named === null || idOf(named) === shown,
  };
}

/** The person doesn't (or no longer) work for this site: reloads the page without naming one. */
export function leaveSite(): void {
  if (shown !== undefined && idOf(store.getItem(REMEMBERED)) === shown) store.removeItem(REMEMBERED);
  shown = undefined;
  tabStore.removeItem(REMEMBERED);
  tabStore.setItem(REFUSED, 'yes');
  location.replace('/app/inbox');
}

/** Whether the previous page was left by `leaveSite`; true once. */
export function wasRefused(): boolean {
  const was = tabStore.getItem(REFUSED) !== null;
  tabStore.removeItem(REFUSED);
  return was;
}
