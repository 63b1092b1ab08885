/** What a model has written, as far as it may be shown. */
export interface CitedText {
  /** Without the citations, and without addresses that no passage has. Empty until it is clear what it rests on. */
  readonly text: string;
  /** Places of the passages it rests on, from 0, in the order in which they are named. */
  readonly cited: readonly number[];
}

/** Its first line: the numbers of the passages that it used, or none. */
const FIRST_LINE = /^\s*\**sources?\**\s*:\s*\**([^\n]{0,100})\n/i;
const MARK = /[ \t]?\[(\d{1,2}(?:\s?,\s?\d{1,2}){0,9})\](?!\()/g;
/** The beginning of a citation that is not whole yet. */
const HALF_MARK = /[ \t]?\[[\d,\s]{0,30}$/;
const LINK = /!?\[([^\]\n]{0,300})\]\(\s*<?([^)\s>]{0,2000})>?[^)\n]{0,300}\)/g;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>()[\]"']{1,2000}/gi;

/**
 * Reads what a model writes, at any moment of its writing. It may name its passages in its first line, as it was told,
 * or in the text; what names none is shown to nobody.
 * @param passages what it may cite, as it was given them
 */
export function readCited(written: string, passages: readonly string[], isWhole: boolean): CitedText {
  const cited: number[] = [];
  const cite = (numbers: string): void => {
    for (const [digits] of numbers.matchAll(/\d{1,4}/g)) {
      const place = Number(digits) - 1;
      if (place >= 0 && place < passages.length && !cited.includes(place)) cited.push(place);
    }
  };
  const first = FIRST_LINE.exec(isWhole ? `${written}\n` : written);
  if (first?.[1] !== undefined) cite(first[1]);
  const body = first === null ? written : written.slice(first[0].length);
  const unmarked = body.replace(MARK, (_, numbers: string) => {
    cite(numbers);
    return '';
  });
  if (cited.length === 0) return { text: '', cited };
  const shown = isWhole ? unmarked : withoutHalf(unmarked);
  return { text: withKnownAddresses(shown, passages.join('\n')).trim(), cited };
}

/** A link or citation is shown once it is whole: nobody sees where it leads before that is looked at. */
function withoutHalf(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const openLink = /!?\[[^\]]*(?:\](?:\([^)]*)?)?$/.exec(lastLine);
  const openAddress = /(?:https?:|www\.)\S*$/i.exec(lastLine);
  const cut = Math.min(openLink?.index ?? lastLine.length, openAddress?.index ?? lastLine.length);
  return text.slice(0, text.length - (lastLine.length - cut)).replace(HALF_MARK, '');
}

const bareAddress = (address: string): string =>
  address.replace(/^https?:\/\//i, '').replace(/[.,;:!?]+$/, '');

/** All that the passages link to or name. */
const addressesIn = (passages: string): string[] =>
  [
    ...[...passages.matchAll(LINK)].map(([, , address = '']) => address),
    ...(passages.match(ADDRESS) ?? []),
  ].map(bareAddress);

/**
 * A model may be talked into an address; those of the passages are the only ones that lead anywhere, and what lies above
 * them on the same host. The beginning of a name is another name: `shop.example.co` is not `shop.example.com`.
 */
function withKnownAddresses(text: string, passages: string): string {
  const known = addressesIn(passages);
  const isKnown = (address: string): boolean => {
    const wanted = bareAddress(address);
    return known.some(
      (one) => one === wanted || (one.startsWith(wanted) && /^[/?#]/.test(one.slice(wanted.length))),
    );
  };
  return text
    .replace(LINK, (whole, label: string, address: string) =>
      !whole.startsWith('!') && isKnown(address) ? whole : label,
    )
    .replace(ADDRESS, (address) => (isKnown(address) ? address : '…'));
}
