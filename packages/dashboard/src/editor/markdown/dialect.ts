import { REPLY_MARKDOWN, REPLY_WITHOUT } from '@foyer/protocol/browser/markdown/reply-rules';
import MarkdownIt from 'markdown-it';
import { isLink } from '../schema.ts';

type Markdown = InstanceType<typeof MarkdownIt>;

/** The rules by which a text is read, as its readers are shown it, and how it is written so that they hold. */
export interface Dialect {
  /** Addresses in the text stay text: they are links without being marked as such. */
  reader: Markdown;
  /** As readers see it, to compare two texts. */
  shown: Markdown;
  /** How a line ends within a paragraph. */
  lineBreak: '\\\n' | '\n';
  /** Whether a character can be written as its number. */
  hasEntities: boolean;
  /** Whether there is more than one size of text. */
  hasHeadings: boolean;
  /** Whether readers can follow a link to this address. */
  follows(href: string): boolean;
}

/** Of the help centre. */
export const ARTICLE: Dialect = {
  reader: new MarkdownIt({ html: false, linkify: false }),
  shown: new MarkdownIt({ html: false, linkify: true }),
  lineBreak: '\\\n',
  hasEntities: true,
  hasHeadings: true,
  follows: isLink,
};

/** In a mail there is no page that a link could be relative to; a path is one of this installation. */
const followsFromMail = (href: string): boolean =>
  isLink(href) && /^(?:https?:\/\/|mailto:|tel:|\/)/i.test(href);

/** As in the mail, each line break counts, and a link that leads nowhere from there is its text. */
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

/** Of a reply to a ticket, in the desk, in mails and on the customer's page. */
export const REPLY: Dialect = {
  reader: reply(false),
  shown: reply(true),
  lineBreak: '\n',
  hasEntities: false,
  hasHeadings: false,
  follows: followsFromMail,
};
