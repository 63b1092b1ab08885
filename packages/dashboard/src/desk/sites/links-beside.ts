import { withSite } from '../../site.ts';

/** Ways to open a link beside this tab. */
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

/** A new tab knows nothing of this one's site: links that are opened in one name it. The answer ends it. */
export function watchLinksBeside(): () => void {
  const ends = new AbortController();
  for (const sign of ['pointerdown', 'keydown', 'contextmenu'])
    addEventListener(sign, nameSite, { capture: true, passive: true, signal: ends.signal });
  return () => ends.abort();
}
