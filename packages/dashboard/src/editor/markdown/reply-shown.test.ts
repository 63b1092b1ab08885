import { type Block, parseMarkdown } from '@foyer/protocol/browser/markdown/blocks';
import type { Inline } from '@foyer/protocol/browser/markdown/inline';
import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { expect, test } from 'vitest';
import { replyHtml } from '../../../../server/src/text/reply-markdown.ts';
import { schema } from '../schema.ts';
import { REPLY } from './dialect.ts';
import { MarkdownText } from './markdown-text.ts';

// The mail, the customer's page and the thread in the desk show a reply as the editor does.

const PICTURE = '/help/images/1-1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

const { nodes, marks } = schema;

const WORDS = ['lamp', 'Ünï', '5 * 3', 'a_b_c', '1. x', '# no', '- no', '> no', '<b>', '&amp;', '!', '(see)'];
const MORE = [
  '`tick`',
  '|',
  '~~',
  'a.b',
  '--',
  '===',
  '```',
  '[x]',
  'x](y)',
  '**',
  '_',
  '\\',
  '+',
  '2)',
  ':-|',
  '😀',
];

interface Pieces {
  words: readonly string[];
  kinds: readonly ('strong' | 'em' | 'strike')[];
  hasPictures: boolean;
}

/** Replies of such words, with any of these marks at once. */
function replies({ words, kinds, hasPictures }: Pieces): fc.Arbitrary<Node> {
  const word = fc.constantFrom(...words);
  const marked = fc
    .record({
      text: word,
      kinds: fc.subarray([...kinds], { maxLength: hasPictures ? 3 : 1 }),
      link: fc.boolean(),
      code: fc.boolean(),
    })
    .map(({ text, kinds, link, code }) =>
      schema.text(text, [
        ...(link ? [marks.link.create({ href: 'https://shop.example/a_(b)' })] : []),
        ...(code ? [marks.code.create()] : kinds.map((kind) => marks[kind].create())),
      ]),
    );
  const picture = fc.constant(nodes.image.create({ src: PICTURE, alt: 'A [lamp]' }));
  const spaced = (parts: readonly Node[]): Node[] =>
    parts.flatMap((part, at) => (at > 0 ? [schema.text(' '), part] : [part]));
  const line = fc.array(
    fc.oneof({ weight: 6, arbitrary: marked }, { weight: hasPictures ? 1 : 0, arbitrary: picture }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  const paragraph = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) =>
    nodes.paragraph.create(
      null,
      lines.flatMap((parts, at) => [...(at > 0 ? [nodes.hard_break.create()] : []), ...spaced(parts)]),
    ),
  );
  const cell = line.map((parts) => nodes.paragraph.create(null, spaced(parts)));
  const table = fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 3 }).map((rows) =>
    nodes.table.create(
      null,
      rows.map((cells, at) =>
        nodes.table_row.create(
          null,
          cells.map((one) => (at === 0 ? nodes.table_header : nodes.table_cell).create(null, one)),
        ),
      ),
    ),
  );
  const code = fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((lines) => nodes.code_block.create(null, schema.text(lines.join('\n'))));
  const itemsOf = (content: fc.Arbitrary<Node[]>) =>
    fc.array(
      content.map((blocks) => nodes.list_item.create(null, blocks)),
      { minLength: 1, maxLength: 3 },
    );
  const listOf = (content: fc.Arbitrary<Node[]>) =>
    fc
      .tuple(fc.constantFrom(nodes.bullet_list, nodes.ordered_list), itemsOf(content))
      .map(([type, items]) => type.create(null, items));
  const inner = listOf(paragraph.map((one) => [one]));
  const list = listOf(
    fc.oneof(
      paragraph.map((one) => [one]),
      fc.tuple(paragraph, inner),
    ),
  );
  const quote = fc
    .array(fc.oneof(paragraph, inner), { minLength: 1, maxLength: 2 })
    .map((blocks) => nodes.blockquote.create(null, blocks));
  return fc
    .array(fc.oneof(paragraph, list, quote, table, code, fc.constant(nodes.rule.create())), {
      minLength: 1,
      maxLength: 4,
    })
    .map((blocks) => nodes.doc.create(null, blocks));
}

const reply = replies({ words: [...WORDS, ...MORE], kinds: ['strong', 'em', 'strike'], hasPictures: true });
/** The thread shows pictures as links, and its reader takes some marks within marks for text. */
const simple = replies({
  words: ['lamp', 'Ünï', '1. x', '# no', '- no', '> no', '(see)', '!'],
  kinds: ['strong', 'em', 'strike'],
  hasPictures: false,
});

/** As the mail would have it, written straight from the document. */
const TAGS: Readonly<Record<string, string>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  table: 'table',
  table_row: 'tr',
  table_header: 'th',
  table_cell: 'td',
  code_block: 'pre',
};
const MARK_TAGS: Readonly<Record<string, string>> = {
  strong: 'strong',
  em: 'em',
  strike: 's',
  code: 'code',
  link: 'a',
};
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
function made(node: Node): string {
  if (node.isText)
    return node.marks.reduce(
      (html, { type }) => {
        const tag = MARK_TAGS[type.name];
        return `<${tag}>${html}</${tag}>`;
      },
      escaped(node.text ?? ''),
    );
  if (node.type === nodes.image) return '<img>';
  if (node.type === nodes.hard_break) return '<br>';
  if (node.type === nodes.rule) return '<hr>';
  const within = node.children.map(made).join('');
  const tag = TAGS[node.type.name];
  return tag ? `<${tag}>${within}</${tag}>` : within;
}

const INLINE = /^(?:strong|em|s|code|a)$/;

/** The visible result: each run of text with the blocks and marks around it, and line ends. */
function seen(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  let text = '';
  const put = (): void => {
    const blocks = open.filter((tag) => !INLINE.test(tag) && !/^(?:p|div|thead|tbody)$/.test(tag));
    const inlines = open.filter((tag) => INLINE.test(tag)).toSorted();
    const isCode = blocks.includes('pre');
    const words = isCode ? text.trim() : text.replace(/\s+/g, ' ').trim();
    if (words !== '') found.push(`${[...blocks, ...(isCode ? [] : inlines)].join(' ')}: ${words}`);
    text = '';
  };
  for (const [, tag, words = ''] of html.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (tag === undefined) {
      text += words;
      continue;
    }
    put();
    const [name = ''] = tag.replace('/', '').split(/[\s>]/);
    if (/^(?:br|img|hr)$/.test(name)) found.push(name);
    else if (tag.startsWith('/')) {
      open.splice(open.lastIndexOf(name), 1);
      if (/^(?:p|li|td|th|pre|tr)$/.test(name) && found.at(-1) !== '/') found.push('/');
    } else {
      // A list inside an item begins a line too.
      if (/^(?:ul|ol)$/.test(name) && found.length > 0 && found.at(-1) !== '/') found.push('/');
      open.push(name);
    }
  }
  return found;
}

test('what is made in the editor is what the mail and the customer’s page show', () => {
  fc.assert(
    fc.property(reply, (doc) => {
      const text = new MarkdownText(REPLY).write(doc);
      const html = String(replyHtml(text, { base: '', isOwnPicture: (path) => path === PICTURE }));
      expect(seen(html), text).toEqual(seen(made(doc)));
    }),
    { numRuns: 1_000 },
  );
});

const KINDS = { strong: 'strong', em: 'em', strike: 's', link: 'a' } as const;
const inlineHtml = (node: Inline): string => {
  if (typeof node === 'string') return escaped(node);
  if (node.type === 'break') return '<br>';
  if (node.type === 'code') return `<code>${escaped(node.text)}</code>`;
  return `<${KINDS[node.type]}>${node.children.map(inlineHtml).join('')}</${KINDS[node.type]}>`;
};
const lineHtml = (children: readonly Inline[]): string => children.map(inlineHtml).join('');
const rowHtml = (cells: readonly Inline[][], tag: string): string =>
  `<tr>${cells.map((one) => `<${tag}>${lineHtml(one)}</${tag}>`).join('')}</tr>`;
function blockHtml(block: Block): string {
  const within = (blocks: readonly Block[]): string => blocks.map(blockHtml).join('');
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return `<p>${lineHtml(block.children)}</p>`;
    case 'code':
      return `<pre>${escaped(block.text)}</pre>`;
    case 'quote':
      return `<blockquote>${within(block.children)}</blockquote>`;
    case 'rule':
      return '<hr>';
    case 'table':
      return `<table>${rowHtml(block.head, 'th')}${block.rows.map((row) => rowHtml(row, 'td')).join('')}</table>`;
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul';
      return `<${tag}>${block.items.map((item) => `<li>${within(item)}</li>`).join('')}</${tag}>`;
    }
  }
}

test('it is what the thread in the desk shows, where line breaks, lists, quotes, code and tables are', () => {
  fc.assert(
    fc.property(simple, (doc) => {
      const text = new MarkdownText(REPLY).write(doc);
      const blocks = parseMarkdown(text, { breaks: true, paths: true });
      expect(seen(blocks.map(blockHtml).join('')), text).toEqual(seen(made(doc)));
    }),
    { numRuns: 1_000 },
  );
});
