/** Replaces masked text; the same in every language. */
export const MASK = '[…]';

const LINK = /(https?:\/\/[^\s<>"']{1,2000})/u;
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{0,254}[\p{L}\p{N}]/gu;
/** Orders, customers and invoices: #1042, #A-1042. */
const HASH_NUMBER = /#\p{L}{0,8}-?\d[\p{L}\p{N}-]{1,40}/gu;
/** The same without the sign: ORD-20451, A1002345. */
const CODE = /(?<![\p{L}\p{N}])\p{L}{1,8}[-_/]?(?:\d[-_/]?){4,40}[\p{L}\p{N}]{0,20}/gu;
/** Phones, cards and accounts: six digits or more, in groups; or five in a row. */
const NUMBER = /[+(]?\d(?:[ ()./-]{0,2}\d){5,40}|\d{5,40}/gu;

/** A link with a query, a fragment, a number or a part that looks like a token leads to a personal page. */
const OWN_PAGE = /[?#]|\d{4}|\/(?=[^/]{0,200}\d)(?=[^/]{0,200}[A-Z])[^/]{8}|\w{20}/u;

const WORD = /[\p{L}\p{M}]+/gu;
/** Shorter parts of a name, such as "de", are ordinary words. */
const NAME_PART_MIN = 3;

/** The words of people's names, as written and capitalised: "mark the box" isn't about Mark. */
function partsOf(names: readonly string[]): Set<string> {
  const parts = names
    .flatMap((name) => name.match(WORD) ?? [])
    .filter((part) => part.length >= NAME_PART_MIN);
  return new Set(parts.flatMap((part) => [part, part.charAt(0).toUpperCase() + part.slice(1)]));
}

const maskLink = (link: string): string => (OWN_PAGE.test(link) ? MASK : link);

const maskNumbers = (text: string): string =>
  [EMAIL, HASH_NUMBER, CODE, NUMBER].reduce((rest, pattern) => rest.replace(pattern, MASK), text);

/**
 * The text with `names`, email addresses, personal links, and the numbers of phones, orders and accounts masked. It
 * masks too much rather than too little, and can't know a name that isn't in `names`: a person reads the result.
 */
export function maskPersonal(text: string, names: readonly string[]): string {
  const parts = partsOf(names);
  const masked = text
    .split(LINK)
    .map((piece, at) => (at % 2 === 1 ? maskLink(piece) : maskNumbers(piece)))
    .join('');
  // Whole names first: those in Japanese or Chinese aren't separated from the words around them.
  return names
    .filter((name) => name.trim().length > 1)
    .reduce((rest, name) => rest.replaceAll(name.trim(), MASK), masked)
    .replace(WORD, (word) => (parts.has(word) ? MASK : word))
    .replaceAll(`${MASK} ${MASK}`, MASK);
}
