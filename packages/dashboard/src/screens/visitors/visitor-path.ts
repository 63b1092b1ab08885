/** Names of the desk's own pages, and special path segments. */
const TAKEN = /^~*(?:here|segments|\.\.?)$/;

/** A visitor's key in an address. Sites choose keys, which may equal the name of a page. */
export const pathOfKey = (key: string): string => (TAKEN.test(key) ? `~${key}` : key);

/** A visitor's key from their page's address; the inverse of `pathOfKey`. */
export const keyOfPath = (part: string): string =>
  part.startsWith('~') && TAKEN.test(part) ? part.slice(1) : part;
