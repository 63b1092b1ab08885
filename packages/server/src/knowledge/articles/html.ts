import MarkdownIt from 'markdown-it';
import { type Html, html } from '../../base/html.ts';
import { isFollowable, type MarkdownProfile, renderTokens, wordsOf } from '../../text/markdown-html.ts';
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

/** Ids of the pages themselves, the widget's too, which no heading may have. */
const PAGE_IDS = ['main', 'q', 'contents', 'rate', 'top', 'app'];

/** A path of the help centre, or a relative link to another article. */
const WITHIN = /^(?:#|\/(?![/\\])|[^:/\\?#]+(?:[/?#]|$))/;

/** An article's markdown, with the headings for its table of contents. */
export function renderArticle(body: string): RenderedArticle {
  const tokens = markdown.parse(body, {});
  // The page's own heading is the title.
  const deeper = tokens.some(({ type, tag }) => type === 'heading_open' && tag === 'h1') ? 1 : 0;
  const slugs = createSlugs(PAGE_IDS);
  const headings: ArticleHeading[] = [];
  const heading: MarkdownProfile['heading'] = (content, open, inline) => {
    const level = Math.min(6, Number(open.tag.slice(1)) + deeper);
    const text = wordsOf(inline?.children ?? []);
    const id = slugs.take(text);
    if (level <= 3 && text !== '') headings.push({ id, text, level });
    return headingOf(level, id, content);
  };
  const profile: MarkdownProfile = { heading, link, picture, lineBreak: '\n' };
  return { html: renderTokens(tokens, profile), headings };
}

const link = (href: string): string | undefined =>
  isFollowable(href) || (WITHIN.test(href) && !href.includes('\\')) ? href : undefined;

const picture = (address: string): string | undefined => (isArticleImage(address) ? address : undefined);

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
