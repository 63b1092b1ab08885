const WINDOWS_1252 = new TextDecoder('windows-1252');
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
/** The byte of each character that windows-1252 has beyond ASCII. */
const BYTES = new Map(
  Array.from({ length: 128 }, (_, at) => [WINDOWS_1252.decode(new Uint8Array([at + 128])), at + 128]),
);
/** The first bytes of a character in UTF-8, taken for windows-1252. */
const SUSPICIOUS = /[\u00c2-\u00f4][\u0080-\uffff]/;

/**
 * A text that was sent as UTF-8 and decoded as windows-1252, because its mail claims ASCII or Latin-1: decoded again.
 * Any other text is not valid UTF-8 and stays as it is.
 */
export function repairText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte = code < 128 ? code : BYTES.get(text.charAt(at));
    if (byte === undefined) return text;
    bytes[at] = byte;
  }
  try {
    return UTF_8.decode(bytes);
  } catch {
    return text;
  }
}
