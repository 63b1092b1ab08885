import { SUBJECT_MAX, TICKET_TEXT_MAX } from '@foyer/protocol/values/bounds';
import type { NewAttachment } from '../../attachments/attachments.ts';
import { htmlToText } from '../../mime/html-text.ts';
import type { MailHead, ParsedMail } from '../../mime/parsed-mail.ts';
import { isRichHtml } from '../../mime/rich-html.ts';
import { separate } from '../../mime/separate.ts';

/** A mail's content, without quoted text. */
export interface Said {
  /** Plain text, not markdown, of any length; empty for a mail without any. */
  text: string;
  /** The quoted text of earlier mails, and the signature. */
  quoted: string | null;
  html: string | null;
  /** Whether the HTML shows more than the text. */
  isRich: boolean;
  /** Parts that are too long to be shown. */
  files: NewAttachment[];
}

/** A mail as a ticket's text or reply. */
export interface Content extends Pick<Said, 'quoted' | 'html' | 'isRich' | 'files'> {
  /** Plain text, not markdown. */
  body: string;
}

/** Longer HTML would take too long to sanitize: it is kept as a file. */
const HTML_MAX = 1024 * 1024;

/** Shown for a mail without any text. */
const WITHOUT_TEXT = '—';

const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** A ticket's subject: the mail's, else the beginning of its text. */
export function subjectOf(mail: MailHead, body: string): string {
  const subject = mail.subject || body.split('\n', 1)[0]?.trim() || WITHOUT_TEXT;
  return shortened(subject, SUBJECT_MAX);
}

/** Separates a mail's own text from quoted text, in linear time. */
export async function saidOf(mail: ParsedMail): Promise<Said> {
  const whole = mail.text?.trim() ? mail.text : mail.html === null ? '' : await htmlToText(mail.html);
  const { text, quoted } = separate(whole);
  const withInvite = [text, mail.invite ?? ''].filter((part) => part !== '').join('\n\n');
  const { html } = mail;
  if (html !== null && html.length > HTML_MAX) {
    const file = { name: 'message.html', contentType: 'text/html', content: Buffer.from(html) };
    return { text: withInvite, quoted, html: null, isRich: false, files: [file] };
  }
  return { text: withInvite, quoted, html, isRich: html !== null && (await isRichHtml(html)), files: [] };
}

/** @param max characters of the text; all of a longer one is a file too */
export function contentOf({ mail, said }: { mail: MailHead; said: Said }, max = TICKET_TEXT_MAX): Content {
  const { text, quoted, html, isRich } = said;
  const files: NewAttachment[] = mail.files.map(({ name, contentType, content, contentId }) => ({
    name,
    contentType,
    content,
    contentId,
  }));
  if (text.length > max)
    files.push({ name: 'message.txt', contentType: 'text/plain', content: Buffer.from(text) });
  files.push(...said.files);
  return { body: shortened(text, max) || WITHOUT_TEXT, quoted, html, isRich, files };
}
