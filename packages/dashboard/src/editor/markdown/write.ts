import type { Node } from 'prosemirror-model';
import { schema } from '../schema.ts';
import { escapeLineStart } from './escape.ts';
import { trimEndSpaces, trimSpaces } from './trim.ts';
import { type How, writeInline } from './write-inline.ts';

const { nodes } = schema;

const paragraphLines = (node: Node, how: How): string[] =>
  writeInline(node, how)
    .split('\n')
    .map((line) => escapeLineStart(trimSpaces(line)));

/** A trailing `#` would count as the end of the heading. */
const headingLine = (node: Node, how: How): string =>
  trimEndSpaces(
    `${'#'.repeat(node.attrs.level)} ${writeInline(node, how)
      .replaceAll(how.dialect.lineBreak, ' ')
      .replace(/(^|\s)(#+)$/, '$1\\$2')}`,
  );

function codeLines({ textContent, attrs }: Node): string[] {
  const mark = attrs.info.includes('`') ? '~' : '`';
  const runs = textContent.matchAll(mark === '`' ? /`{3,}/g : /~{3,}/g);
  const fence = mark.repeat(Math.max(3, ...[...runs].map(([run]) => run.length + 1)));
  // A mark at the beginning of the info would be one more of the fence.
  const gap = attrs.info.startsWith(mark) ? ' ' : '';
  return [fence + gap + attrs.info, ...(textContent === '' ? [] : textContent.split('\n')), fence];
}

const ALIGNED: Readonly<Record<string, string>> = { left: ':---', right: '---:', center: ':---:' };

/** Where line breaks aren't possible, they become spaces. */
const cell = (node: Node, how: How): string =>
  writeInline(node.firstChild ?? node, how)
    .replaceAll(how.dialect.lineBreak, ' ')
    .replaceAll('|', '\\|');

function tableLines(table: Node, how: How): string[] {
  const width = Math.max(...table.children.map(({ childCount }) => childCount));
  const line = (cells: string[]): string =>
    `| ${[...cells, ...Array<string>(width - cells.length).fill('')].join(' | ')} |`;
  const [head, ...rows] = table.children.map(({ children }) => line(children.map((one) => cell(one, how))));
  const aligns = table.firstChild?.children.map(({ attrs }) => ALIGNED[attrs.align] ?? '---') ?? [];
  return [head ?? '', line(aligns), ...rows];
}

/** The lines of an item after its marker. Items that consist only of markers, as in `- - -`, would be a rule. */
function indented(lines: readonly string[], marker: string): string[] {
  const [first = '', ...others] = lines;
  const isRule = /^([-*_])(?: *\1){2,} *$/.test(marker + first);
  const rest = (isRule ? lines : others).map((line) => line && ' '.repeat(marker.length) + line);
  return [isRule || first === '' ? marker.trimEnd() : marker + first, ...rest];
}

const isList = ({ type }: Node): boolean => type === nodes.bullet_list || type === nodes.ordered_list;

const STAY_APART: readonly string[] = ['code_block', 'heading', 'rule'];

/** A block that the previous one would absorb needs an empty line, and so does its whole list. */
const staysApart = (block: Node, before: Node | undefined): boolean => {
  if (block.type === nodes.blockquote) return before?.type !== block.type;
  const first = block.firstChild?.firstChild;
  const isEmpty = first?.isTextblock === true && first.content.size === 0;
  return (
    STAY_APART.includes(block.type.name) || (isList(block) && !isEmpty && (block.attrs.start ?? 1) === 1)
  );
};

const isTight = (list: Node): boolean =>
  list.attrs.tight &&
  list.children.every(({ children }) =>
    children.slice(1).every((block, at) => staysApart(block, children[at])),
  );

/** Two adjacent lists with the same markers would become one, so every second one uses others. */
const MARKS = { bullet: ['-', '*'], ordered: ['.', ')'] } as const;
const markOf = (list: Node, before: string): string => {
  const [usual, other] = list.type === nodes.bullet_list ? MARKS.bullet : MARKS.ordered;
  return listMark(before) === usual ? other : usual;
};

/** The marker of a list as it was written; undefined for other blocks. */
export const listMark = (written: string): string | undefined =>
  /^(?:\d{1,9}(?=[.)]))?([-*+.)])(?=\s|$)/.exec(written)?.[1];

function listLines(list: Node, before: string, how: How): string[] {
  const mark = markOf(list, before);
  const tight = isTight(list);
  return list.children.flatMap((item, at) => {
    const marker = list.type === nodes.bullet_list ? `${mark} ` : `${list.attrs.start + at}${mark} `;
    const lines = blockLines(item.children, how, { apart: !tight, inItem: true });
    return [...(at > 0 && !tight ? [''] : []), ...indented(lines, marker)];
  });
}

/** `before` is the source of the previous block. */
function linesOf(node: Node, how: How, before: string, inItem: boolean): string[] {
  switch (node.type) {
    case nodes.heading:
      return [headingLine(node, how)];
    case nodes.code_block:
      return codeLines(node);
    // Lines of `---` separate the articles of an import, and `- ---` isn't a list.
    case nodes.rule:
      return [inItem ? '___' : '***'];
    case nodes.blockquote:
      return blockLines(node.children, how, { apart: true, inItem: false }).map((line) =>
        line === '' ? '>' : `> ${line}`,
      );
    case nodes.bullet_list:
    case nodes.ordered_list:
      return listLines(node, before, how);
    case nodes.table:
      return tableLines(node, how);
    default:
      return paragraphLines(node, how);
  }
}

interface Among {
  /** Whether there is an empty line between blocks. */
  apart: boolean;
  inItem: boolean;
}

function blockLines(blocks: readonly Node[], how: How, { apart, inItem }: Among): string[] {
  const lines: string[] = [];
  let before = '';
  for (const [at, block] of blocks.entries()) {
    const written = linesOf(block, how, before, inItem);
    // Markdown has no empty paragraphs.
    if (written.join('') === '' && blocks.length > 1) continue;
    if (at > 0 && apart && lines.length > 0) lines.push('');
    lines.push(...written);
    before = written[0] ?? '';
  }
  return lines.length > 0 ? lines : [''];
}

/** One block as markdown; `before` is the source of the previous block. */
export const writeBlock = (block: Node, before: string, how: How): string =>
  linesOf(block, how, before, false).join('\n');
