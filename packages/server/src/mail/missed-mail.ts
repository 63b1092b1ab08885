import { html } from '../base/html.ts';
import type { DeskSpeech } from '../i18n/desk-phrases.ts';
import type { Mail } from './mailer.ts';

const SHOWN_MAX = 20;

interface MissedThing {
  sentence: string;
  /** The ticket's subject, or the last message; empty if the agent hides the text. */
  text: string;
  url: string;
}

interface MissedToMail {
  siteName: string;
  agent: { name: string; address: string };
  things: readonly MissedThing[];
  inboxUrl: string;
  settingsUrl: string;
  /** Turns these mails off without signing in, for a person and for a mail program (RFC 8058). */
  offUrl: string;
  id: string;
  thread: readonly string[];
}

/** One mail about everything an agent has missed while away. */
export function composeMissedMail(missed: MissedToMail, { say, language }: DeskSpeech): Mail {
  const { siteName, agent, things, inboxUrl, settingsUrl, offUrl } = missed;
  const shown = things.slice(0, SHOWN_MAX);
  const more = things.length > SHOWN_MAX && say('missed_more', { count: things.length - SHOWN_MAX });
  const lines = shown.map(({ sentence, text, url }) => [sentence, text, url].filter(Boolean).join('\n'));
  const foot = [
    say('missed_why'),
    `${say('missed_choose')}: ${settingsUrl}`,
    `${say('missed_off')}: ${offUrl}`,
  ];
  return {
    to: agent,
    fromName: siteName,
    subject: say('missed_subject', { count: things.length, site: siteName }),
    text: `${say('missed_intro')}\n\n${[...lines, more].filter(Boolean).join('\n\n')}\n\n${say('missed_open')}: ${inboxUrl}\n\n--\n${foot.join('\n')}\n`,
    html: String(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:22px">
<div style="max-width:600px;margin:0 auto"><p style="margin:0 0 16px">${say('missed_intro')}</p>
${shown.map(
  ({ sentence, text, url }) =>
    html`<p dir="auto" style="margin:0 0 16px;overflow-wrap:anywhere"><a href="${url}" style="font-weight:600">${sentence}</a>${text && html`<br>${text}`}</p>
`,
)}
${more && html`<p style="margin:0 0 16px">${more}</p>`}
<p style="margin:24px 0"><a href="${inboxUrl}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#0f6b68;color:#fff;font-weight:600;text-decoration:none">${say('missed_open')}</a></p>
<p style="margin:20px 0 0;font-size:13px;line-height:20px;opacity:.75">${say('missed_why')}<br><a href="${settingsUrl}">${say('missed_choose')}</a> · <a href="${offUrl}">${say('missed_off')}</a></p>
</div></body></html>
`),
    id: missed.id,
    thread: missed.thread,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': `<${offUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
