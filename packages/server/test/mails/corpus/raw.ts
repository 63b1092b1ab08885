// Mails as bytes: encodings of texts and headers, and parts.

/** A part: its headers, and its body as it is sent. */
export interface Part {
  headers: Record<string, string>;
  body: string | Buffer;
}

export const base64 = (content: Buffer | string): string =>
  (
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');

/** The bytes of a character in a charset, according to the platform's decoder. */
const maps = new Map<string, Map<string, number[]>>();
function mapOf(charset: string): Map<string, number[]> {
  const known = maps.get(charset);
  if (known) return known;
  const decoder = new TextDecoder(charset, { fatal: true });
  const map = new Map<string, number[]>();
  const add = (bytes: number[]): boolean => {
    try {
      const text = decoder.decode(new Uint8Array(bytes));
      if ([...text].length !== 1) return false;
      if (!map.has(text)) map.set(text, bytes);
      return true;
    } catch {
      return false;
    }
  };
  for (let first = 0; first < 256; first++)
    if (!add([first])) for (let second = 64; second < 256; second++) add([first, second]);
  maps.set(charset, map);
  return map;
}

/** A text in an old charset. */
export function encode(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'iso-2022-jp') {
    const euc = mapOf('euc-jp');
    let isWide = false;
    const bytes: number[] = [];
    for (const char of text) {
      const [first = 63, second] = euc.get(char) ?? [];
      if ((second !== undefined) !== isWide) {
        isWide = !isWide;
        bytes.push(0x1b, ...(isWide ? [0x24, 0x42] : [0x28, 0x42]));
      }
      bytes.push(...(second === undefined ? [first] : [first & 0x7f, second & 0x7f]));
    }
    if (isWide) bytes.push(0x1b, 0x28, 0x42);
    return Buffer.from(bytes);
  }
  const map = mapOf(charset);
  return Buffer.from([...text].flatMap((char) => map.get(char) ?? [63]));
}

/** RFC 2047, split between characters. */
export function word(text: string, charset = 'utf-8', form: 'B' | 'Q' = 'B'): string {
  const pieces = Array.from({ length: Math.ceil([...text].length / 10) }, (_, at) =>
    [...text].slice(at * 10, at * 10 + 10).join(''),
  );
  return pieces
    .map((piece) => {
      const bytes = encode(piece, charset);
      const coded =
        form === 'B'
          ? bytes.toString('base64')
          : [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
      return `=?${charset}?${form}?${coded}?=`;
    })
    .join('\r\n ');
}

export function quotedPrintable(content: Buffer): string {
  const lines: string[] = [];
  let line = '';
  for (const byte of content) {
    if (byte === 10) {
      lines.push(line.replace(/ $/, '=20'));
      line = '';
      continue;
    }
    if (byte === 13) continue;
    const isPlain = byte >= 32 && byte < 127 && byte !== 61;
    const char = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (line.length + char.length > 75) {
      lines.push(`${line}=`);
      line = '';
    }
    line += char;
  }
  return [...lines, line.replace(/ $/, '=20')].join('\r\n');
}

type Transfer = 'quoted-printable' | 'base64' | '8bit';

export function textPart(
  text: string,
  type = 'text/plain',
  charset = 'utf-8',
  transfer: Transfer = 'quoted-printable',
  more = '',
): Part {
  const bytes = encode(text.replaceAll('\n', '\r\n'), charset);
  return {
    headers: {
      'Content-Type': `${type}; charset="${charset}"${more}`,
      'Content-Transfer-Encoding': transfer,
    },
    body: transfer === '8bit' ? bytes : transfer === 'base64' ? base64(bytes) : quotedPrintable(bytes),
  };
}

export function filePart(name: string, type: string, content: Buffer | string, contentId?: string): Part {
  return {
    headers: {
      'Content-Type': `${type}; name="${name}"`,
      'Content-Disposition': `${contentId ? 'inline' : 'attachment'}; filename="${name}"`,
      ...(contentId ? { 'Content-ID': `<${contentId}>` } : {}),
      'Content-Transfer-Encoding': 'base64',
    },
    body: base64(content),
  };
}

let boundaries = 0;
const bytesOf = ({ headers, body }: Part): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\r\n')}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);

export function multipart(type: string, parts: readonly Part[], more = ''): Part {
  const boundary = `----=_Part_${++boundaries}`;
  return {
    headers: { 'Content-Type': `multipart/${type}; boundary="${boundary}"${more}` },
    body: Buffer.concat([
      ...parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), bytesOf(part), Buffer.from('\r\n')]),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  };
}

let senders = 0;
/** A mail from a new customer, so that no mail counts as part of a flood. */
export function message(headers: Record<string, string>, content: Part): Buffer {
  const id = ++senders;
  return bytesOf({
    headers: {
      From: `Customer ${id} <customer${id}@mail${id}.example>`,
      To: 'help@shop.example',
      Date: 'Mon, 02 Nov 2026 11:00:00 +0100',
      'Message-ID': `<corpus${id}@mail${id}.example>`,
      'MIME-Version': '1.0',
      ...headers,
      ...content.headers,
    },
    body: content.body,
  });
}
