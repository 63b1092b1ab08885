import { decoderOf } from './code-pages.ts';
import { MAIL_MAX_PARTS } from './limits.ts';
import { decompressRtf } from './rtf/compressed-rtf.ts';
import { readRtf } from './rtf/read-rtf.ts';

/** What Outlook packed into a file `winmail.dat` (TNEF, [MS-OXTNEF]). */
export interface Winmail {
  text: string | null;
  html: string | null;
  files: { name: string; contentType: string; content: Buffer; contentId: string | null }[];
  /**
   * Whether it contains something that this program doesn't read, such as a mail in a mail: then the file is kept too.
   */
  isPartial: boolean;
}

const SIGNATURE = 0x223e9f78;
const BEGIN_FILE = 0x00069002;
const FILE_NAME = 0x00018010;
const FILE_CONTENT = 0x0006800f;
const FILE_PROPERTIES = 0x00069005;
const MESSAGE_PROPERTIES = 0x00069003;
const BODY = 0x0002800c;
const CODE_PAGE = 0x00069007;

const TAGS = {
  body: 0x1000,
  html: 0x1013,
  rtf: 0x1009,
  data: 0x3701,
  name: 0x3707,
  type: 0x370e,
  contentId: 0x3712,
} as const;

/** Sizes of values that are always the same; all others are preceded by their length. */
const FIXED: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const STRING_8 = 0x1e;
const UNICODE = 0x1f;
const BINARY = 0x102;
const OBJECT = 0x0d;
const VARIABLE = [STRING_8, UNICODE, BINARY, OBJECT];
const MANY = 0x1000;
/** Properties from here on have a name of their own. */
const NAMED = 0x8000;

/** Reads forward; each read beyond the end throws. */
class Reader {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(size: number): Buffer {
    if (size > this.#bytes.length - this.#at) throw new RangeError('the file ends too early');
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  short(): number {
    return this.take(2).readUInt16LE();
  }

  long(): number {
    return this.take(4).readUInt32LE();
  }

  /** Bytes with their length before them, padded to four. */
  padded(): Buffer {
    const size = this.long();
    const bytes = this.take(size);
    this.take(Math.min((4 - (size % 4)) % 4, this.#bytes.length - this.#at));
    return bytes;
  }
}

interface Property {
  type: number;
  bytes: Buffer;
}

function skipName(reader: Reader): void {
  reader.take(16);
  if (reader.long() === 0) reader.take(4);
  else reader.padded();
}

/** The first value of each property, by its id. */
function readProperties(bytes: Buffer): Map<number, Property> {
  const reader = new Reader(bytes);
  const found = new Map<number, Property>();
  for (let left = reader.long(); left > 0 && !reader.isAtEnd; left--) {
    const declared = reader.short();
    const id = reader.short();
    if (id >= NAMED) skipName(reader);
    const type = declared & ~MANY;
    const isVariable = VARIABLE.includes(type);
    const size = FIXED[type];
    if (!isVariable && size === undefined) throw new RangeError('a property of an unknown type');
    const count = isVariable || declared !== type ? reader.long() : 1;
    for (let at = 0; at < count && !reader.isAtEnd; at++) {
      const value = isVariable ? reader.padded() : reader.take(size ?? 0);
      if (at === 0) found.set(id, { type, bytes: value });
    }
  }
  return found;
}

const UTF_16 = new TextDecoder('utf-16le');

interface OpenFile {
  name: string;
  contentType: string;
  content: Buffer | undefined;
  contentId: string | null;
}

/** Collects what the attributes of a file say, one after the other. */
class Contents {
  #text: string | null = null;
  #html: string | null = null;
  #rtf: Buffer | undefined;
  #codePage = 1252;
  readonly #files: OpenFile[] = [];

  take(id: number, bytes: Buffer): void {
    const file = this.#files.at(-1);
    if (id === CODE_PAGE && bytes.length >= 4) this.#codePage = bytes.readUInt32LE();
    else if (id === BEGIN_FILE && this.#files.length >= MAIL_MAX_PARTS)
      throw new RangeError('too many files');
    else if (id === BEGIN_FILE)
      this.#files.push({ name: '', contentType: '', content: undefined, contentId: null });
    else if (id === BODY) this.#text ??= this.#string({ type: STRING_8, bytes });
    else if (id === MESSAGE_PROPERTIES) this.#message(readProperties(bytes));
    else if (file && id === FILE_NAME) file.name ||= this.#string({ type: STRING_8, bytes }) ?? '';
    else if (file && id === FILE_CONTENT) file.content = bytes;
    else if (file && id === FILE_PROPERTIES) this.#describe(file, readProperties(bytes));
  }

  #string(property: Property | undefined): string | null {
    if (!property) return null;
    const decoder = property.type === UNICODE ? UTF_16 : decoderOf(this.#codePage);
    return decoder.decode(property.bytes).replaceAll('\0', '') || null;
  }

  #message(properties: Map<number, Property>): void {
    this.#text = this.#string(properties.get(TAGS.body)) ?? this.#text;
    const html = properties.get(TAGS.html);
    this.#html = this.#string(html?.type === BINARY ? { ...html, type: STRING_8 } : html) ?? this.#html;
    this.#rtf = properties.get(TAGS.rtf)?.bytes ?? this.#rtf;
  }

  #describe(file: OpenFile, properties: Map<number, Property>): void {
    file.name = this.#string(properties.get(TAGS.name)) ?? file.name;
    file.contentType = this.#string(properties.get(TAGS.type)) ?? file.contentType;
    file.contentId = this.#string(properties.get(TAGS.contentId)) ?? file.contentId;
    const data = properties.get(TAGS.data);
    if (data?.type === BINARY) file.content ??= data.bytes;
  }

  /** @param readsRtf whether RTF is read if there is no other text */
  all(readsRtf: boolean): Winmail {
    const files = this.#files.flatMap(({ content, contentType, ...file }) =>
      content ? [{ ...file, content, contentType: contentType || 'application/octet-stream' }] : [],
    );
    const { body, isRead } = this.#body(readsRtf);
    return { ...body, files, isPartial: !isRead || files.length < this.#files.length };
  }

  /** Outlook writes RTF beside the text, or alone. */
  #body(readsRtf: boolean): { body: Pick<Winmail, 'text' | 'html'>; isRead: boolean } {
    const plain = { text: this.#text, html: this.#html };
    if (!this.#rtf || plain.text?.trim() || plain.html !== null) return { body: plain, isRead: true };
    const rtf = readsRtf ? decompressRtf(this.#rtf) : undefined;
    const rich = rtf && readRtf(rtf);
    return { body: rich ?? plain, isRead: rich !== undefined };
  }
}

/**
 * Opens a `winmail.dat`, in time and memory proportional to its size: the RTF in it has a bound.
 * @returns undefined for a file that isn't one, or is broken
 */
export function openWinmail(content: Buffer, { readsRtf }: { readsRtf: boolean }): Winmail | undefined {
  try {
    const reader = new Reader(content);
    if (reader.long() !== SIGNATURE) return undefined;
    reader.short();
    const contents = new Contents();
    while (!reader.isAtEnd) {
      reader.byte();
      const id = reader.long();
      contents.take(id, reader.take(reader.long()));
      // A checksum, which some programs get wrong.
      reader.short();
    }
    return contents.all(readsRtf);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
