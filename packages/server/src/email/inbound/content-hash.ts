import { createHash } from 'node:crypto';
import type { ParsedMail } from '../../mime/parse-mail.ts';

/** Of the text only letters and digits count: servers and lists on a route fold lines and add footers' spaces. */
const normalized = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

/** SHA-256 of what stays the same when a mail comes by another route or to another address. */
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
