import type { Language } from '@foyer/protocol';
import { accentProperties } from '@foyer/protocol/values/accent';
import { type Html, html } from '../base/html.ts';
import { speechOf } from '../i18n/phrases.ts';
import type { Mail } from './mailer.ts';
import type { LinkedFile, Said } from './reply-mail.ts';
import { RICH_STYLE } from './rich-style.ts';

/** One reply of the team or the bot. */
export interface ChatMailLine {
  speaker: string;
  said: Said;
}

export interface ChatToMail {
  siteName: string;
  /** `#rrggbb` */
  siteColor: string;
  language: Language;
  to: { name: string | null; address: string };
  subject: string;
  lines: readonly ChatMailLine[];
  linkedFiles: readonly LinkedFile[];
  /** The page with the chat; null if it isn't known. */
  pageUrl: string | null;
  /** Whether answers to the mail return to the chat. */
  isAnswerable: boolean;
  /** Whether a person wrote a line. */
  byTeam: boolean;
  id: string;
  thread: readonly string[];
}

const howToAnswer = ({ isAnswerable, language }: ChatToMail): string =>
  speechOf(language).say(isAnswerable ? 'mail_answer_by_mail' : 'chat_mail_not_read');

const whyOf = ({ siteName, language }: ChatToMail): string =>
  speechOf(language).say('chat_mail_why', { site: siteName });

function textOf(chat: ChatToMail): string {
  const { lines, linkedFiles, language, pageUrl } = chat;
  const { say } = speechOf(language);
  const links = linkedFiles.map(({ name, url }) => `${name}\n${url}`);
  const parts = [
    ...lines.map(({ speaker, said }) => `${speaker}:\n${said.text}`),
    ...(links.length > 0 ? [`${say('mail_large_files')}\n${links.join('\n')}`] : []),
  ];
  const ending = [
    howToAnswer(chat),
    ...(pageUrl === null ? [] : [`${say('chat_mail_continue')}: ${pageUrl}`]),
    whyOf(chat),
  ];
  return `${parts.join('\n\n')}\n\n--\n${ending.join('\n')}\n`;
}

const SMALL = 'margin:20px 0 0;font-size:13px;line-height:20px;opacity:.75';

const lineOf = ({ speaker, said }: ChatMailLine): Html =>
  html`<p style="margin:20px 0 4px;font-size:13px"><strong dir="auto">${speaker}</strong></p>
<div class="said" dir="auto" style="overflow-wrap:anywhere">${said.html}</div>
`;

function htmlOf(chat: ChatToMail): Html {
  const { language, lines, linkedFiles, pageUrl, siteColor } = chat;
  const { say, direction } = speechOf(language);
  const colors = accentProperties(siteColor);
  const button = `display:inline-block;padding:11px 20px;border-radius:8px;background:${colors['--accent-light']};color:${colors['--on-accent-light']};font-weight:600;text-decoration:none`;
  const links = linkedFiles.map(({ name, url }) => html`<br><a href="${url}">${name}</a>`);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${RICH_STYLE}</style></head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:22px">
<div style="max-width:600px;margin:0 auto">
${lines.map(lineOf)}
${links.length > 0 && html`<p dir="auto" style="margin:16px 0 0">${say('mail_large_files')}${links}</p>`}
${pageUrl !== null && html`<p style="margin:28px 0 0"><a href="${pageUrl}" style="${button}">${say('chat_mail_continue')}</a></p>`}
<p style="${SMALL}">${howToAnswer(chat)}<br>${whyOf(chat)}</p>
</div>
</body></html>
`;
}

/** Unread replies of a chat in one mail, with names, and how to answer. Escapes everything. */
export function composeChatMail(chat: ChatToMail): Mail {
  return {
    to: chat.to,
    fromName: chat.siteName,
    subject: chat.subject,
    text: textOf(chat),
    html: String(htmlOf(chat)),
    id: chat.id,
    thread: chat.thread,
    headers: {
      // Out-of-office replies would say nothing. A mailbox reads bounces, which `All` suppresses.
      'X-Auto-Response-Suppress': chat.isAnswerable ? 'OOF, AutoReply' : 'All',
      // RFC 3834: marks a mail that no person wrote, so that no auto-responder answers it.
      ...(chat.byTeam ? {} : { 'Auto-Submitted': 'auto-generated' }),
    },
  };
}
