import {
  ATTACHMENT_MAX_BYTES,
  ATTACHMENTS_MAX,
  type PortalEntry,
  type PortalTicket,
  TICKET_TEXT_MAX,
} from '@foyer/protocol';
import { type Html, html, linked } from '../../html.ts';
import { STATUS_WORDS, sizeText, timeText } from './words.ts';

/** What the form holds when it is shown again. */
export interface PortalForm {
  /** Made anew for each form, so that one that is sent twice is stored once. */
  answerId: string;
  text: string;
  /** What is wrong, in sentences for the person who wrote; empty: nothing yet. */
  problems: readonly string[];
}

interface PageParts {
  title: string;
  siteName: string | undefined;
  siteLogo?: string | null;
  stylesheet: string;
  main: Html;
}

const layout = ({ title, siteName, siteLogo, stylesheet, main }: PageParts): Html => html`<!doctype html>
<html lang="en">
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
${siteName !== undefined && html`<header class="site"><p dir="auto">${siteLogo && html`<img class="logo" src="${siteLogo}" alt="">`}${siteName}</p></header>`}
<main id="main">
${main}
</main>
</body>
</html>
`;

const attachmentList = (path: string, { attachments }: PortalEntry): Html | false =>
  attachments.length > 0 &&
  html`<ul class="files" aria-label="Attached files">${attachments.map(
    ({ id, name, size }) =>
      html`<li><a href="${path}/attachments/${id}" download><span class="file-name" dir="auto">${name}</span> <span class="size">${sizeText(size)}</span></a></li>`,
  )}</ul>`;

/** Who said it, told by a word as well as by the side that it stands on. */
function entryOf(path: string, siteName: string, entry: PortalEntry, isLatest: boolean): Html {
  const { from, name, body, createdAt } = entry;
  const who = from === 'you' ? 'You' : (name ?? siteName);
  return html`<li class="entry ${from}"${isLatest && html` id="latest"`}>
<article>
<header><span class="who" dir="auto">${who}</span>${from === 'team' && name !== null && html` <span class="of" dir="auto">${siteName}</span>`} <time datetime="${createdAt.toISOString()}">${timeText(createdAt)}</time></header>
<div class="text" dir="auto">${linked(body)}</div>
${attachmentList(path, entry)}
</article>
</li>
`;
}

function answerForm(path: string, { status }: PortalTicket, { answerId, text, problems }: PortalForm): Html {
  const hasProblems = problems.length > 0;
  const label = status === 'closed' ? 'Write again' : 'Your answer';
  return html`<form class="answer" id="answer" method="post" action="${path}" enctype="multipart/form-data">
${hasProblems && html`<div class="problem" role="alert" id="problem"><p><strong>Your answer was not sent.</strong></p>${problems.map((problem) => html`<p dir="auto">${problem}</p>`)}</div>`}
<input type="hidden" name="answer_id" value="${answerId}">
<label for="text">${label}</label>
<textarea id="text" name="text" rows="6" maxlength="${TICKET_TEXT_MAX}" required dir="auto" ${hasProblems && html`aria-describedby="problem" autofocus`}>
${text}</textarea>
<div class="row">
<div class="pick">
<label for="files">Add files <span class="soft">(up to ${ATTACHMENTS_MAX}, each ${sizeText(ATTACHMENT_MAX_BYTES)} at most)</span></label>
<input id="files" type="file" name="files" multiple>
</div>
<button type="submit">${status === 'closed' ? 'Send as a new request' : 'Send answer'}</button>
</div>
</form>`;
}

/** A ticket as its requester sees it, with a form that needs no script. */
export function ticketPage(options: {
  ticket: PortalTicket;
  form: PortalForm;
  /** The page's own address, `/portal/…`. */
  path: string;
  stylesheet: string;
  justSent: boolean;
}): Html {
  const { ticket, form, path, stylesheet, justSent } = options;
  const { subject, id, siteName, siteLogo, status, entries, earlier, followsUp } = ticket;
  const words = STATUS_WORDS[status];
  return layout({
    title: `${form.problems.length > 0 ? 'Not sent: ' : ''}${subject} – ${siteName}`,
    siteName,
    siteLogo,
    stylesheet,
    main: html`<div class="head">
<p class="number">Request ${id}</p>
<h1 dir="auto">${subject}</h1>
<p class="status ${words.tone}"><strong>${words.label}</strong> <span>${words.hint}</span></p>
${followsUp && html`<p class="follows">This goes on from request ${followsUp.id}, which is closed.</p>`}
</div>
${justSent && html`<p class="sent" role="status"><strong>Your answer was sent.</strong> ${followsUp ? `It began this new request, because request ${followsUp.id} is closed.` : 'You can come back to this page by the same link.'}</p>`}
${earlier > 0 && html`<p class="earlier">${earlier} earlier messages are not shown here.</p>`}
<ol class="thread" aria-label="Messages">
${entries.map((entry, at) => entryOf(path, siteName, entry, at === entries.length - 1))}
</ol>
${answerForm(path, ticket, form)}
<p class="private">Whoever has the link to this page can read it. Keep it to yourself.</p>`,
  });
}

/** A page that says one thing, such as that a link has ended. */
export function noticePage(options: {
  title: string;
  sentences: readonly string[];
  stylesheet: string;
  siteName?: string;
  siteLogo?: string | null;
  requestId?: string;
  /** What was written and not sent, to be copied. */
  unsent?: string;
}): Html {
  const { title, sentences, stylesheet, siteName, siteLogo = null, requestId, unsent } = options;
  return layout({
    title: siteName === undefined ? title : `${title} – ${siteName}`,
    siteName,
    siteLogo,
    stylesheet,
    main: html`<div class="notice">
<h1>${title}</h1>
${sentences.map((sentence) => html`<p dir="auto">${sentence}</p>`)}
${
  unsent &&
  html`<div class="unsent"><label for="unsent">What you wrote, to copy</label><textarea id="unsent" rows="6" readonly dir="auto">
${unsent}</textarea></div>`
}
${requestId !== undefined && html`<p class="soft">If you tell us of this, please give us this number: <code>${requestId}</code></p>`}
</div>`,
  });
}
