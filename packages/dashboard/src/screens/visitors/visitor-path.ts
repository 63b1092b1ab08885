/** Of the desk's own pages, and what a browser takes for a folder. */
const TAKEN = /^~*(?:here|segments|\.\.?)$/;

/** A visitor's key as a part of an address; sites choose keys, and one may be the name of a page. */
export const pathOfKey = (key: string): string => (TAKEN.test(key) ? `~${key}` : key);

/** A visitor's key from their page's address; the inverse of `pathOfKey`. */
export const keyOfPath = (part: string): string =>
  part.startsWith('~') && TAKEN.test(part) ? part.slice(1) : part;
