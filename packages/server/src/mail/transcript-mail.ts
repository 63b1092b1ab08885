import type { Language } from '@foyer/protocol';
import { type Html, html } from '../base/html.ts';
import { speechOf } from '../i18n/phrases.ts';
import type { Mail } from './mailer.ts';
import { RICH_STYLE } from './rich-style.ts';

export interface TranscriptLine {
  /** The author's name; null for system messages. */
  speaker: string | null;
  /** The text, rendered for HTML and for plain text. */
  said: { html: Html; text: string };
  at: Date;
}

interface TranscriptToMail {
  siteName: string;
  language: Language;
  to: { name: string | null; address: string };
  startedAt: Date;
  lines: readonly TranscriptLine[];
  /** Whether the beginning of a very long chat was omitted. */
  isCut: boolean;
  id: string;
}

/** A mail may be read anywhere, so the time names its zone. */
const timeOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const titleOf = ({ siteName, language }: TranscriptToMail): string =>
  speechOf(language).say('transcript', { site: siteName });

function textOf(transcript: TranscriptToMail): string {
  const { language, startedAt, lines, isCut } = transcript;
  const { say } = speechOf(language);
  return [
    `${titleOf(transcript)}, ${timeOf(startedAt)}`,
    ...(isCut ? [say('transcript_cut')] : []),
    ...lines.map(({ speaker, said, at }) =>
      speaker === null ? `— ${said.text} (${timeOf(at)})` : `${speaker}, ${timeOf(at)}\n${said.text}`,
    ),
    `--\n${say('transcript_ending')}`,
  ].join('\n\n');
}

const lineOf = ({ speaker, said, at }: TranscriptLine): Html =>
  speaker === null
    ? html`<p dir="auto" style="margin:20px 0 0;font-size:13px;opacity:.75">${said.text} · ${timeOf(at)}</p>`
    : html`<p style="margin:20px 0 0;font-size:13px"><strong dir="auto">${speaker}</strong> <span style="opacity:.75">· ${timeOf(at)}</span></p>
<div class="said" dir="auto" style="overflow-wrap:anywhere">${said.html}</div>`;

function htmlOf(transcript: TranscriptToMail): Html {
  const { language, startedAt, lines, isCut } = transcript;
  const { say, direction } = speechOf(language);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${RICH_STYLE}</style></head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:22px">
<div style="max-width:600px;margin:0 auto">
<h1 style="margin:0;font-size:20px;line-height:28px"><span dir="auto">${titleOf(transcript)}</span></h1>
<p style="margin:4px 0 0;font-size:13px;opacity:.75">${timeOf(startedAt)}</p>
${isCut && html`<p style="margin:20px 0 0;font-size:13px;opacity:.75">${say('transcript_cut')}</p>`}
${lines.map(lineOf)}
<p style="margin:28px 0 0;font-size:13px;line-height:20px;opacity:.75">${say('transcript_ending')}</p>
</div>
</body></html>
`;
}

/** The transcript of a chat as its visitor saw it. Escapes everything. */
export function composeTranscriptMail(transcript: TranscriptToMail): Mail {
  return {
    to: transcript.to,
    fromName: transcript.siteName,
    subject: titleOf(transcript),
    text: textOf(transcript),
    html: String(htmlOf(transcript)),
    id: transcript.id,
    thread: [transcript.id],
    headers: { 'X-Auto-Response-Suppress': 'All', 'Auto-Submitted': 'auto-generated' },
  };
}
