import type MarkdownIt from 'markdown-it';
import { type Html, type HtmlPart, html } from '../base/html.ts';

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** The differences between kinds of markdown texts. */
export interface MarkdownProfile {
  /** A heading with its content; `inline` contains its text. */
  heading(content: Html, open: Token, inline: Token | undefined): HtmlPart;
  /** The target of a link; undefined: it may not be followed, and only its text is shown. */
  link(href: string): string | undefined;
  /** The address from which a picture is loaded; undefined: it isn't ours, and becomes a link. */
  picture(address: string): string | undefined;
  /** Between two lines of one paragraph. */
  readonly lineBreak: HtmlPart;
}

/** Only what a browser follows without running anything. */
export const isFollowable = (href: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(href);

/**
 * The only way in which markdown becomes HTML. Nothing of the text is ever treated as HTML: each element is written
 * here, by the template that escapes all inserted values, and elements that aren't here are dropped.
 */
export const renderTokens = (tokens: readonly Token[], profile: MarkdownProfile): Html =>
  blocks(tokens, profile);

/** The end of the element that begins at `from`: levels of beginning and end are the same. */
export function endOf(tokens: readonly Token[], from: number): number {
  const level = tokens[from]?.level;
  let at = from + 1;
  while (at < tokens.length && !(tokens[at]?.nesting === -1 && tokens[at]?.level === level)) at += 1;
  return at;
}

function blocks(tokens: readonly Token[], profile: MarkdownProfile): Html {
  const parts: HtmlPart[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    if (token.nesting !== 1) {
      parts.push(leaf(token, profile));
      continue;
    }
    const end = endOf(tokens, at);
    const within = tokens.slice(at + 1, end);
    const content = blocks(within, profile);
    parts.push(
      token.type === 'heading_open' ? profile.heading(content, token, within[0]) : element(token, content),
    );
    at = end;
  }
  return html`${parts}`;
}

function leaf(token: Token, profile: MarkdownProfile): HtmlPart {
  switch (token.type) {
    case 'inline':
      return inlines(token.children ?? [], profile);
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

function inlines(tokens: readonly Token[], profile: MarkdownProfile): Html {
  const parts: HtmlPart[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    if (token.nesting !== 1) {
      parts.push(inlineLeaf(token, profile));
      continue;
    }
    const end = endOf(tokens, at);
    parts.push(inlineElement(token, inlines(tokens.slice(at + 1, end), profile), profile));
    at = end;
  }
  return html`${parts}`;
}

function inlineLeaf(token: Token, profile: MarkdownProfile): HtmlPart {
  switch (token.type) {
    case 'text':
    case 'text_special':
      return token.content;
    case 'code_inline':
      return html`<code>${token.content}</code>`;
    case 'softbreak':
      return profile.lineBreak;
    case 'hardbreak':
      return html`<br>`;
    case 'image':
      return image(token, profile);
    default:
      return undefined;
  }
}

function inlineElement(open: Token, content: Html, profile: MarkdownProfile): HtmlPart {
  switch (open.type) {
    case 'em_open':
      return html`<em>${content}</em>`;
    case 'strong_open':
      return html`<strong>${content}</strong>`;
    case 's_open':
      return html`<s>${content}</s>`;
    case 'link_open':
      return link(String(open.attrGet('href') ?? ''), content, profile);
    default:
      return content;
  }
}

/** A link that may not be followed is only its text. */
function link(href: string, content: Html, profile: MarkdownProfile): HtmlPart {
  const address = profile.link(href);
  if (address === undefined) return content;
  return isFollowable(address)
    ? html`<a href="${address}" rel="noopener noreferrer">${content}</a>`
    : html`<a href="${address}">${content}</a>`;
}

/** Only pictures stored here are shown: any other would tell a stranger who reads what. */
function image(token: Token, profile: MarkdownProfile): HtmlPart {
  const address = String(token.attrGet('src') ?? '');
  const description = wordsOf(token.children ?? []);
  const own = profile.picture(address);
  if (own !== undefined) return html`<img src="${own}" alt="${description}" loading="lazy" decoding="async">`;
  return link(address, html`${description || address}`, profile);
}

/** The words of a line, without markdown. */
export function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'image' ? wordsOf(children ?? []) : content;
    })
    .join('')
    .trim();
}
