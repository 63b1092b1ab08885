import { REPLY_MARKDOWN, REPLY_WITHOUT } from '@foyer/protocol/browser/markdown/reply-rules';
import MarkdownIt from 'markdown-it';
import { isLink } from '../schema.ts';

type Markdown = InstanceType<typeof MarkdownIt>;

/** How a kind of text is parsed, as its readers see it, and written. */
export interface Dialect {
  /** Parses addresses in the text as text, because they become links without markup. */
  reader: Markdown;
  /** Renders what readers see, to compare two texts. */
  shown: Markdown;
  /** A line break within a paragraph. */
  lineBreak: '\\\n' | '\n';
  /** Whether characters can be written as numeric entities. */
  hasEntities: boolean;
  /** Whether there are headings. */
  hasHeadings: boolean;
  /** Whether readers can follow a link to this address. */
  follows(href: string): boolean;
}

/** For the help centre. */
export const ARTICLE: Dialect = {
  reader: new MarkdownIt({ html: false, linkify: false }),
  shown: new MarkdownIt({ html: false, linkify: true }),
  lineBreak: '\\\n',
  hasEntities: true,
  hasHeadings: true,
  follows: isLink,
};

/** A mail has no page that a link could be relative to. A path means this installation. */
const followsFromMail = (href: string): boolean =>
  isLink(href) && /^(?:https?:\/\/|mailto:|tel:|\/)/i.test(href);

/** As in mails: every line break counts, and a link that doesn't work there becomes its text. */
function asMailed(markdown: Markdown): Markdown {
  markdown.core.ruler.push('as_mailed', ({ tokens }) => {
    for (const block of tokens) {
      let isDead = false;
      block.children =
        block.children?.filter((token) => {
          if (token.type === 'softbreak') token.type = 'hardbreak';
          if (token.type === 'link_open') isDead = !followsFromMail(String(token.attrGet('href') ?? ''));
          return !(isDead && token.type.startsWith('link_'));
        }) ?? null;
    }
  });
  return markdown;
}

function reply(linkify: boolean): Markdown {
  const markdown = new MarkdownIt({ ...REPLY_MARKDOWN, linkify }).disable(REPLY_WITHOUT);
  markdown.linkify.set({ fuzzyLink: false });
  return asMailed(markdown);
}

/** For replies to tickets: in the desk, in mails and in the portal. */
export const REPLY: Dialect = {
  reader: reply(false),
  shown: reply(true),
  lineBreak: '\n',
  hasEntities: false,
  hasHeadings: false,
  follows: followsFromMail,
};
