import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';
import { isShownHere, keptAddress, pictureLabel } from './pictures.ts';

const attributeOf = (node: HTMLElement | string, name: string): string =>
  typeof node === 'string' ? '' : (node.getAttribute(name) ?? '');

const HEADING_LEVELS = [1, 2, 3, 4, 5, 6];

const blocks = {
  doc: { content: 'block+' },
  paragraph: {
    content: 'inline*',
    group: 'block',
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', 0],
  },
  heading: {
    attrs: { level: { default: 2 } },
    content: '(text | image)*',
    group: 'block',
    defining: true,
    parseDOM: HEADING_LEVELS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['div', ['hr']] },
  code_block: {
    attrs: { info: { default: '' } },
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', { dir: 'ltr' }, ['code', 0]],
  },
  bullet_list: {
    attrs: { tight: { default: true } },
    content: 'list_item+',
    group: 'block',
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  ordered_list: {
    attrs: { start: { default: 1 }, tight: { default: true } },
    content: 'list_item+',
    group: 'block',
    parseDOM: [{ tag: 'ol', getAttrs: (node) => ({ start: Number(attributeOf(node, 'start')) || 1 }) }],
    toDOM: ({ attrs }) => ['ol', { start: attrs.start }, 0],
  },
  list_item: {
    content: 'block+',
    defining: true,
    parseDOM: [{ tag: 'li' }],
    toDOM: () => ['li', 0],
  },
} satisfies Record<string, NodeSpec>;

const inlines = {
  text: { group: 'inline' },
  image: {
    inline: true,
    group: 'inline',
    attrs: { src: {}, alt: { default: '' }, title: { default: '' } },
    draggable: true,
    parseDOM: [
      {
        tag: 'img[src]',
        getAttrs: (node) => {
          const src = keptAddress(attributeOf(node, 'src'));
          return src ? { src, alt: attributeOf(node, 'alt'), title: attributeOf(node, 'title') } : false;
        },
      },
    ],
    toDOM: ({ attrs: { src, alt } }): DOMOutputSpec =>
      isShownHere(src)
        ? ['img', { src, alt }]
        : ['span', { class: 'picture-elsewhere', title: src }, pictureLabel(alt, src)],
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
} satisfies Record<string, NodeSpec>;

const isBold = (weight: string): null | false => /^(bold(er)?|[5-9]\d{2})$/.test(weight) && null;

/** From outermost to innermost, if two begin and end together. */
const marks = {
  link: {
    attrs: { href: {}, title: { default: '' } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (node) => {
          const href = attributeOf(node, 'href');
          return isLink(href) ? { href, title: attributeOf(node, 'title') } : false;
        },
      },
    ],
    // Without `href`, so that a click places the caret and dragging drags no link.
    toDOM: ({ attrs }) => ['a', { title: attrs.href }, 0],
  },
  strong: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs wraps copied content in a `b` that isn't bold.
      { tag: 'b', getAttrs: (node) => node.style.fontWeight !== 'normal' && null },
      { style: 'font-weight=400', clearMark: ({ type }) => type.name === 'strong' },
      { style: 'font-weight=normal', clearMark: ({ type }) => type.name === 'strong' },
      { style: 'font-weight', getAttrs: isBold },
    ],
    toDOM: () => ['strong', 0],
  },
  em: {
    parseDOM: [
      { tag: 'em' },
      { tag: 'i', getAttrs: (node) => node.style.fontStyle !== 'normal' && null },
      { style: 'font-style=normal', clearMark: ({ type }) => type.name === 'em' },
      { style: 'font-style=italic' },
    ],
    toDOM: () => ['em', 0],
  },
  strike: {
    parseDOM: [
      { tag: 's' },
      { tag: 'del' },
      { tag: 'strike' },
      { style: 'text-decoration=line-through' },
      { style: 'text-decoration-line=line-through' },
    ],
    toDOM: () => ['s', 0],
  },
  code: { code: true, inclusive: false, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
} satisfies Record<string, MarkSpec>;

/** Whether a link may have this address: one that a browser follows without running anything. */
export const isLink = (href: string): boolean =>
  /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\])|[^:/\\?#]+(?:[/?#]|$))/i.test(href) && !/[\s\\]/.test(href);

const { table, ...cells } = tableNodes({
  tableGroup: 'block',
  // Markdown has one line per cell.
  cellContent: 'paragraph',
  cellAttributes: { align: { default: null } },
});

/** What an article can contain: exactly what its markdown can express and its readers see. */
export const schema = new Schema({
  nodes: {
    ...blocks,
    // As in the help centre, a table wider than the page scrolls.
    table: { ...table, toDOM: () => ['div', { class: 'table' }, ['table', ['tbody', 0]]] },
    ...cells,
    ...inlines,
  },
  marks,
});
