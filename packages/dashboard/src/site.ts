import { store, tabStore } from './storage.ts';

/** In the tab's storage: its site. In the browser's: the one that was opened last, for a new tab. */
const REMEMBERED = 'foyer.site';
/** Notes for the next page of this tab that the person has no access to the site that it was to show. */
const REFUSED = 'foyer.site_refused';

let shown: number | undefined;

const idOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/**
 * Finds out which site this page shows, before anything is asked for: the one in the address, which is taken out of it,
 * else the tab's, else the one that was opened last. It stays the same while the page lives: another one is a page of
 * its own, in which nothing of this one is left.
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

/** Stays at this site, which the server has chosen if this page named none. */
export function keepSite(id: number): void {
  shown = id;
  tabStore.setItem(REMEMBERED, String(id));
}

/** Forgets in this browser which site was shown, as somebody signs out. */
export function forgetSite(): void {
  shown = undefined;
  tabStore.removeItem(REMEMBERED);
  store.removeItem(REMEMBERED);
}

/** Names the site to the server. */
export const siteHeaders = (): Record<string, string> =>
  shown === undefined ? {} : { 'X-Foyer-Site': String(shown) };

/** An address of this site, for whatever sends no headers: sockets, links that leave the page, notifications. */
export function withSite(address: string | URL, id = shown): string {
  const url = new URL(address, location.origin);
  if (id !== undefined) url.searchParams.set('site', String(id));
  return typeof address === 'string' && address.startsWith('/')
    ? url.pathname + url.search + url.hash
    : url.href;
}

/** A path of the desk without its site, and whether it is a page of the site that is shown here. */
export function pathHere(path: string): { path: string; isHere: boolean } {
  const url = new URL(path, location.origin);
  const named = url.searchParams.get('site');
  url.searchParams.delete('site');
  return {
    path: url.pathname + url.search + url.hash,
    isHere: named === null || idOf(named) === shown,
  };
}

/** The person doesn't work for this site, or no longer: the page is loaded again without naming one. */
export function leaveSite(): void {
  if (shown !== undefined && idOf(store.getItem(REMEMBERED)) === shown) store.removeItem(REMEMBERED);
  shown = undefined;
  tabStore.removeItem(REMEMBERED);
  tabStore.setItem(REFUSED, 'yes');
  location.replace('/app/inbox');
}

/** Whether the page before this one had to be left by `leaveSite`; true once. */
export function wasRefused(): boolean {
  const was = tabStore.getItem(REFUSED) !== null;
  tabStore.removeItem(REFUSED);
  return was;
}
