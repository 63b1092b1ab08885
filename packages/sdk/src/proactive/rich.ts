import { type Block, parseMarkdown } from '@foyer/protocol/browser/markdown/blocks';
import type { Inline } from '@foyer/protocol/browser/markdown/inline';

/** An element with these children. No HTML is parsed: pages may require Trusted Types. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const inline = (part: Inline): Node | string => {
  if (typeof part === 'string') return part;
  if (part.type === 'break') return element('br');
  if (part.type === 'code') return element('code', { dir: 'ltr' }, part.text);
  const children = part.children.map(inline);
  if (part.type === 'link')
    return element('a', { href: part.href, target: '_blank', rel: 'noopener noreferrer' }, ...children);
  return element(part.type === 'strike' ? 's' : part.type, {}, ...children);
};

const block = (part: Block): Node => {
  switch (part.type) {
    case 'code':
      return element('pre', { dir: 'ltr' }, part.text);
    case 'rule':
      return element('hr');
    case 'quote':
      return element('blockquote', {}, ...part.children.map(block));
    case 'list': {
      const items = part.items.map((item) => element('li', {}, ...item.map(block)));
      return part.ordered ? element('ol', { start: part.start }, ...items) : element('ul', {}, ...items);
    }
    case 'table':
      return element(
        'p',
        {},
        ...[part.head, ...part.rows].flatMap((row) => [
          ...row.flatMap((cell) => [...cell.map(inline), ' ']),
          element('br'),
        ]),
      );
    case 'heading':
      return element('p', {}, element('strong', {}, ...part.children.map(inline)));
    case 'paragraph':
      return element('p', {}, ...part.children.map(inline));
  }
};

/** Markdown as elements, as the chat shows it. A table, which is too wide for a bubble, becomes lines. */
export const rich = (text: string): Node[] => parseMarkdown(text, { breaks: true, paths: false }).map(block);
