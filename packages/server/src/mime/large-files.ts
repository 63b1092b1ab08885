import { randomBytes } from 'node:crypto';
import type { Attachment } from 'postal-mime';

/** Smaller ones take longer to find than to decode. */
const LARGE_MIN_CHARS = 8 * 1024;
/** The headers of a file's part. */
const HEADERS_MAX = 4 * 1024;
/** Bytes that no sender can guess. */
const TOKEN_BYTES = 24;
const IS_FILE = /^content-type:[ \t]*(?:application|audio|image|video)\//im;
const IS_BASE64 = /^content-transfer-encoding:[ \t]*base64[ \t]*\r?$/im;

interface LargeFile {
  /** Of its encoded bytes in the mail. */
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
   * @returns false unless each token is the content of one file: the mail isn't built as it seemed
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

function bodyOf(text: string, partAt: number): { from: number; to: number } | undefined {
  // With the line end before it, so that a part without headers has an empty line too.
  const start = text.slice(partAt - 1, partAt + HEADERS_MAX);
  const blank = /\n\r?\n/.exec(start);
  if (blank === null) return undefined;
  const headers = start.slice(0, blank.index);
  if (!IS_FILE.test(headers) || !IS_BASE64.test(headers)) return undefined;
  const from = partAt - 1 + blank.index + blank[0].length;
  // The alphabet of base64 has no hyphen, so whatever line begins with two ends it.
  const to = text.indexOf('\n--', from);
  return to - from < LARGE_MIN_CHARS ? undefined : { from, to };
}

function decoded(base64: string): Buffer | undefined {
  try {
    // Unlike `Buffer.from`, it refuses what is no base64.
    return Buffer.from(atob(base64), 'latin1');
  } catch {
    return undefined;
  }
}

/**
 * Decodes large files natively: the parser does it line by line in JavaScript, which is most of what a mail with files
 * costs. Finding them is a guess about the mail's structure, which the parser then has to confirm (`restore`).
 * @param text the mail as Latin-1
 * @param partsAt where its parts begin
 * @returns undefined for a mail without such files
 */
export function takeLargeFiles(raw: Buffer, text: string, partsAt: readonly number[]): Lightened | undefined {
  const files = partsAt.flatMap((at) => {
    const body = bodyOf(text, at);
    if (!body) return [];
    const content = decoded(text.slice(body.from, body.to));
    return content ? [{ ...body, content, token: randomBytes(TOKEN_BYTES) }] : [];
  });
  return files.length === 0 ? undefined : new Lightened(raw, files);
}
