import type { MailPerson } from '@foyer/protocol';
import type { Address, Attachment, Email } from 'postal-mime';
import { takeLargeFiles } from './large-files.ts';
import {
  MAIL_MAX_BYTES,
  MAIL_MAX_DEPTH,
  MAIL_MAX_HEADER_BYTES,
  MAIL_MAX_PARTS,
  MailUnreadable,
} from './limits.ts';
import type { MailFile, ParsedMail } from './parsed-mail.ts';
import { repairText } from './repair-text.ts';
import { unpack } from './unpack.ts';

/** How many addresses or Message-IDs of one header count. */
const LIST_MAX = 200;
const ADDRESS_MAX = 254;
const NAME_MAX = 200;
const SUBJECT_MAX = 998;
const ID_MAX = 998;
/** More boundaries than any mail of 300 parts declares. */
const BOUNDARIES_MAX = MAIL_MAX_PARTS;

/** Removes what PostgreSQL can't store and what a header must not contain. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '');
const oneLine = (text: string, max: number): string =>
  clean(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed();

const person = ({ name, address }: { name: string; address: string }): MailPerson => ({
  name: oneLine(name, NAME_MAX) || null,
  address: oneLine(address, ADDRESS_MAX + 1),
});

const isAddress = ({ address }: MailPerson): boolean =>
  address.length <= ADDRESS_MAX && /^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+$/u.test(address);

const people = (addresses: readonly Address[] = []): MailPerson[] =>
  addresses
    .flatMap((one) => (one.group ? one.group : [one]))
    .slice(0, LIST_MAX)
    .map(person)
    .filter(isAddress);

/** The Message-IDs of a header, without angle brackets, in its order. */
function idsOf(header: string | undefined): string[] {
  if (header === undefined) return [];
  const ids: string[] = [];
  for (const piece of header.split('<').slice(-LIST_MAX)) {
    const id = piece.split('>', 1)[0]?.trim() ?? '';
    if (id !== '' && id.length <= ID_MAX && !/\s/.test(id)) ids.push(clean(id));
  }
  return ids;
}

/**
 * Counts delimiter lines of declared boundaries before anything is parsed, so that a mail of a million empty parts
 * doesn't become a million objects. @throws MailUnreadable
 */
function refuseManyParts(text: string): void {
  const boundaries = new Set<string>();
  for (const [, quoted, bare] of text.matchAll(
    /\bboundary\s{0,9}=\s{0,9}(?:"([^"\r\n]{1,200})"|([^\s";]{1,200}))/gi,
  ))
    if (boundaries.add(quoted ?? bare ?? '').size > BOUNDARIES_MAX)
      throw new MailUnreadable('too_many_parts', `The message has more than ${MAIL_MAX_PARTS} parts.`);
  let parts = 0;
  for (let at = text.startsWith('--') ? 0 : text.indexOf('\n--') + 1; at > 0 || parts === 0; ) {
    if (!text.startsWith('--', at)) break;
    const end = text.indexOf('\n', at);
    const line = text.slice(at + 2, end === -1 ? undefined : Math.min(end, at + 210)).trimEnd();
    if (boundaries.has(line) && ++parts > MAIL_MAX_PARTS)
      throw new MailUnreadable('too_many_parts', `The message has more than ${MAIL_MAX_PARTS} parts.`);
    const next = end === -1 ? -1 : text.indexOf('\n--', end);
    if (next === -1) break;
    at = next + 1;
  }
}

function headersOf(email: Email): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const { key, value } of email.headers) {
    const values = headers.get(key) ?? [];
    values.push(oneLine(value, 20_000));
    headers.set(key, values);
  }
  return headers;
}

function fileOf(file: Attachment): MailFile {
  const { content } = file;
  return {
    name: file.filename ?? '',
    contentType: file.mimeType,
    content:
      typeof content === 'string'
        ? Buffer.from(content)
        : content instanceof Uint8Array
          ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
          : Buffer.from(content),
    contentId: file.contentId?.replace(/^<|>$/g, '').trim().slice(0, ID_MAX) || null,
    isInline: file.disposition === 'inline' || file.related === true,
    method: file.method ?? null,
  };
}

async function parseWithin(raw: Buffer): Promise<Email> {
  // Loaded by the first mail: most processes never see one.
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(raw, {
      maxNestingDepth: MAIL_MAX_DEPTH,
      maxHeadersSize: MAIL_MAX_HEADER_BYTES,
      forceRfc822Attachments: true,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.startsWith('Maximum MIME nesting'))
      throw new MailUnreadable(
        'nested_too_deeply',
        `The message has parts nested over ${MAIL_MAX_DEPTH} levels.`,
      );
    if (message.startsWith('Maximum header size'))
      throw new MailUnreadable(
        'headers_too_large',
        `The headers are over ${MAIL_MAX_HEADER_BYTES / 1024} KiB.`,
      );
    throw error;
  }
}

async function parseQuickly(raw: Buffer): Promise<Email> {
  const light = takeLargeFiles(raw);
  // Encoded files have no delimiter lines.
  refuseManyParts((light?.raw ?? raw).toString('latin1'));
  if (light) {
    const email = await parseWithin(light.raw);
    if (light.restore(email.attachments)) return email;
  }
  return parseWithin(raw);
}

/**
 * Parses a mail in memory proportional to its size, and in linear time.
 * @throws MailUnreadable for a mail over a limit
 */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  if (raw.length === 0) throw new MailUnreadable('empty', 'The message is empty.');
  if (raw.length > MAIL_MAX_BYTES)
    throw new MailUnreadable('too_large', `The message is over ${MAIL_MAX_BYTES / 1024 / 1024} MB.`);
  const email = await parseQuickly(raw);
  const [from = null] = people(email.from ? [email.from] : []);
  return unpack({
    headers: headersOf(email),
    from,
    to: people(email.to),
    cc: people(email.cc),
    subject: oneLine(email.subject ?? '', SUBJECT_MAX),
    messageId: idsOf(email.messageId).at(-1) ?? null,
    refersTo: [...new Set([...idsOf(email.inReplyTo), ...idsOf(email.references).reverse()])].slice(
      0,
      LIST_MAX,
    ),
    date: oneLine(email.date ?? '', 100),
    text: email.text === undefined ? null : clean(repairText(email.text)),
    html: email.html === undefined ? null : clean(repairText(email.html)),
    files: email.attachments.map(fileOf),
    invite: null,
  });
}
