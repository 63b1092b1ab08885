import { REPLY_MARKDOWN, REPLY_WITHOUT } from '@foyer/protocol/browser/markdown/reply-rules';
import MarkdownIt from 'markdown-it';
import { type Html, html } from '../base/html.ts';
import { isFollowable, type MarkdownProfile, renderTokens } from './markdown-html.ts';
import { textOfTokens } from './markdown-text.ts';

const markdown = new MarkdownIt({ ...REPLY_MARKDOWN, linkify: true }).disable(REPLY_WITHOUT);
// "readme.md" and "e.g.this" are no addresses.
markdown.linkify.set({ fuzzyLink: false });

interface ReplyOptions {
  /** Precedes paths of this installation; empty on its own pages. */
  base: string;
  /** Whether a path is that of a picture stored here. */
  isOwnPicture(path: string): boolean;
  /** The address from which such a picture is loaded, if not from this installation. */
  pictureAddress?(path: string): string | undefined;
}

const IS_PATH = /^\/(?![/\\])[^\s\\]*$/;

const profileOf = ({ base, isOwnPicture, pictureAddress }: ReplyOptions): MarkdownProfile => ({
  // Headings in a message must not appear in a page's outline.
  heading: (content) => html`<p><strong>${content}</strong></p>\n`,
  link: (href) => (isFollowable(href) ? href : IS_PATH.test(href) ? base + href : undefined),
  picture(address) {
    const path = base !== '' && address.startsWith(`${base}/`) ? address.slice(base.length) : address;
    return isOwnPicture(path) ? (pictureAddress?.(path) ?? base + path) : undefined;
  },
  lineBreak: html`<br>\n`,
});

/** Markdown of the team or the bot as HTML for customers. For the customer's own words, use `linked`. */
export const replyHtml = (body: string, options: ReplyOptions): Html =>
  renderTokens(markdown.parse(body, {}), profileOf(options));

/** The same as plain text: lists stay lists, and a link is `title (address)`. */
export const replyText = (body: string, options: ReplyOptions): string =>
  textOfTokens(markdown.parse(body, {}), profileOf(options));
