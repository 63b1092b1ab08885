import {
  ATTACHMENT_MAX_BYTES,
  ATTACHMENTS_MAX,
  type PortalEntry,
  type PortalTicket,
  TICKET_TEXT_MAX,
} from '@foyer/protocol';
import { type Html, html, linked } from '../../base/html.ts';
import type { Speech } from '../../i18n/phrases.ts';
import { isArticleImage } from '../../knowledge/articles/images.ts';
import { replyHtml } from '../../text/reply-markdown.ts';
import { LOCAL_TIMES } from './local-times.ts';

/** The contents of a form that is shown again. */
export interface PortalForm {
  /** New for each form, so that a form that is sent twice is stored once. */
  answerId: string;
  text: string;
  /** The problems, in sentences for the person who wrote; empty: none yet. */
  problems: readonly string[];
}

const OWN_PICTURES = { base: '', isOwnPicture: isArticleImage };

/** Whose turn it is, by the colour of the status. Its words say it too. */
const TONES: Readonly<Record<PortalTicket['status'], 'ours' | 'yours' | 'done'>> = {
  new: 'ours',
  open: 'ours',
  pending: 'yours',
  hold: 'ours',
  solved: 'done',
  closed: 'done',
};

interface PageParts {
  speech: Speech;
  title: string;
  siteName: string | undefined;
  siteLogo?: string | null;
  stylesheet: string;
  main: Html;
}

const layout = ({
  speech,
  title,
  siteName,
  siteLogo,
  stylesheet,
  main,
}: PageParts): Html => html`<!doctype html>
<html lang="${speech.language}" dir="${speech.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
${siteName !== undefined && html`<header class="site"><p>${siteLogo && html`<img class="logo" src="${siteLogo}" alt="">`}<bdi>${siteName}</bdi></p></header>`}
<main id="main">
${main}
</main>
</body>
</html>
`;

const attachmentList = (speech: Speech, path: string, { attachments }: PortalEntry): Html | false =>
  attachments.length > 0 &&
  html`<ul class="files" aria-label="${speech.say('files')}">${attachments.map(
    ({ id, name, size }) =>
      html`<li><a href="${path}/attachments/${id}" download><span class="file-name" dir="auto">${name}</span> <span class="size">${speech.size(size)}</span></a></li>`,
  )}</ul>`;

/** The author is shown by a word as well as by the side. */
function entryOf(
  speech: Speech,
  path: string,
  { siteName, timeZone }: PortalTicket,
  entry: PortalEntry,
  isLatest: boolean,
): Html {
  const { from, name, body, createdAt } = entry;
  const isCustomer = from === 'you' || from === 'other';
  const who =
    from === 'you' ? speech.say('you') : (name ?? (from === 'bot' ? speech.say('assistant') : siteName));
  return html`<li class="entry ${isCustomer ? 'you' : 'team'}"${isLatest && html` id="latest"`}>
<article>
<header><span class="who" dir="auto">${who}</span>${!isCustomer && (name !== null || from === 'bot') && html` <span class="of" dir="auto">${siteName}</span>`} <time datetime="${createdAt.toISOString()}">${speech.time(createdAt, timeZone)}</time></header>
${isCustomer ? html`<div class="text" dir="auto">${linked(body)}</div>` : html`<div class="text rich" dir="auto">${replyHtml(body, OWN_PICTURES)}</div>`}
${attachmentList(speech, path, entry)}
</article>
</li>
`;
}

function fieldValue({ say }: Speech, { kind, values }: PortalTicket['fields'][number]): Html | string {
  const [value = ''] = values;
  if (kind === 'yes_no') return say(value === 'true' ? 'help_yes' : 'help_no');
  return kind === 'link' ? linked(value) : values.join(', ');
}

const fieldList = (speech: Speech, { fields }: PortalTicket): Html | false =>
  fields.length > 0 &&
  html`<dl class="fields">${fields.map(
    (field) =>
      html`<div><dt dir="auto">${field.name}</dt><dd dir="auto">${fieldValue(speech, field)}</dd></div>`,
  )}</dl>`;

function answerForm(
  { say, size }: Speech,
  path: string,
  { status }: PortalTicket,
  { answerId, text, problems }: PortalForm,
): Html {
  const hasProblems = problems.length > 0;
  const label = say(status === 'closed' ? 'write_again' : 'answer');
  return html`<form class="answer" id="answer" method="post" action="${path}" enctype="multipart/form-data">
${hasProblems && html`<div class="problem" role="alert" id="problem"><p><strong>${say('not_sent')}</strong></p>${problems.map((problem) => html`<p dir="auto">${problem}</p>`)}</div>`}
<input type="hidden" name="answer_id" value="${answerId}">
<label for="text">${label}</label>
<textarea id="text" name="text" rows="6" maxlength="${TICKET_TEXT_MAX}" required dir="auto" ${hasProblems && html`aria-describedby="problem" autofocus`}>
${text}</textarea>
<div class="row">
<div class="pick">
<label for="files">${say('add_files')} <span class="soft">(${say('file_limits', { count: ATTACHMENTS_MAX, size: size(ATTACHMENT_MAX_BYTES) })})</span></label>
<input id="files" type="file" name="files" multiple>
</div>
<button type="submit">${say(status === 'closed' ? 'send_as_new' : 'send_answer')}</button>
</div>
</form>`;
}

/** A ticket as its requester sees it, with a form that needs no script. */
export function ticketPage(options: {
  speech: Speech;
  ticket: PortalTicket;
  form: PortalForm;
  /** The page's own path, `/portal/…`. */
  path: string;
  stylesheet: string;
  justSent: boolean;
}): Html {
  const { speech, ticket, form, path, stylesheet, justSent } = options;
  const { say } = speech;
  const { subject, id, siteName, siteLogo, status, entries, earlier, followsUp } = ticket;
  const title = `${subject} – ${siteName}`;
  return layout({
    speech,
    title: form.problems.length > 0 ? say('not_sent_title', { title }) : title,
    siteName,
    siteLogo,
    stylesheet,
    main: html`<div class="head">
<p class="number">${say('request', { id: String(id) })}</p>
<h1 dir="auto">${subject}</h1>
<p class="status ${TONES[status]}"><strong>${say(`status_${status}`)}</strong> <span>${say(`status_${status}_hint`)}</span></p>
${followsUp && html`<p class="follows">${say('follows_up', { id: String(followsUp.id) })}</p>`}
${fieldList(speech, ticket)}
</div>
${justSent && html`<p class="sent" role="status"><strong>${say('sent')}</strong> ${followsUp ? say('sent_as_new', { id: String(followsUp.id) }) : say('sent_hint')}</p>`}
${earlier > 0 && html`<p class="earlier">${say('earlier', { count: earlier })}</p>`}
<ol class="thread" aria-label="${say('messages')}">
${entries.map((entry, at) => entryOf(speech, path, ticket, entry, at === entries.length - 1))}
</ol>
${ticket.isBlocked ? html`<p class="answer">${say('blocked')}</p>` : answerForm(speech, path, ticket, form)}
<p class="private">${say('keep_private')}</p>
${LOCAL_TIMES}`,
  });
}

/** A page with one message, such as that a link has expired. */
export function noticePage(options: {
  speech: Speech;
  title: string;
  sentences: readonly string[];
  stylesheet: string;
  siteName?: string;
  siteLogo?: string | null;
  requestId?: string;
  /** Text that couldn't be sent, for copying. */
  unsent?: string;
}): Html {
  const { speech, title, sentences, stylesheet, siteName, siteLogo = null, requestId, unsent } = options;
  return layout({
    speech,
    title: siteName === undefined ? title : `${title} – ${siteName}`,
    siteName,
    siteLogo,
    stylesheet,
    main: html`<div class="notice">
<h1>${title}</h1>
${sentences.map((sentence) => html`<p dir="auto">${sentence}</p>`)}
${
  unsent &&
  html`<div class="unsent"><label for="unsent">${speech.say('unsent')}</label><textarea id="unsent" rows="6" readonly dir="auto">
${unsent}</textarea></div>`
}
${requestId !== undefined && html`<p class="soft">${speech.say('tell_number')} <code>${requestId}</code></p>`}
</div>`,
  });
}
