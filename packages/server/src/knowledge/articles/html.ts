import MarkdownIt from 'markdown-it';
import { type Html, type HtmlPart, html } from '../../base/html.ts';
import { isArticleImage } from './images.ts';
import { createSlugs } from './slug.ts';

/** A heading that the table of contents leads to. */
interface ArticleHeading {
  readonly id: string;
  readonly text: string;
  /** 2 or 3. */
  readonly level: number;
}

interface RenderedArticle {
  readonly html: Html;
  readonly headings: readonly ArticleHeading[];
}

const markdown = new MarkdownIt({ html: false, linkify: true });
type Token = ReturnType<typeof markdown.parse>[number];

/** Ids of the pages themselves, the widget's too, which no heading may have. */
const PAGE_IDS = ['main', 'q', 'contents', 'rate', 'top', 'app'];

/**
 * The one way in which an article's markdown becomes HTML. Nothing of the text is ever taken for HTML: each element is
 * written here, by the template that escapes whatever is put in, and what has no element here is left out.
 */
export function renderArticle(body: string): RenderedArticle {
  const tokens = markdown.parse(body, {});
  // The page's own heading is the title.
  const deeper = tokens.some(({ type, tag }) => type === 'heading_open' && tag === 'h1') ? 1 : 0;
  const slugs = createSlugs(PAGE_IDS);
  const headings: ArticleHeading[] = [];
  const heading = (content: Html, open: Token, inline: Token | undefined): Html => {
    const level = Math.min(6, Number(open.tag.slice(1)) + deeper);
    const text = textOf(inline?.children ?? []);
    const id = slugs.take(text);
    if (level <= 3 && text !== '') headings.push({ id, text, level });
    return headingOf(level, id, content);
  };
  return { html: blocks(tokens, heading), headings };
}

type HeadingMaker = (content: Html, open: Token, inline: Token | undefined) => Html;

function headingOf(level: number, id: string, content: Html): Html {
  switch (level) {
    case 2:
      return html`<h2 id="${id}">${content}</h2>\n`;
    case 3:
      return html`<h3 id="${id}">${content}</h3>\n`;
    case 4:
      return html`<h4 id="${id}">${content}</h4>\n`;
    case 5:
      return html`<h5 id="${id}">${content}</h5>\n`;
    default:
      return html`<h6 id="${id}">${content}</h6>\n`;
  }
}

/** Where the element that begins at `from` ends: levels of beginning and end are the same. */
function endOf(tokens: readonly Token[], from: number): number {
  const level = tokens[from]?.level;
  let at = from + 1;
  while (at < tokens.length && !(tokens[at]?.nesting === -1 && tokens[at]?.level === level)) at += 1;
  return at;
}

function blocks(tokens: readonly Token[], heading: HeadingMaker): Html {
  const parts: HtmlPart[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    if (token.nesting !== 1) {
      parts.push(leaf(token));
      continue;
    }
    const end = endOf(tokens, at);
    const within = tokens.slice(at + 1, end);
    const content = blocks(within, heading);
    parts.push(token.type === 'heading_open' ? heading(content, token, within[0]) : element(token, content));
    at = end;
  }
  return html`${parts}`;
}

function leaf(token: Token): HtmlPart {
  switch (token.type) {
    case 'inline':
      return inlines(token.children ?? []);
    case 'fence':
    case 'code_block':
      return html`<pre tabindex="0"><code>${token.content}</code></pre>\n`;
    case 'hr':
      return html`<hr>\n`;
    default:
      return undefined;
  }
}

function element(open: Token, content: Html): HtmlPart {
  switch (open.type) {
    case 'paragraph_open':
      return open.hidden ? content : html`<p>${content}</p>\n`;
    case 'bullet_list_open':
      return html`<ul>\n${content}</ul>\n`;
    case 'ordered_list_open':
      return html`<ol start="${Number(open.attrGet('start') ?? 1)}">\n${content}</ol>\n`;
    case 'list_item_open':
      return html`<li>${content}</li>\n`;
    case 'blockquote_open':
      return html`<blockquote>${content}</blockquote>\n`;
    case 'table_open':
      return html`<div class="table" tabindex="0"><table>${content}</table></div>\n`;
    case 'thead_open':
      return html`<thead>${content}</thead>`;
    case 'tbody_open':
      return html`<tbody>${content}</tbody>`;
    case 'tr_open':
      return html`<tr>${content}</tr>`;
    case 'th_open':
      return html`<th scope="col">${content}</th>`;
    case 'td_open':
      return html`<td>${content}</td>`;
    default:
      return content;
  }
}

function inlines(tokens: readonly Token[]): Html {
  const parts: HtmlPart[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    if (token.nesting !== 1) {
      parts.push(inlineLeaf(token));
      continue;
    }
    const end = endOf(tokens, at);
    parts.push(inlineElement(token, inlines(tokens.slice(at + 1, end))));
    at = end;
  }
  return html`${parts}`;
}

function inlineLeaf(token: Token): HtmlPart {
  switch (token.type) {
    case 'text':
    case 'text_special':
      return token.content;
    case 'code_inline':
      return html`<code>${token.content}</code>`;
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return html`<br>`;
    case 'image':
      return image(token);
    default:
      return undefined;
  }
}

function inlineElement(open: Token, content: Html): HtmlPart {
  switch (open.type) {
    case 'em_open':
      return html`<em>${content}</em>`;
    case 'strong_open':
      return html`<strong>${content}</strong>`;
    case 's_open':
      return html`<s>${content}</s>`;
    case 'link_open':
      return link(String(open.attrGet('href') ?? ''), content);
    default:
      return content;
  }
}

/** Only what a browser follows without running anything; a link of another kind is its text. */
function link(href: string, content: Html): HtmlPart {
  if (/^(?:https?:\/\/|mailto:|tel:)/i.test(href))
    return html`<a href="${href}" rel="noopener noreferrer">${content}</a>`;
  const isWithin = /^(?:#|\/(?![/\\])|[^:/\\?#]+(?:[/?#]|$))/.test(href) && !href.includes('\\');
  return isWithin ? html`<a href="${href}">${content}</a>` : content;
}

/** Only pictures that were kept here are shown: any other would tell a stranger who reads what. */
function image(token: Token): HtmlPart {
  const address = String(token.attrGet('src') ?? '');
  const description = textOf(token.children ?? []);
  if (isArticleImage(address))
    return html`<img src="${address}" alt="${description}" loading="lazy" decoding="async">`;
  return link(address, html`${description || address}`);
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'image' ? textOf(children ?? []) : content;
    })
    .join('')
    .trim();
}
