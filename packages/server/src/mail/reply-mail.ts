import type { Language } from '@foyer/protocol';
import { accentProperties } from '@foyer/protocol/values/accent';
import { type Html, html } from '../base/html.ts';
import { speechOf } from '../i18n/phrases.ts';
import type { Mail } from './mailer.ts';
import { RICH_STYLE } from './rich-style.ts';

/** Markdown, rendered for HTML and for plain text. */
export interface Said {
  html: Html;
  text: string;
}

/** A file that a mail doesn't contain, and where to get it. */
export interface LinkedFile {
  name: string;
  url: string;
}

export interface ReplyToMail {
  siteName: string;
  /** `#rrggbb` */
  siteColor: string;
  language: Language;
  requester: { name: string | null; address: string };
  /** The subject line as it is sent. */
  subject: string;
  said: Said;
  /** The signature of the agent or the site; null: both names. */
  signature: Said | null;
  /** Null if no person wrote it. */
  agentName: string | null;
  /** How to answer: on the ticket's page, or by mail. */
  answer:
    | { by: 'page'; url: string; fileNames: readonly string[] }
    | { by: 'mail'; linkedFiles: readonly LinkedFile[] };
  id: string;
  thread: readonly string[];
}

const WHOLE_SUBJECT_MAX = 250;

/** Adds `Re: ` once, so that mail programs see one thread. */
export const answerSubject = (subject: string): string =>
  (/^re:/i.test(subject) ? subject : `Re: ${subject}`).slice(0, WHOLE_SUBJECT_MAX).toWellFormed();

function endingOf({ answer, language }: ReplyToMail): string {
  const { say } = speechOf(language);
  if (answer.by === 'mail') {
    const links = answer.linkedFiles.map(({ name, url }) => `${name}\n${url}\n`);
    return `${links.length > 0 ? `\n${say('mail_large_files')}\n${links.join('')}` : ''}
--
${say('mail_answer_by_mail')}
`;
  }
  const { fileNames, url } = answer;
  const files = fileNames.length > 0 && say('mail_files', { names: fileNames.join(', ') });
  return `${files ? `\n${files}\n` : ''}
--
${say('mail_answer_here')}
${url}

${say('mail_not_read')} ${say('mail_link_yours')}
`;
}

function textOf(reply: ReplyToMail): string {
  const { siteName, said, signature, agentName } = reply;
  const from = signature?.text ?? (agentName === null ? siteName : `${agentName}, ${siteName}`);
  return `${said.text}

${from}
${endingOf(reply)}`;
}

const SMALL = 'margin:20px 0 0;font-size:13px;line-height:20px;opacity:.75';

function htmlEndingOf({ answer, language, siteColor }: ReplyToMail): Html {
  const { say } = speechOf(language);
  if (answer.by === 'mail') {
    const links = answer.linkedFiles.map(({ name, url }) => html`<br><a href="${url}">${name}</a>`);
    return html`${links.length > 0 && html`<p dir="auto" style="margin:16px 0 0">${say('mail_large_files')}${links}</p>`}
<p style="${SMALL}">${say('mail_answer_by_mail')}</p>`;
  }
  const colors = accentProperties(siteColor);
  const button = `display:inline-block;padding:11px 20px;border-radius:8px;background:${colors['--accent-light']};color:${colors['--on-accent-light']};font-weight:600;text-decoration:none`;
  const { fileNames, url } = answer;
  const files = fileNames.length > 0 && say('mail_files', { names: fileNames.join(', ') });
  return html`${files && html`<p dir="auto" style="margin:16px 0 0">${files}</p>`}
<p style="margin:28px 0 0"><a href="${url}" style="${button}">${say('mail_button')}</a></p>
<p style="${SMALL}">${say('mail_not_read')} ${say('mail_link_yours')}</p>`;
}

function htmlOf(reply: ReplyToMail): Html {
  const { siteName, language, said, signature, agentName } = reply;
  const { direction } = speechOf(language);
  const from = signature
    ? html`<div class="said" dir="auto" style="margin:20px 0 0;overflow-wrap:anywhere">${signature.html}</div>`
    : html`<p dir="auto" style="margin:20px 0 0">${agentName !== null && html`<strong>${agentName}</strong><br>`}${siteName}</p>`;
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${RICH_STYLE}</style></head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:22px">
<div style="max-width:600px;margin:0 auto">
<div class="said" dir="auto" style="overflow-wrap:anywhere">${said.html}</div>
${from}
${htmlEndingOf(reply)}
</div>
</body></html>
`;
}

/** The mail of a public reply: its text with formatting, and how to answer. It quotes nothing. */
export function composeReplyMail(reply: ReplyToMail): Mail {
  return {
    to: reply.requester,
    fromName: reply.siteName,
    subject: reply.subject,
    text: textOf(reply),
    html: String(htmlOf(reply)),
    id: reply.id,
    thread: reply.thread,
    headers: {
      // Out-of-office replies would reach nobody, or say nothing. A mailbox reads bounces, which `All` suppresses.
      'X-Auto-Response-Suppress': reply.answer.by === 'mail' ? 'OOF, AutoReply' : 'All',
      // RFC 3834: marks a mail that no person wrote, so that no auto-responder answers it.
      ...(reply.agentName === null ? { 'Auto-Submitted': 'auto-generated' } : {}),
    },
  };
}
