import { SUBJECT_MAX, TICKET_TEXT_MAX } from '@foyer/protocol/values/bounds';
import type { NewAttachment } from '../../attachments/attachments.ts';
import { htmlToText } from '../../mime/html-text.ts';
import type { ParsedMail } from '../../mime/parsed-mail.ts';
import { isRichHtml } from '../../mime/rich-html.ts';
import { separate } from '../../mime/separate.ts';

/** A mail as a ticket's text or reply. */
export interface Content {
  /** Plain text, not markdown. */
  body: string;
  /** What the mail repeated of earlier mails, and its signature. */
  quoted: string | null;
  html: string | null;
  /** Whether the HTML shows more than the text. */
  isRich: boolean;
  files: NewAttachment[];
}

/** Longer HTML would take too long to sanitize: it is kept as a file. */
const HTML_MAX = 1024 * 1024;

/** Shown for a mail without any text. */
const WITHOUT_TEXT = '—';

const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** A ticket's subject: the mail's, else the beginning of its text. */
export function subjectOf(mail: ParsedMail, body: string): string {
  const subject = mail.subject || body.split('\n', 1)[0]?.trim() || WITHOUT_TEXT;
  return shortened(subject, SUBJECT_MAX);
}

/** What a mail says, without what it repeats. @param max characters of the text; all of a longer one is a file too */
export async function contentOf(mail: ParsedMail, max = TICKET_TEXT_MAX): Promise<Content> {
  const whole = mail.text?.trim() ? mail.text : mail.html === null ? '' : await htmlToText(mail.html);
  const { text, quoted } = separate(whole);
  const withInvite = [text, mail.invite ?? ''].filter((part) => part !== '').join('\n\n');
  const files: NewAttachment[] = mail.files.map(({ name, contentType, content, contentId }) => ({
    name,
    contentType,
    content,
    contentId,
  }));
  if (withInvite.length > max)
    files.push({ name: 'message.txt', contentType: 'text/plain', content: Buffer.from(withInvite) });
  const isShown = mail.html !== null && mail.html.length <= HTML_MAX;
  if (mail.html !== null && !isShown)
    files.push({ name: 'message.html', contentType: 'text/html', content: Buffer.from(mail.html) });
  return {
    body: shortened(withInvite, max) || WITHOUT_TEXT,
    quoted,
    html: isShown ? mail.html : null,
    isRich: mail.html !== null && isShown && (await isRichHtml(mail.html)),
    files,
  };
}
