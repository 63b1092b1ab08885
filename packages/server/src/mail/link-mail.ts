import { html } from '../base/html.ts';
import type { speechOf } from '../i18n/phrases.ts';
import type { Mail } from './mailer.ts';

interface LinkMail {
  to: Mail['to'];
  fromName: string;
  subject: string;
  speech: Pick<ReturnType<typeof speechOf>, 'direction' | 'language'>;
  what: string;
  hint: string;
  /** The hint matters most, and is above the link. */
  hintFirst?: boolean;
  button: string;
  url: string;
  id: string;
}

/** A mail with one action, behind a button. */
export function composeLinkMail({ speech, what, hint, hintFirst, button, url, id, ...head }: LinkMail): Mail {
  return {
    ...head,
    text: hintFirst ? `${what}\n\n${hint}\n\n${url}\n` : `${what}\n\n${url}\n\n${hint}\n`,
    html: String(html`<!doctype html>
<html lang="${speech.language}" dir="${speech.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:22px">
<div style="max-width:600px;margin:0 auto">
<p style="margin:0;overflow-wrap:anywhere">${what}</p>
${hintFirst && html`<p style="margin:16px 0 0">${hint}</p>`}
<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#0f6b68;color:#fff;font-weight:600;text-decoration:none">${button}</a></p>
${!hintFirst && html`<p style="margin:0;font-size:13px;line-height:20px;opacity:.75">${hint}</p>`}
</div>
</body></html>
`),
    id,
    thread: [id],
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
