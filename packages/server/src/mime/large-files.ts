import { randomBytes } from 'node:crypto';
import type { Attachment } from 'postal-mime';

/** Smaller ones take longer to find than to decode. */
const LARGE_MIN_CHARS = 8 * 1024;
/** The headers of a file's part. */
const HEADERS_MAX = 4 * 1024;
/** A multiple of four, as the characters of base64 are. */
const PIECE_CHARS = 64 * 1024;
const LINE_OF_DASHES = Buffer.from('\n--');
/** Bytes that no sender can guess. */
const TOKEN_BYTES = 24;
const IS_FILE = /^content-type:[ \t]*(?:application|audio|image|video)\//im;
const IS_BASE64 = /^content-transfer-encoding:[ \t]*base64[ \t]*\r?$/im;

interface LargeFile {
  /** The position of its encoded bytes in the mail. */
  from: number;
  to: number;
  token: Buffer;
  content: Buffer;
}

/** A mail with short tokens in place of the encoded bytes of its large files. */
export class Lightened {
  readonly raw: Buffer;
  readonly #files: readonly LargeFile[];

  constructor(raw: Buffer, files: readonly LargeFile[]) {
    this.#files = files;
    let from = 0;
    const pieces: Buffer[] = [];
    for (const file of files) {
      pieces.push(raw.subarray(from, file.from), Buffer.from(file.token.toString('base64')));
      from = file.to;
    }
    this.raw = Buffer.concat([...pieces, raw.subarray(from)]);
  }

  /**
   * Puts the files in the place of their tokens.
   * @returns false unless each token is the content of one file: the mail's structure isn't what it seemed
   */
  restore(attachments: readonly Attachment[]): boolean {
    const files = new Map(this.#files.map((file) => [file.token.toString('latin1'), file]));
    for (const attachment of attachments) {
      const { content } = attachment;
      if (typeof content === 'string' || content.byteLength !== TOKEN_BYTES) continue;
      const token = Buffer.from(content instanceof Uint8Array ? content : new Uint8Array(content));
      const file = files.get(token.toString('latin1'));
      if (file === undefined) continue;
      attachment.content = file.content;
      files.delete(file.token.toString('latin1'));
    }
    return files.size === 0;
  }
}

/** The position of a part's body, if it is a file in base64. @param at where the line that begins the part is */
function bodyOf(raw: Buffer, at: number, to: number): { from: number; to: number } | undefined {
  const start = raw.toString('latin1', at, Math.min(at + HEADERS_MAX, to));
  const blank = /\n\r?\n/.exec(start);
  if (blank === null) return undefined;
  const headers = start.slice(0, blank.index);
  if (!IS_FILE.test(headers) || !IS_BASE64.test(headers)) return undefined;
  const from = at + blank.index + blank[0].length;
  return to - from < LARGE_MIN_CHARS ? undefined : { from, to };
}

/**
 * The characters of base64 between two positions, in pieces of whole groups of four except the last. Pieces are small
 * enough for the young heap: memory for one string of a whole file costs more than decoding it.
 */
function encodedPieces(raw: Buffer, { from, to }: { from: number; to: number }): string[] {
  const pieces: string[] = [];
  let rest = '';
  for (let at = from; at < to; at += PIECE_CHARS) {
    const text = raw.toString('latin1', at, Math.min(at + PIECE_CHARS, to));
    const all = rest + text.replace(/[\t\n\f\r ]+/g, '');
    const whole = all.slice(0, all.length - (all.length % 4));
    rest = all.slice(whole.length);
    pieces.push(whole);
  }
  return [...pieces.slice(0, -1), `${pieces.at(-1) ?? ''}${rest}`.replace(/={1,2}$/, '')];
}

/** @returns undefined for invalid base64, which `write` would ignore */
function decoded(pieces: readonly string[]): Buffer | undefined {
  const sizes = pieces.map((piece) => Math.floor((piece.length * 3) / 4));
  const content = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0));
  let length = 0;
  for (const [at, piece] of pieces.entries()) {
    // The URL-safe alphabet has these two.
    if (piece.includes('-') || piece.includes('_')) return undefined;
    const written = content.write(piece, length, 'base64');
    if (written !== sizes[at]) return undefined;
    length += written;
  }
  return content;
}

/**
 * Decodes large files natively: the parser does it line by line in JavaScript, which is most of what a mail with files
 * costs. Finding them is a guess about the mail's structure, which the parser then has to confirm (`restore`).
 * @returns undefined for a mail without such files
 */
export function takeLargeFiles(raw: Buffer): Lightened | undefined {
  const files: LargeFile[] = [];
  let at = raw.indexOf(LINE_OF_DASHES);
  while (at !== -1) {
    // The alphabet of base64 has no hyphen, so a line that begins with two ends a file.
    const next = raw.indexOf(LINE_OF_DASHES, at + 1);
    const body = next - at < LARGE_MIN_CHARS ? undefined : bodyOf(raw, at + 1, next);
    const content = body && decoded(encodedPieces(raw, body));
    if (content) files.push({ ...body, content, token: randomBytes(TOKEN_BYTES) });
    at = next;
  }
  return files.length === 0 ? undefined : new Lightened(raw, files);
}
