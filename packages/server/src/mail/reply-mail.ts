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

export interface ReplyToMail {
  siteName: string;
  /** `#rrggbb` */
  siteColor: string;
  language: Language;
  requester: { name: string | null; address: string };
  subject: string;
  said: Said;
  /** The signature of the agent or the site; null: both names. */
  signature: Said | null;
  /** Null if no person wrote it. */
  agentName: string | null;
  fileNames: readonly string[];
  /** The ticket's page. */
  url: string;
  id: string;
  threadId: string;
}

const WHOLE_SUBJECT_MAX = 250;

/** Adds `Re: ` once, so that mail programs see one thread. */
const subjectOf = (subject: string): string =>
  (/^re:/i.test(subject) ? subject : `Re: ${subject}`).slice(0, WHOLE_SUBJECT_MAX).toWellFormed();

const filesOf = ({ language, fileNames }: ReplyToMail): string | false =>
  fileNames.length > 0 && speechOf(language).say('mail_files', { names: fileNames.join(', ') });

function textOf(reply: ReplyToMail): string {
  const { siteName, language, said, signature, agentName, url } = reply;
  const { say } = speechOf(language);
  const from = signature?.text ?? (agentName === null ? siteName : `${agentName}, ${siteName}`);
  const files = filesOf(reply);
  return `${said.text}

${from}
${files ? `\n${files}\n` : ''}
--
${say('mail_answer_here')}
${url}

${say('mail_not_read')} ${say('mail_link_yours')}
`;
}

function htmlOf(reply: ReplyToMail): Html {
  const { siteName, siteColor, language, said, signature, agentName, url } = reply;
  const { say, direction } = speechOf(language);
  const files = filesOf(reply);
  const colors = accentProperties(siteColor);
  const from = signature
    ? html`<div class="said" dir="auto" style="margin:20px 0 0;overflow-wrap:anywhere">${signature.html}</div>`
    : html`<p dir="auto" style="margin:20px 0 0">${agentName !== null && html`<strong>${agentName}</strong><br>`}${siteName}</p>`;
  const button = `display:inline-block;padding:11px 20px;border-radius:8px;background:${colors['--accent-light']};color:${colors['--on-accent-light']};font-weight:600;text-decoration:none`;
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${RICH_STYLE}</style></head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:22px">
<div style="max-width:600px;margin:0 auto">
<div class="said" dir="auto" style="overflow-wrap:anywhere">${said.html}</div>
${from}
${files && html`<p dir="auto" style="margin:16px 0 0">${files}</p>`}
<p style="margin:28px 0 0"><a href="${url}" style="${button}">${say('mail_button')}</a></p>
<p style="margin:20px 0 0;font-size:13px;line-height:20px;opacity:.75">${say('mail_not_read')} ${say('mail_link_yours')}</p>
</div>
</body></html>
`;
}

/** The mail of a public reply: its text with formatting, and how to answer. */
export function composeReplyMail(reply: ReplyToMail): Mail {
  return {
    to: reply.requester,
    fromName: reply.siteName,
    subject: subjectOf(reply.subject),
    text: textOf(reply),
    html: String(htmlOf(reply)),
    id: reply.id,
    threadId: reply.threadId,
    headers: {
      // Out-of-office replies would reach nobody.
      'X-Auto-Response-Suppress': 'All',
      // RFC 3834: marks a mail that no person wrote, so that no auto-responder answers it.
      ...(reply.agentName === null ? { 'Auto-Submitted': 'auto-generated' } : {}),
    },
  };
}
