import MarkdownIt from 'markdown-it';
import { splitSentences } from './sentences.ts';

/** A sentence as words alone, and as markdown that shows those words, with its links and code. */
export interface Sentence {
  readonly text: string;
  readonly markdown: string;
}

type LineKind = 'heading' | 'prose' | 'item' | 'row' | 'code';

/** A paragraph, a list item, a table row or a code block. */
export interface Line {
  readonly kind: LineKind;
  /** Its marker in markdown: `- `, `2. `, or nothing. */
  readonly marker: string;
  readonly sentences: readonly Sentence[];
}

/** A top-level block of markdown. `start` and `end` are its lines in the source, `end` excluded. */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** 1–6 for headings, else 0. */
  readonly level: number;
  readonly lines: readonly Line[];
}

const markdown = new MarkdownIt({ html: false, linkify: false });

type Token = ReturnType<typeof markdown.parse>[number];

/** Plain words of one line of inline markdown. */
export function plainInline(source: string): string {
  return markdown
    .parseInline(source, {})
    .flatMap((token) => piecesOf(token.children ?? []))
    .map((piece) => piece.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The text as markdown that shows exactly it. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~(?=~)|<(?=[a-z/!?])|&(?=#?\w{1,32};)/gi, '\\$&')
    .replace(/^(\s*)([#>+=|~-])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])/, '$1\\$2');
}

/** The top-level blocks of a markdown text, in order. */
export function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  let group: Token[] = [];
  for (const token of markdown.parse(source, {})) {
    group.push(token);
    if (token.level !== 0 || token.nesting === 1) continue;
    const [start, end] = group[0]?.map ?? [0, 0];
    const level = group[0]?.type === 'heading_open' ? Number(group[0].tag.slice(1)) : 0;
    const lines = linesOfBlock(group).filter((line) => line.sentences.length > 0);
    if (lines.length > 0) blocks.push({ start, end, level, lines });
    group = [];
  }
  return blocks;
}

interface ListState {
  readonly ordered: boolean;
  next: number;
}

function linesOfBlock(tokens: readonly Token[]): Line[] {
  if (tokens[0]?.type === 'table_open') return rowsOf(tokens);
  const lists: ListState[] = [];
  const lines: Line[] = [];
  let marker = '';
  for (const token of tokens) {
    if (token.type === 'ordered_list_open') {
      lists.push({ ordered: true, next: Number(token.attrGet('start') ?? 1) });
    } else if (token.type === 'bullet_list_open') lists.push({ ordered: false, next: 1 });
    else if (token.type === 'ordered_list_close' || token.type === 'bullet_list_close') lists.pop();
    else if (token.type === 'list_item_open') marker = itemMarker(lists);
    else if (token.type === 'fence' || token.type === 'code_block') lines.push(codeLine(token.content));
    else if (token.type === 'inline') {
      const heading = tokens[0]?.type === 'heading_open';
      lines.push(...linesOfInline(token, heading ? 'heading' : lists.length > 0 ? 'item' : 'prose', marker));
      marker = '';
    }
  }
  return lines;
}

function itemMarker(lists: readonly ListState[]): string {
  const list = lists.at(-1);
  if (list === undefined) return '';
  const marker = list.ordered ? `${list.next}. ` : '- ';
  list.next += 1;
  return '  '.repeat(lists.length - 1) + marker;
}

function codeLine(content: string): Line {
  const text = content.trim();
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((run) => run[0].length + 1)));
  return {
    kind: 'code',
    marker: '',
    sentences: text === '' ? [] : [{ text, markdown: `${fence}\n${text}\n${fence}` }],
  };
}

/** Each row is searched with its column's heading before each cell, so that a row can stand alone. */
function rowsOf(tokens: readonly Token[]): Line[] {
  const rows: Piece[][][] = [];
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type === 'inline') rows.at(-1)?.push(piecesOf(token.children ?? []));
  }
  const [head = [], ...body] = rows;
  return body.map((cells) => {
    const pieces = cells.flatMap((cell, at) => {
      const name = (head[at] ?? []).map((piece) => piece.text).join('');
      const before = (at > 0 ? '; ' : '') + (name === '' ? '' : `${name}: `);
      return [{ text: before, markdown: null }, ...cell];
    });
    return {
      kind: 'row',
      marker: '- ',
      sentences: [{ text: wholeSentence(pieces).text, markdown: rowMarkdown(cells, head) }].filter(
        (each) => each.text !== '',
      ),
    };
  });
}

/** A row as one says it: what it is about, then the rest, each under its heading unless there is only one. */
function rowMarkdown(cells: readonly Piece[][], head: readonly Piece[][]): string {
  const [subject = '', ...others] = cells.map((cell) => wholeSentence(cell).markdown);
  const said = others.flatMap((value, at) => {
    const name = wholeSentence(head[at + 1] ?? []).markdown;
    if (value === '') return [];
    return [others.length === 1 || name === '' ? value : `${name} ${value}`];
  });
  const lead = subject === '' || subject.includes('*') ? subject : `**${subject}**`;
  return [lead, said.join(', ')].filter((part) => part !== '').join(': ');
}

function linesOfInline(token: Token, kind: LineKind, marker: string): Line[] {
  const pieces = piecesOf(token.children ?? []);
  const sourceLines = splitPieces(pieces);
  if (kind === 'prose' && isListOfLines(sourceLines.map((line) => textOf(line).length))) {
    return sourceLines.map((line) => ({ kind, marker, sentences: sentencesOf(line) }));
  }
  const joined = sourceLines.flatMap((line, at) =>
    at > 0 ? [{ text: ' ', markdown: null }, ...line] : line,
  );
  return [{ kind, marker, sentences: kind === 'heading' ? [wholeSentence(joined)] : sentencesOf(joined) }];
}

/** In hard-wrapped prose all lines but the last are about as long; a list of sayings is ragged. */
function isListOfLines(lengths: readonly number[]): boolean {
  if (lengths.length < 3) return false;
  const longest = Math.max(...lengths);
  const short = lengths.slice(0, -1).filter((length) => length < longest * 0.6).length;
  return short > (lengths.length - 1) * 0.2;
}

/** A stretch of inline text; `markdown` when it must not be cut: a link, code, struck text. */
interface Piece {
  readonly text: string;
  readonly markdown: string | null;
}

const BREAK: Piece = { text: '\n', markdown: null };

function piecesOf(children: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let link: { href: string; from: number } | null = null;
  let struckFrom = 0;
  for (const child of children) {
    if (child.type === 'link_open') link = { href: String(child.attrGet('href') ?? ''), from: pieces.length };
    else if (child.type === 'link_close' && link !== null) {
      const text = textOf(pieces.splice(link.from)).replace(/\s+/g, ' ');
      pieces.push({ text, markdown: linkMarkdown(text, link.href) });
      link = null;
    } else if (child.type === 's_open') struckFrom = pieces.length;
    else if (child.type === 's_close') {
      // What is crossed out no longer holds: without its line an answer would say that it does.
      const text = textOf(pieces.splice(struckFrom)).replace(/\s+/g, ' ');
      pieces.push({ text, markdown: `~~${escapeMarkdown(text)}~~` });
    } else if (child.type === 'softbreak' || child.type === 'hardbreak') pieces.push(BREAK);
    else if (child.type === 'code_inline')
      pieces.push({ text: child.content, markdown: codeSpan(child.content) });
    else if (child.type === 'image' || child.type.startsWith('text')) {
      pieces.push({ text: child.content.replace(/\n/g, ' '), markdown: null });
    }
  }
  return pieces;
}

/** Only addresses that a visitor can follow from the chat; a relative one leads nowhere there. */
function linkMarkdown(text: string, href: string): string {
  const followable = /^(?:https?:\/\/|mailto:|tel:)[^\s<>]+$/i.test(href);
  return followable ? `[${escapeMarkdown(text)}](<${href}>)` : escapeMarkdown(text);
}

function codeSpan(text: string): string {
  return text.includes('`') ? escapeMarkdown(text) : `\`${text}\``;
}

function splitPieces(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece === BREAK) lines.push([]);
    else lines.at(-1)?.push(piece);
  }
  return lines.filter((line) => textOf(line).trim() !== '');
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join('');
}

function wholeSentence(pieces: readonly Piece[]): Sentence {
  return cut(pieces, startsOf(pieces), 0, textOf(pieces).length);
}

function sentencesOf(pieces: readonly Piece[]): Sentence[] {
  const starts = startsOf(pieces);
  const isCuttable = (at: number): boolean => {
    const index = pieceAt(starts, at);
    return pieces[index]?.markdown === null || starts[index] === at;
  };
  return splitSentences(textOf(pieces), isCuttable)
    .map(([start, end]) => cut(pieces, starts, start, end))
    .filter((sentence) => sentence.text !== '');
}

/** Where each piece starts in the joined text. */
function startsOf(pieces: readonly Piece[]): number[] {
  let at = 0;
  return pieces.map((piece) => {
    const start = at;
    at += piece.text.length;
    return start;
  });
}

/** The last piece that starts at or before a position, by binary search: a paragraph may have thousands. */
function pieceAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function cut(pieces: readonly Piece[], starts: readonly number[], start: number, end: number): Sentence {
  let text = '';
  let shown = '';
  for (let index = pieceAt(starts, start); index < pieces.length; index += 1) {
    const from = starts[index] ?? 0;
    const piece = pieces[index];
    if (piece === undefined || from >= end) break;
    const slice = piece.text.slice(Math.max(0, start - from), end - from);
    text += slice;
    shown += piece.markdown !== null && slice === piece.text ? piece.markdown : escapeMarkdown(slice);
  }
  return { text: text.replace(/\s+/g, ' ').trim(), markdown: shown.replace(/\s+/g, ' ').trim() };
}
