/** The initial dictionary of every writer and reader ([MS-OXRTFCP] 2.1.2.1). */
const KNOWN = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const WINDOW = 4096;
const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const PLAIN = 0x414c454d;
/** A few hundred pages. Two bytes become up to seventeen, so a mail of 25 MB could become 200. */
export const RTF_MAX_BYTES = 4 * 1024 * 1024;

/**
 * The RTF of a message, as Outlook compresses it. Stops at `RTF_MAX_BYTES`, and where the data is cut off.
 * @returns undefined for something else
 */
export function decompressRtf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const size = Math.min(bytes.readUInt32LE(4), RTF_MAX_BYTES);
  const body = bytes.subarray(HEADER_BYTES);
  const kind = bytes.readUInt32LE(8);
  if (kind === PLAIN) return body.subarray(0, size);
  return kind === COMPRESSED ? decompress(body, size) : undefined;
}

function decompress(from: Buffer, size: number): Buffer {
  const known = Buffer.alloc(WINDOW);
  KNOWN.copy(known);
  let next = KNOWN.length;
  // The declared size may be forged: only memory for the actual data is allocated.
  const found = Buffer.alloc(Math.min(size, from.length * 9));
  let length = 0;
  const write = (byte: number): void => {
    known[next] = byte;
    next = (next + 1) % WINDOW;
    found[length++] = byte;
  };
  for (let at = 0; at < from.length && length < found.length; ) {
    let flags = from.readUInt8(at++);
    for (let bit = 0; bit < 8 && length < found.length; bit++, flags >>= 1) {
      if ((flags & 1) === 0) {
        if (at >= from.length) return found.subarray(0, length);
        write(from.readUInt8(at++));
        continue;
      }
      if (at + 2 > from.length) return found.subarray(0, length);
      const reference = from.readUInt16BE(at);
      at += 2;
      const offset = reference >> 4;
      // A reference to the write position marks the end.
      if (offset === next) return found.subarray(0, length);
      const count = Math.min((reference & 15) + 2, found.length - length);
      for (let step = 0; step < count; step++) write(known.readUInt8((offset + step) % WINDOW));
    }
  }
  return found.subarray(0, length);
}
