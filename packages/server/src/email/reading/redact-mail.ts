import type { Redaction } from '@foyer/protocol';
import { redact, redactsAnything } from '@foyer/protocol/values/redaction/redact';
import { htmlToText } from '../../mime/html-text.ts';
import type { ParsedMail } from '../../mime/parsed-mail.ts';

/**
 * A mail without what its site redacts. Its HTML is removed too, because markup may split a number; the text has the
 * same content.
 * @returns the mail itself if it contains nothing to redact
 */
export async function redactMail(mail: ParsedMail, rules: Redaction): Promise<ParsedMail> {
  if (!redactsAnything(rules)) return mail;
  const fromHtml = mail.html === null ? '' : await htmlToText(mail.html);
  const whole = mail.text?.trim() ? mail.text : fromHtml;
  const said = { subject: mail.subject, text: whole, html: fromHtml, invite: mail.invite ?? '' };
  const subject = redact(said.subject, rules);
  const text = redact(said.text, rules);
  const invite = redact(said.invite, rules);
  const isClean =
    subject === said.subject &&
    text === said.text &&
    invite === said.invite &&
    redact(said.html, rules) === said.html;
  if (isClean) return mail;
  return { ...mail, subject, text, html: null, invite: mail.invite === null ? null : invite };
}
