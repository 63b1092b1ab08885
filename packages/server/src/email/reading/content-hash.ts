import { createHash } from 'node:crypto';
import type { ParsedMail } from '../../mime/parsed-mail.ts';

/** Mails with the same headers that differ only after this count as one. */
const TEXT_MAX = 200_000;

/** Only letters and digits of the text count: servers and lists on a route fold lines and change spaces. */
const normalized = (text: string): string => text.slice(0, TEXT_MAX).replace(/[^\p{L}\p{N}]+/gu, '');

/** SHA-256 of the parts that stay the same when a mail comes by another route or to another address. */
export function contentHash({ messageId, from, date, subject, text, html, files }: ParsedMail): Buffer {
  const parts = [
    messageId ?? '',
    from?.address.toLowerCase() ?? '',
    date,
    subject,
    normalized(text ?? html ?? ''),
    // A mail without an id may differ from another in its files only.
    ...(messageId === null ? files.map(({ name, content }) => `${name} ${content.length}`) : []),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
