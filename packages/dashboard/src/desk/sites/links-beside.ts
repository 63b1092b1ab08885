import { withSite } from '../../site.ts';

/** Whether a click opens the link in another tab or window. */
const isBeside = (event: Event): boolean =>
  event.type === 'contextmenu' ||
  ((event instanceof MouseEvent || event instanceof KeyboardEvent) &&
    (event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      (event instanceof MouseEvent && event.button === 1)));

function nameSite(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="/app/"]') : null;
  const path = link?.getAttribute('href');
  if (link && path && isBeside(event)) link.setAttribute('href', withSite(path));
}

/**
 * A new tab doesn't know this one's site, so links opened in one get it in their address. Returns a function that
 * stops it.
 */
export function watchLinksBeside(): () => void {
  const ends = new AbortController();
  for (const sign of ['pointerdown', 'keydown', 'contextmenu'])
    addEventListener(sign, nameSite, { capture: true, passive: true, signal: ends.signal });
  return () => ends.abort();
}
