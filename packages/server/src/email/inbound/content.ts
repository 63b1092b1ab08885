import { SUBJECT_MAX, TICKET_TEXT_MAX } from '@foyer/protocol/values/bounds';
import type { NewAttachment } from '../../attachments/attachments.ts';
import type { ParsedMail } from '../../mime/parse-mail.ts';

/** A mail as a ticket's text or reply. */
export interface Content {
  /** Plain text, not markdown. */
  body: string;
  /** What the mail repeated of earlier mails, and its signature. */
  quoted: string | null;
  html: string | null;
  files: NewAttachment[];
}

/** Shown for a mail without any text. */
const WITHOUT_TEXT = '—';

const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** A ticket's subject: the mail's, else the beginning of its text. */
export function subjectOf(mail: ParsedMail, body: string): string {
  const subject = mail.subject || body.split('\n', 1)[0]?.trim() || WITHOUT_TEXT;
  return shortened(subject, SUBJECT_MAX);
}

/** What a mail says, without what it repeats. */
export async function contentOf(mail: ParsedMail): Promise<Content> {
  const text = (mail.text ?? '').trim();
  const files: NewAttachment[] = mail.files.map(({ name, contentType, content, contentId }) => ({
    name,
    contentType,
    content,
    contentId,
  }));
  return {
    body: shortened(text, TICKET_TEXT_MAX) || WITHOUT_TEXT,
    quoted: null,
    html: mail.html,
    files,
  };
}
