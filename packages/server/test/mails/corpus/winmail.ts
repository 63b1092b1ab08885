// A `winmail.dat` as Outlook writes it.

function attribute(level: number, id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(level);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(content.length, 5);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(content.reduce((total, byte) => (total + byte) & 0xffff, 0));
  return Buffer.concat([head, content, sum]);
}

const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A property of one text in UTF-16. */
function property(id: number, text: string): Buffer {
  const value = Buffer.from(`${text}\0`, 'utf16le');
  const tag = Buffer.alloc(4);
  tag.writeUInt16LE(0x1f);
  tag.writeUInt16LE(id, 2);
  return Buffer.concat([tag, long(1), long(value.length), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** A number, and a property with a name, which readers have to skip. */
const OTHERS = [
  Buffer.concat([Buffer.from('03000100', 'hex'), long(7)]),
  Buffer.concat([
    Buffer.from('03000180', 'hex'),
    Buffer.alloc(16, 1),
    long(1),
    long(6),
    Buffer.from('abc', 'utf16le'),
    Buffer.alloc(2),
    long(7),
  ]),
];

const properties = (list: readonly Buffer[]): Buffer =>
  Buffer.concat([long(list.length + OTHERS.length), ...OTHERS, ...list]);

/** A property of bytes. */
function binary(id: number, value: Buffer): Buffer {
  const tag = Buffer.alloc(4);
  tag.writeUInt16LE(0x102);
  tag.writeUInt16LE(id, 2);
  return Buffer.concat([tag, long(1), long(value.length), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** RTF in the form of Outlook, with each byte as it is. */
export function compressedRtf(rtf: string): Buffer {
  const bytes = Buffer.from(rtf, 'latin1');
  const runs: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 8) runs.push(Buffer.of(0), bytes.subarray(at, at + 8));
  const body = Buffer.concat(runs);
  return Buffer.concat([long(body.length + 12), long(bytes.length), Buffer.from('LZFu'), long(0), body]);
}

interface Contents {
  body?: string;
  rtf?: Buffer;
  files: readonly [name: string, content: string][];
}

export function winmail({ body, rtf, files }: Contents): Buffer {
  return Buffer.concat([
    long(0x223e9f78),
    Buffer.from('0100', 'hex'),
    attribute(1, 0x00069007, Buffer.concat([long(1252), long(0)])),
    ...(body === undefined ? [] : [attribute(1, 0x00069003, properties([property(0x1000, body)]))]),
    ...(rtf === undefined ? [] : [attribute(1, 0x00069003, properties([binary(0x1009, rtf)]))]),
    ...files.flatMap(([name, content]) => [
      attribute(2, 0x00069002, Buffer.alloc(14)),
      attribute(2, 0x00018010, Buffer.from(`SHORT~1.PDF\0`, 'latin1')),
      attribute(2, 0x0006800f, Buffer.from(content)),
      attribute(2, 0x00069005, properties([property(0x3707, name)])),
    ]),
  ]);
}
