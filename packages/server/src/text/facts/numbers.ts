/** Digits with separators between them: groups of three behind the same one, then a fraction. */
export const NUMBER = String.raw`\d{1,3}(?:(?:\.\d{3}){1,4}|(?:,\d{3}){1,4}|(?:'\d{3}){1,4}|(?: \d{3}){1,4})(?!\d)(?:[.,]\d{1,12})?|\d{1,30}(?:[.,]\d{1,12})?`;

/**
 * The value of a number. Three digits after a single separator are thousands, in every language: a text that means
 * thousandths writes them like the passage, and both are read alike.
 */
export function readNumber(written: string): number {
  const compact = written.replace(/[' ]/g, '');
  const separators = compact.match(/[.,]/g) ?? [];
  const [first] = separators;
  if (first === undefined) return Number(compact);
  const isMixed = separators.some((separator) => separator !== first);
  const grouped = !isMixed && /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(compact);
  if (grouped) return Number(compact.replace(/[.,]/g, ''));
  const at = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','));
  return Number(`${compact.slice(0, at).replace(/[.,]/g, '')}.${compact.slice(at + 1)}`);
}
