/** More than any program nests. Parsing takes time that grows with the square of the depth. */
const DEPTH_MAX = 1_000;
/** Never closed, or closed by the next one of their kind. */
const UNCLOSED = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dd dt td th tr option tbody thead tfoot colgroup'.split(
    ' ',
  ),
);

/** Whether elements are nested so deeply that the HTML may not be parsed. Linear. */
export function nestsTooDeeply(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z\d:-]{0,30})/gi)) {
    if (UNCLOSED.has(name.toLowerCase())) continue;
    depth += slash === '' ? 1 : -1;
    if (depth > DEPTH_MAX) return true;
    if (depth < 0) depth = 0;
  }
  return false;
}

/** The text of HTML that may not be parsed. */
export const withoutTags = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>\s]+/g, ' ')
    .trim();
