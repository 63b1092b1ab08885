const LINK = /!?\[([^\]\n]{0,300})\]\(\s{0,3}<?([^)\s>]{0,2000})(?:[>\s][^)\n]{0,300})?\)/g;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>()[\]"'`*]{1,2000}/gi;
const EMAIL = /[\w.+-]{1,64}@[a-z\d.-]{1,253}/gi;
/** What may be a host without a scheme, and its path. */
const WORD = /(?<![\w@.-])([a-z\d.-]{4,253})(?![\w@])(?:\/[^\s<>()[\]"'`*]{0,2000})?/g;

/** Without the scheme and the punctuation of its sentence, which ends no address. */
const bareAddress = (address: string): string =>
  address
    .replace(/^(?:https?:\/\/|mailto:)/i, '')
    .replace(/(?<![.,;:!?])[.,;:!?]+$/, '')
    .toLowerCase();

/** In lower case, since "end.Next" is two sentences; a version number has no letters at its end. */
function isHost(word: string): boolean {
  const labels = word.replace(/(?<!\.)\.+$/, '').split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && /^[a-z]{2,24}$/.test(last) && labels.every((label) => /^[a-z\d]/.test(label));
}

interface Addresses {
  /** The targets of links, in order. */
  readonly addresses: readonly string[];
  /** The text without them; the labels of links remain. */
  readonly rest: string;
}

/** Removes web and email addresses from a text. The address of an image gets a `!`, so that no link supports it. */
export function takeAddresses(text: string): Addresses {
  const addresses: string[] = [];
  const take = (address: string): string => {
    const bare = bareAddress(address);
    // "https://" alone leads nowhere.
    if (bare !== '') addresses.push(bare);
    return ' ';
  };
  const rest = text
    .replace(LINK, (whole: string, label: string, address: string) => {
      take(whole.startsWith('!') ? `!${address}` : address);
      return ` ${label} `;
    })
    .replace(ADDRESS, take)
    .replace(EMAIL, take)
    .replace(WORD, (word: string, host: string) => (isHost(host) ? take(word) : word));
  return { addresses, rest };
}

/**
 * Whether a known address is this one, or is below it on the same host. The beginning of a host name is another host:
 * `shop.example.co` is not `shop.example.com`.
 */
export const isAmong = (known: readonly string[], address: string): boolean =>
  known.some(
    (one) => one === address || (one.startsWith(address) && /^[/?#]/.test(one.slice(address.length))),
  );

/** The start of the first link that continues to the end of a line; the length of the line if there is none. */
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

/** The text up to an incomplete link: it isn't shown before its target is checked. */
export function withoutOpenLink(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  return text.slice(0, text.length - (lastLine.length - openLinkIn(lastLine)));
}
