import { strikethrough, tables } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

/** Elements whose content is no text of the page. */
const DROPPED = ['script', 'style', 'noscript', 'template', 'iframe', 'object', 'form', 'button'] as const;

/**
 * A new converter from HTML to the Markdown of articles. Pictures are dropped: every reader of an answer would load
 * them from another server.
 */
export function htmlConverter(): { turndown(html: string): string } {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  service.use([tables, strikethrough]);
  service.remove([...DROPPED]);
  service.addRule('pictures', {
    filter: ['img', 'svg', 'picture', 'video', 'audio', 'canvas'] as never,
    replacement: () => '',
  });
  service.addRule('links', {
    filter: (node) => node.nodeName === 'A',
    replacement: (content, node) =>
      linkOf(content, 'getAttribute' in node ? node.getAttribute('href') : null),
  });
  return service;
}

/** Only addresses that can be opened from a chat; an anchor within the file leads nowhere there. */
function linkOf(content: string, href: string | null): string {
  const label = content.replace(/\s+/g, ' ').trim();
  if (label === '' || href === null || !/^(?:https?:|mailto:|tel:)/i.test(href)) return content;
  return `[${label}](<${href.replace(/[<>\s]/g, encodeURIComponent)}>)`;
}
