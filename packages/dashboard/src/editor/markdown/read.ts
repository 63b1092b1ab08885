import type { Mark, Node } from 'prosemirror-model';
import { schema } from '../schema.ts';
import type { Dialect } from './dialect.ts';

type Token = ReturnType<Dialect['reader']['parse']>[number];

const { nodes, marks } = schema;

/** Where the element that begins at `from` ends: at the same nesting level. */
function endOf(tokens: readonly Token[], from: number): number {
  const level = tokens[from]?.level;
  let at = from + 1;
  while (at < tokens.length && !(tokens[at]?.nesting === -1 && tokens[at]?.level === level)) at += 1;
  return at;
}

const paragraphOf = (content: readonly Node[]): Node => nodes.paragraph.create(null, [...content]);

/** A list is loose if a paragraph directly in one of its items is separate. */
const isTight = (within: readonly Token[]): boolean =>
  !within.some(
    ({ type, hidden, level }) =>
      type === 'paragraph_open' && !hidden && level === (within[0]?.level ?? 0) + 1,
  );

const LISTS: Readonly<Record<string, (open: Token, tight: boolean) => [Node['type'], object]>> = {
  bullet_list_open: (_open, tight) => [nodes.bullet_list, { tight }],
  ordered_list_open: (open, tight) => [
    nodes.ordered_list,
    { tight, start: Number(open.attrGet('start') ?? 1) },
  ],
};

function element(open: Token, within: readonly Token[]): Node[] {
  const list = LISTS[open.type];
  if (list) {
    const [type, attrs] = list(open, isTight(within));
    return [type.create(attrs, blocks(within))];
  }
  switch (open.type) {
    case 'paragraph_open':
      return [paragraphOf(blocks(within))];
    case 'heading_open':
      return [
        nodes.heading.create(
          { level: Number(open.tag.slice(1)) },
          blocks(within).map((node) => (node.type === nodes.hard_break ? schema.text(' ') : node)),
        ),
      ];
    case 'blockquote_open':
      return [nodes.blockquote.create(null, filled(blocks(within)))];
    case 'list_item_open':
      return [nodes.list_item.create(null, filled(blocks(within)))];
    case 'table_open':
      return [nodes.table.create(null, blocks(within))];
    case 'tr_open':
      return [nodes.table_row.create(null, blocks(within))];
    case 'th_open':
    case 'td_open': {
      const align = /text-align:(\w+)/.exec(String(open.attrGet('style') ?? ''))?.[1] ?? null;
      const type = open.type === 'th_open' ? nodes.table_header : nodes.table_cell;
      return [type.create({ align }, paragraphOf(blocks(within)))];
    }
    default:
      return blocks(within);
  }
}

const filled = (content: Node[]): Node[] => (content.length > 0 ? content : [paragraphOf([])]);

function leaf(token: Token): Node[] {
  switch (token.type) {
    case 'inline':
      return inlines(token.children ?? [], []);
    case 'fence':
    case 'code_block': {
      const text = token.content.replace(/\n$/, '');
      return [nodes.code_block.create({ info: token.info.trim() }, text ? schema.text(text) : null)];
    }
    case 'hr':
      return [nodes.rule.create()];
    default:
      return [];
  }
}

function blocks(tokens: readonly Token[]): Node[] {
  const found: Node[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    if (token.nesting !== 1) {
      found.push(...leaf(token));
      continue;
    }
    const end = endOf(tokens, at);
    found.push(...element(token, tokens.slice(at + 1, end)));
    at = end;
  }
  return found;
}

function inlineLeaf(token: Token, active: readonly Mark[]): Node[] {
  switch (token.type) {
    case 'text':
    case 'text_special':
      return token.content ? [schema.text(token.content, active)] : [];
    case 'code_inline':
      return [schema.text(token.content, marks.code.create().addToSet(active))];
    case 'softbreak':
      return [schema.text(' ', active)];
    case 'hardbreak':
      return [nodes.hard_break.create(null, null, active)];
    case 'image': {
      const [src, title] = [token.attrGet('src') ?? '', token.attrGet('title') ?? ''];
      return [nodes.image.create({ src, title, alt: shownText(token.children ?? []) }, null, active)];
    }
    default:
      return [];
  }
}

const shownText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'image' ? shownText(children ?? []) : content;
    })
    .join('');

function markOf(open: Token): Mark | undefined {
  switch (open.type) {
    case 'em_open':
      return marks.em.create();
    case 'strong_open':
      return marks.strong.create();
    case 's_open':
      return marks.strike.create();
    case 'link_open':
      return marks.link.create({ href: open.attrGet('href') ?? '', title: open.attrGet('title') ?? '' });
    default:
      return undefined;
  }
}

function inlines(tokens: readonly Token[], active: readonly Mark[]): Node[] {
  const found: Node[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    if (token.nesting !== 1) {
      found.push(...inlineLeaf(token, active));
      continue;
    }
    const end = endOf(tokens, at);
    const mark = markOf(token);
    found.push(...inlines(tokens.slice(at + 1, end), mark ? mark.addToSet(active) : active));
    at = end;
  }
  return joined(found);
}

/** Joins adjacent texts with the same marks, as in every document. */
function joined(found: readonly Node[]): Node[] {
  const result: Node[] = [];
  for (const node of found) {
    const last = result.at(-1);
    if (last?.isText && node.isText && last.sameMarkup(node))
      result[result.length - 1] = schema.text(`${last.text}${node.text}`, node.marks);
    else result.push(node);
  }
  return result;
}

/** A block with its lines in the source, the end excluded. */
export interface ReadBlock {
  node: Node;
  start: number;
  end: number;
}

/**
 * The blocks of a markdown text. `hasReferences`: some links have their addresses in lines that belong to no block.
 */
export function readBlocks(
  text: string,
  { reader }: Dialect,
): { blocks: ReadBlock[]; hasReferences: boolean } {
  const env: NonNullable<Parameters<typeof reader.parse>[1]> = {};
  const tokens = reader.parse(text, env);
  const found: ReadBlock[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const end = token?.nesting === 1 ? endOf(tokens, at) : at;
    const [first = 0, last = 0] = token?.map ?? [];
    for (const node of blocks(tokens.slice(at, end + 1))) found.push({ node, start: first, end: last });
    at = end;
  }
  return { blocks: found, hasReferences: Object.keys(env.references ?? {}).length > 0 };
}

const inOrder = (tags: string): string =>
  tags
    .split(/(?<=>)/)
    .toSorted()
    .join('');

const NESTED = /(?:<(?:em|strong|s|a)\b[^<>]*>){2,}|(?:<\/(?:em|strong|s|a)>){2,}/g;

/**
 * Without what nobody sees: more than one space, which of two emphases is the outer one, a break at the edge of one, that
 * one ends where its like begins, whether an item of a list holds its text in a paragraph.
 */
const spaced = (html: string): string =>
  html
    .replace(/[ \t\n]+/g, ' ')
    .replace(NESTED, inOrder)
    .replace(/((?:<(?:em|strong|s)>){1,3})((?:<br>|[ \u00a0])+)/g, '$2$1')
    .replace(NESTED, inOrder)
    .replace(/<\/(em|strong|s)><\1>/g, '')
    .replaceAll('<p>', '')
    .replace(/ ?(<(?:br|hr|\/?(?:ul|ol|li|h\d|blockquote|table|thead|tbody|tr|td|th|p))\b[^<>]*>) ?/g, '$1')
    .replace(/^ | $/g, '')
    .replace(/<\/p>(?=<|$)/g, '');

/** What readers see of a text, with code verbatim and spaces as browsers show them. Equal results look equal. */
export const shownAs = (text: string, { shown }: Dialect): string =>
  shown
    .render(text)
    .split('<pre>')
    .map((part, at) => {
      const [code = '', rest = ''] = part.split('</pre>');
      return at === 0 ? spaced(part) : `<pre>${code.replace(/\n(?=<\/code>)/, '')}</pre>${spaced(rest)}`;
    })
    .join('');

/** The addresses in a text that become links automatically. */
export const addressesIn = (
  text: string,
  { shown }: Dialect,
): { index: number; lastIndex: number; url: string }[] =>
  (shown.linkify.match(text) ?? []).map(({ index, lastIndex, url }) => {
    // Asterisks at the end close an emphasis.
    let more = 0;
    while (url.at(-1 - more) === '*') more += 1;
    return { index, lastIndex: lastIndex - more, url: url.slice(0, url.length - more) };
  });
