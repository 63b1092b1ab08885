import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { isNotForIndex } from '../crawl/not-for-index.ts';
import { type Extracted, extractedText } from './extracted.ts';
import { htmlConverter } from './html-markdown.ts';

/** The part of the DOM that is used here: the server's types have none. */
interface Element {
  readonly textContent: string | null;
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  cloneNode(deep: boolean): Element;
}

/** A page as it was received. */
export interface PageAbout {
  readonly url: string;
  /** The header of that name. */
  readonly contentType: string;
}

/** How far into a page its own charset declaration is looked for. */
const DECLARED_WITHIN_BYTES = 1_024;
/** Elements around the text of a page. */
const AROUND = [
  ...['nav', 'aside', 'footer', 'header:not(main header):not(article header)', 'script', 'style', 'noscript'],
  ...['template', 'form', 'dialog', 'iframe', '[hidden]', '[aria-hidden="true"]', '[role="navigation"]'],
  ...['[role="banner"]', '[role="contentinfo"]', '[role="search"]', '[role="dialog"]'],
].join(',');
/** A shorter main part may be an empty shell. */
const MAIN_MIN_CHARS = 40;
/**
 * On a page that doesn't mark its parts, the article is at least this share of the text; otherwise it is only a part.
 */
const READ_SHARE = 0.4;

/** The main text of a page, without the parts that all pages of its site repeat. Nothing in it is run. */
export function extractHtml(content: Buffer, { url, contentType }: PageAbout): Extracted {
  const document: Element = parseHTML(whole(decoded(content, contentType))).document;
  const robots = [...document.querySelectorAll('meta[name="robots" i], meta[name="foyerbot" i]')];
  if (robots.some((meta) => isNotForIndex(meta.getAttribute('content')))) return { problem: 'noindex' };
  followable(document, url);
  const named = titleOf(document);
  const { html, heading } = mainPart(document);
  return extractedText(heading || named, htmlConverter().turndown(html));
}

/** The parser mistakes the first element of a page without `<html>` for the whole page. */
const whole = (html: string): string =>
  /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;

/** By the byte order mark, the header, the page's own declaration, else UTF-8. */
function decoded(content: Buffer, contentType: string): string {
  const named = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  const start = content.subarray(0, DECLARED_WITHIN_BYTES).toString('latin1');
  const declared = /charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
  const isUtf16 =
    (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  if (isUtf16) return new TextDecoder(content[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(content);
  return decoderOf(named ?? declared ?? 'utf-8').decode(content);
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** The page's own title. */
const titleOf = (document: Element): string | null =>
  document.querySelector('meta[property="og:title"]')?.getAttribute('content')?.trim() ||
  document.querySelector('title')?.textContent?.trim() ||
  null;

const textOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

interface MainPart {
  readonly html: string;
  /** The main heading in it; empty without one. */
  readonly heading: string;
}

const partOf = (element: Element): MainPart => ({
  html: element.innerHTML,
  heading: textOf(element.querySelector('h1')),
});

/**
 * The part that the page marks as the main one; else what looks like an article; else everything but the surrounding
 * parts.
 */
function mainPart(document: Element): MainPart {
  const mains = [...document.querySelectorAll('main, [role="main"]')];
  const articles = [...document.querySelectorAll('article')];
  const [main] = mains.length === 1 ? mains : articles.length === 1 ? articles : [];
  if (main) {
    for (const element of main.querySelectorAll(AROUND)) element.remove();
    if (textOf(main).length >= MAIN_MIN_CHARS) return partOf(main);
  }
  const headings = [...document.querySelectorAll('h1')];
  const heading = headings.length === 1 ? textOf(headings[0] ?? null) : '';
  for (const element of document.querySelectorAll(AROUND)) element.remove();
  const read = new Readability(document.cloneNode(true)).parse();
  const rest = document.querySelector('body') ?? document;
  const isMost = (read?.textContent?.length ?? 0) >= READ_SHARE * textOf(rest).length;
  return read?.content && isMost ? { html: read.content, heading } : partOf(rest);
}

/** Links keep their targets. */
function followable(document: Element, url: string): void {
  const base = URL.parse(document.querySelector('base')?.getAttribute('href') ?? '', url)?.href ?? url;
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? '';
    const full = href.startsWith('#') ? undefined : URL.parse(href, base)?.href;
    if (full === undefined) link.removeAttribute('href');
    else link.setAttribute('href', full);
  }
}
