import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { parseMail } from './parse-mail.ts';

const PICTURE = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7_919) % 251));
const lines = (content: Buffer): string => (content.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n');
const ENCODED = lines(PICTURE);
const LARGE = Buffer.concat(
  Array.from({ length: 15 }, () => PICTURE),
  299_999,
);
const FILE = 'Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64';

const mailOf = (parts: readonly string[], end = '--b--'): Buffer =>
  Buffer.from(
    `From: Ann <ann@customer.example>\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n${parts
      .map((part) => `--b\r\n${part}\r\n`)
      .join('')}${end}\r\n`,
    'latin1',
  );

/** Mails whose structure isn't what it seems, or whose base64 is invalid. */
const ODD: Record<string, Buffer> = {
  'no end': mailOf([`${FILE}\r\n\r\n${ENCODED}`], ''),
  'a line like a delimiter within': mailOf([`${FILE}\r\n\r\n${ENCODED}\r\n--c\r\n${ENCODED}`]),
  'another declared boundary within': mailOf([
    `${FILE}\r\nX: boundary=c\r\n\r\n${ENCODED}\r\n--c\r\n${FILE}\r\n\r\n${ENCODED}`,
  ]),
  'other characters': mailOf([`${FILE}\r\n\r\n*${ENCODED}!\r\n=?${ENCODED}`]),
  'padding on every line': mailOf([`${FILE}\r\n\r\n${'QQ==\r\n'.repeat(3_000)}`]),
  'a character too many': mailOf([`${FILE}\r\n\r\n${ENCODED.replace(/=+$/, '')}AAAAA`]),
  'another alphabet': mailOf([`${FILE}\r\n\r\n${ENCODED.replaceAll('+', '-').replaceAll('/', '_')}`]),
  'padding in the middle of a large file': mailOf([
    `${FILE}\r\n\r\n${lines(LARGE)}\r\nQQ==\r\n${lines(LARGE)}`,
  ]),
  'spaces between': mailOf([`${FILE}\r\n\r\n${ENCODED.replaceAll('\r\n', ' \t\r\n ')}`]),
  'two types': mailOf([`Content-Type: text/plain\r\n${FILE}\r\n\r\n${ENCODED}`]),
  'two encodings': mailOf([`Content-Transfer-Encoding: 7bit\r\n${FILE}\r\n\r\n${ENCODED}`]),
  'headers behind an empty line': mailOf([`\r\n${FILE}\r\n\r\n${ENCODED}`]),
  'a forwarded mail with a file': mailOf([
    `Content-Type: message/rfc822\r\n\r\n${mailOf([`${FILE}\r\n\r\n${ENCODED}`])
      .toString('latin1')
      .replaceAll('"b"', 'c')
      .replaceAll('--b', '--c')}`,
  ]),
  'a calendar': mailOf([
    `Content-Type: application/ics\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(Buffer.from('BEGIN:VCALENDAR\r\n'.repeat(600)))}`,
  ]),
};
const PLAIN: Record<string, Buffer> = {
  'one file': mailOf(['\r\nHello', `${FILE}\r\n\r\n${ENCODED}`]),
  'a file that is decoded in pieces': mailOf([`${FILE}\r\n\r\n${lines(LARGE)}`]),
  'two of the same': mailOf([`${FILE}\r\n\r\n${ENCODED}`, `${FILE}\r\n\r\n${ENCODED}`]),
  'line ends of Unix': Buffer.from(
    mailOf([`${FILE}\r\n\r\n${ENCODED}`])
      .toString('latin1')
      .replaceAll('\r', ''),
    'latin1',
  ),
  'no padding': mailOf([`${FILE}\r\n\r\n${ENCODED.replace(/=+$/, '')}`]),
};

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function alone(raw: Buffer) {
  const { text, attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  const files = attachments.map(({ content }) => hashOf(new Uint8Array(content as ArrayBuffer)));
  return { hasText: text !== undefined, files };
}

describe('a mail whose large files are decoded natively is the same as the parser’s result', () => {
  it.each(Object.entries({ ...PLAIN, ...ODD }))('%s', async (_name, raw) => {
    const { text, files } = await parseMail(raw);
    const found = { hasText: text !== null, files: files.map(({ content }) => hashOf(content)) };
    expect(found).toEqual(await alone(raw));
  });
});
