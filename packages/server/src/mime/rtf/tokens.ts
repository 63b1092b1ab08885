/** A piece of RTF. */
export type Token =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word or sign, with its number: `\b0`, `\~`. */
  | { kind: 'word'; name: string; value: number | undefined }
  /** A byte in the code page of the font. */
  | { kind: 'byte'; value: number };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const NAME_MAX = 32;
const DIGITS_MAX = 10;

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The pieces of an RTF document, one after the other; a broken end is dropped. */
export function* tokensOf(rtf: Buffer): Generator<Token> {
  let at = 0;
  while (at < rtf.length) {
    const byte = rtf.readUInt8(at++);
    if (byte === OPEN) yield { kind: 'open' };
    else if (byte === CLOSE) yield { kind: 'close' };
    else if (byte === BACKSLASH) {
      const [token, end] = controlAt(rtf, at);
      if (token) yield token;
      at = end;
      const skipped = token?.kind === 'word' && token.name === 'bin' ? (token.value ?? 0) : 0;
      at += Math.max(skipped, 0);
    } else if (byte !== 0x0d && byte !== 0x0a && byte !== 0) yield { kind: 'byte', value: byte };
  }
}

/** @returns the token after a backslash, and where it ends */
function controlAt(rtf: Buffer, start: number): [Token | undefined, number] {
  let at = start;
  const first = rtf[at];
  if (first === undefined) return [undefined, at];
  if (!isLetter(first)) {
    const sign = String.fromCharCode(first);
    if (sign !== "'") return [{ kind: 'word', name: sign, value: undefined }, at + 1];
    const value = Number.parseInt(rtf.toString('latin1', at + 1, at + 3), 16);
    return [Number.isNaN(value) ? undefined : { kind: 'byte', value }, at + 3];
  }
  while (isLetter(rtf[at]) && at - start < NAME_MAX) at++;
  const name = rtf.toString('latin1', start, at);
  const numberFrom = at;
  if (rtf[at] === 0x2d && isDigit(rtf[at + 1])) at++;
  while (isDigit(rtf[at]) && at - numberFrom < DIGITS_MAX) at++;
  const value = at === numberFrom ? undefined : Number(rtf.toString('latin1', numberFrom, at));
  // One space belongs to the word.
  return [{ kind: 'word', name, value }, rtf[at] === 0x20 ? at + 1 : at];
}
