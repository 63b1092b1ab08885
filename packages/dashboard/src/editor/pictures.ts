/** Pictures that were uploaded for articles: the only ones that their readers are shown. */
export const isShownHere = (src: string): boolean => /^\/help\/images\/\d+-\d+-[0-9a-f]{32}$/.test(src);

/** The address of a pasted picture as an article keeps it; undefined for what no reader could follow. */
export function keptAddress(src: string): string | undefined {
  const own = globalThis.location?.origin;
  if (own && src.startsWith(`${own}/help/images/`)) return src.slice(own.length);
  return isShownHere(src) || /^https?:\/\/\S+$/i.test(src) ? src : undefined;
}

/** The words of a picture on another site, which its readers get as a link. */
export const pictureLabel = (alt: string, src: string): string => alt || src;

/** A description from the name of a file. */
export const describedBy = (name: string): string =>
  name
    .replace(/\.[a-z0-9]+$/i, '')
    .replace(/[[\]\\]/g, ' ')
    .trim();
