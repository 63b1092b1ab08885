/** Images uploaded for articles, the only ones that readers see. */
export const isShownHere = (src: string): boolean => /^\/help\/images\/\d+-\d+-[0-9a-f]{32}$/.test(src);

/** The address of a pasted image that an article can keep; undefined if readers couldn't follow it. */
export function keptAddress(src: string): string | undefined {
  const own = globalThis.location?.origin;
  if (own && src.startsWith(`${own}/help/images/`)) return src.slice(own.length);
  return isShownHere(src) || /^https?:\/\/\S+$/i.test(src) ? src : undefined;
}

/** The text of an image on another site, which readers get as a link. */
export const pictureLabel = (alt: string, src: string): string => alt || src;

/** A description derived from a file name. */
export const describedBy = (name: string): string =>
  name
    .replace(/\.[a-z0-9]+$/i, '')
    .replace(/[[\]\\]/g, ' ')
    .trim();
