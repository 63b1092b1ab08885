import { parseApart } from '../../policy/trusted.ts';
import { listsOfWord } from './word-lists.ts';

const EMPTY = 'p, h1, h2, h3, h4, h5, h6, li, span, b, strong, i, em';
const BOLD = 'h1, h2, h3, h4, h5, h6, table tr:first-child';
const HEADINGS: Readonly<Record<string, string>> = {
  MsoTitle: 'h1',
  MsoSubtitle: 'h2',
  MsoQuote: 'blockquote',
  MsoIntenseQuote: 'blockquote',
};

const hasContent = (element: Element): boolean =>
  (element.textContent ?? '').trim() !== '' || element.querySelector('img, hr, br + br, table') !== null;

function rename(element: Element, name: string): Element {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

const unwrap = (element: Element): void => element.replaceWith(...element.childNodes);

/** A cell has one paragraph: further ones become lines of it. */
function oneParagraph(cell: Element): void {
  const parts = [...cell.querySelectorAll('p, h1, h2, h3, h4, h5, h6, li, div')].filter(
    (part) => !part.querySelector('p, li, div') && hasContent(part),
  );
  if (parts.length === 0) return;
  const paragraph = cell.ownerDocument.createElement('p');
  for (const [at, part] of parts.entries()) paragraph.append(...(at > 0 ? [' '] : []), ...part.childNodes);
  cell.replaceChildren(paragraph);
}

/** The target of a link in a published Google document, which goes through Google. */
function ownAddress(link: HTMLAnchorElement): void {
  const { host, pathname, searchParams } = URL.canParse(link.href)
    ? new URL(link.href)
    : new URL('about:blank');
  const target = searchParams.get('q');
  if (host === 'www.google.com' && pathname === '/url' && target) link.setAttribute('href', target);
}

/** Collapses several spaces of any kind into one. A single no-break space stays. */
function tidySpaces(root: Node): void {
  const walker = (root.ownerDocument ?? document).createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.parentElement?.closest('pre')) continue;
    text.data = text.data.replace(/[ \t\r\n\u00a0]{2,}/g, (run) => (run.includes('\u00a0') ? ' ' : run));
  }
}

/**
 * Cleans HTML from Word, Google Docs and web pages: paragraphs that look like lists become lists, styles for bold
 * become marks by the schema's rules, and empty elements and styles are removed.
 */
export function cleanHtml(html: string, follows: (href: string) => boolean): string {
  const { body } = parseApart(html);
  for (const gone of body.querySelectorAll('style, script, meta, link, title, xml, o\\:p, v\\:shapetype'))
    gone.remove();
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a')) {
    ownAddress(link);
    // Word's bookmarks and Google's comments.
    const href = link.getAttribute('href') ?? '';
    if (!follows(href) || /^#(_|cmnt)/.test(href)) unwrap(link);
  }
  for (const [name, tag] of Object.entries(HEADINGS))
    for (const paragraph of body.querySelectorAll(`p.${name}`)) {
      const renamed = rename(paragraph, tag);
      if (tag === 'blockquote') {
        const inner = body.ownerDocument.createElement('p');
        inner.append(...renamed.childNodes);
        renamed.append(inner);
      }
    }
  listsOfWord(body);
  tidySpaces(body);
  for (const cell of body.querySelectorAll('td, th')) oneParagraph(cell);
  // They are bold by default.
  for (const inner of body.querySelectorAll<HTMLElement>(`:is(${BOLD}) :is(b, strong, span)`)) {
    inner.style.removeProperty('font-weight');
    if (inner.matches('b, strong')) unwrap(inner);
  }
  for (const element of [...body.querySelectorAll(EMPTY)].toReversed())
    if (!hasContent(element) && !element.closest('td, th, pre')) {
      if (element.matches('span') && element.textContent !== '') unwrap(element);
      else if (element.querySelector('br') === null || element.matches('p')) element.remove();
    }
  for (const picture of body.querySelectorAll('img'))
    if (/^(?:file|cid|about|blob):/i.test(picture.getAttribute('src') ?? '')) picture.remove();
  return body.innerHTML;
}
