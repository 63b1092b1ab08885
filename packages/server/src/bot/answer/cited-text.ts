/** What a model has written, as far as it may be shown. */
interface CitedText {
  /** Without the citations, and without addresses that no passage has. Empty until it is clear what it rests on. */
  readonly text: string;
  /** Places of the passages it rests on, from 0, in the order in which they are named. */
  readonly cited: readonly number[];
}

/** Its first line: the numbers of the passages that it used, or none. */
const FIRST_LINE = /^\s*\**sources?\**\s*:\s*\**([^\n]{0,100})\n/i;
/** How much of an answer is searched for its first line: the pattern reads some characters several times. */
const FIRST_LINE_WITHIN = 300;
const MARK = /[ \t]?\[(\d{1,2}(?:\s?,\s?\d{1,2}){0,9})\](?!\()/g;
/** The beginning of a citation that is not whole yet. */
const HALF_MARK = /[ \t]?\[[\d,\s]{0,30}$/;
const LINK = /!?\[([^\]\n]{0,300})\]\(\s{0,3}<?([^)\s>]{0,2000})(?:[>\s][^)\n]{0,300})?\)/g;
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
  const first = FIRST_LINE.exec((isWhole ? `${written}\n` : written).slice(0, FIRST_LINE_WITHIN));
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

/** Where the first link begins that goes on to the end of a line; the length of the line if none does. */
function openLinkIn(line: string): number {
  const lastParen = line.lastIndexOf(')');
  for (let open = line.indexOf('['); open >= 0; ) {
    const close = line.indexOf(']', open);
    const isOpen =
      close < 0 || close === line.length - 1 || (line[close + 1] === '(' && lastParen < close + 2);
    if (isOpen) return line[open - 1] === '!' ? open - 1 : open;
    open = line.indexOf('[', close);
  }
  return line.length;
}

/** Where an address begins that goes on to the end of a line; the length of the line if none does. */
function openAddressIn(line: string): number {
  const lastWord = line.split(/\s/).at(-1) ?? '';
  const start = lastWord.search(/https?:|www\./i);
  return start < 0 ? line.length : line.length - lastWord.length + start;
}

/** A link or citation is shown once it is whole: nobody sees where it leads before that is looked at. */
function withoutHalf(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const cut = Math.min(openLinkIn(lastLine), openAddressIn(lastLine));
  return text.slice(0, text.length - (lastLine.length - cut)).replace(HALF_MARK, '');
}

const bareAddress = (address: string): string =>
  address.replace(/^https?:\/\//i, '').replace(/(?<![.,;:!?])[.,;:!?]+$/, '');

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
