import { type Inline, readInline } from './inline.ts';

export type Block =
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { type: 'quote'; children: Block[] }
  | { type: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { type: 'rule' };

export interface Grammar {
  /** Every line break counts, as in a chat; otherwise only after two spaces or a backslash. */
  breaks: boolean;
  /** Whether links may lead to a path of the same site. */
  paths: boolean;
}

const DEEPEST = 5;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/s;
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +)(?=\S)/;

interface Reader {
  lines: string[];
  at: number;
  depth: number;
  grammar: Grammar;
}

const blank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

const inlineOf = (lines: string[], { breaks, paths }: Grammar): Inline[] => {
  const text = breaks
    ? lines.map((line) => line.trim()).join('\n')
    : lines
        .map((line, at) => {
          const hard = at < lines.length - 1 && (line.endsWith('  ') || line.endsWith('\\'));
          return (
            line.trim().replace(/\\$/, hard ? '' : '\\') + (at === lines.length - 1 ? '' : hard ? '\n' : ' ')
          );
        })
        .join('');
  return readInline(text, { paths, links: true, depth: 0 });
};

/** `|---|:-:|`: the line below a table's header. */
const isDivider = (line: string): boolean => {
  const columns = line.trim().replace(/^\|/, '').split('|');
  // The last one is empty if the line ends with a delimiter.
  if (columns.length > 1 && columns.at(-1) === '') columns.pop();
  else if (columns.length === 1) return false;
  return columns.every((column) => /^:?-+:?$/.test(column.trim()));
};

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .slice(0, 30)
    .map((cell) => cell.trim());

function readCode(reader: Reader, mark: string): Block {
  const lines: string[] = [];
  reader.at += 1;
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? '';
    reader.at += 1;
    if (line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] ?? '`', '') === '') break;
    lines.push(line);
  }
  return { type: 'code', text: lines.join('\n') };
}

function readQuote(reader: Reader): Block {
  const lines: string[] = [];
  while (reader.at < reader.lines.length && QUOTE.test(reader.lines[reader.at] ?? '')) {
    lines.push((reader.lines[reader.at] ?? '').replace(QUOTE, ''));
    reader.at += 1;
  }
  return { type: 'quote', children: inner(reader, lines) };
}

function readList(reader: Reader, first: RegExpExecArray): Block {
  const ordered = /\d/.test(first[2] ?? '');
  const start = ordered ? Number.parseInt(first[2] ?? '1', 10) : 1;
  const items: Block[][] = [];
  while (reader.at < reader.lines.length) {
    const match = ITEM.exec(reader.lines[reader.at] ?? '');
    if (!match || /\d/.test(match[2] ?? '') !== ordered) break;
    items.push(readItem(reader, match[0].length));
    while (blank(reader.lines[reader.at]) && ITEM.test(reader.lines[reader.at + 1] ?? '')) reader.at += 1;
  }
  return { type: 'list', ordered, start, items };
}

function readItem(reader: Reader, indent: number): Block[] {
  const lines = [(reader.lines[reader.at] ?? '').slice(indent)];
  reader.at += 1;
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? '';
    const inside = /^ +/.exec(line)?.[0].length ?? 0;
    const belongs = blank(line)
      ? (/^ +/.exec(reader.lines[reader.at + 1] ?? '')?.[0].length ?? 0) >= Math.min(indent, 2)
      : inside >= Math.min(indent, 2) || !startsBlock(line);
    if (!belongs) break;
    lines.push(line.slice(Math.min(inside, indent)));
    reader.at += 1;
  }
  return inner(reader, lines);
}

function readTable(reader: Reader): Block {
  const row = (line: string): Inline[][] => cells(line).map((cell) => inlineOf([cell], reader.grammar));
  const head = row(reader.lines[reader.at] ?? '');
  const rows: Inline[][][] = [];
  reader.at += 2;
  while ((reader.lines[reader.at] ?? '').includes('|')) {
    rows.push(row(reader.lines[reader.at] ?? '').slice(0, head.length));
    reader.at += 1;
  }
  return { type: 'table', head, rows };
}

const startsBlock = (line: string): boolean =>
  blank(line) ||
  FENCE.test(line) ||
  HEADING.test(line) ||
  RULE.test(line) ||
  QUOTE.test(line) ||
  ITEM.test(line);

function readParagraph(reader: Reader): Block {
  const lines = [reader.lines[reader.at] ?? ''];
  reader.at += 1;
  while (reader.at < reader.lines.length && !startsBlock(reader.lines[reader.at] ?? '')) {
    lines.push(reader.lines[reader.at] ?? '');
    reader.at += 1;
  }
  return { type: 'paragraph', children: inlineOf(lines, reader.grammar) };
}

function inner(reader: Reader, lines: string[]): Block[] {
  if (reader.depth >= DEEPEST) {
    return [{ type: 'paragraph', children: [lines.join('\n')] }];
  }
  return readAll({ lines, at: 0, depth: reader.depth + 1, grammar: reader.grammar });
}

/** `## Title ##` is `Title`. */
function withoutClosingMarks(heading: string): string {
  const text = heading.replace(/(?<!#)#+$/, '');
  return /\s$/.test(text) ? text.trimEnd() : heading;
}

function readBlock(reader: Reader): Block {
  const line = reader.lines[reader.at] ?? '';
  const fence = FENCE.exec(line);
  if (fence) return readCode(reader, fence[1] ?? '```');
  const heading = HEADING.exec(line);
  if (heading) {
    reader.at += 1;
    const children = inlineOf([withoutClosingMarks((heading[2] ?? '').trim())], reader.grammar);
    return { type: 'heading', level: (heading[1] ?? '#').length, children };
  }
  if (RULE.test(line)) {
    reader.at += 1;
    return { type: 'rule' };
  }
  if (QUOTE.test(line)) return readQuote(reader);
  const item = ITEM.exec(line);
  if (item) return readList(reader, item);
  if (line.includes('|') && isDivider(reader.lines[reader.at + 1] ?? '')) return readTable(reader);
  return readParagraph(reader);
}

function readAll(reader: Reader): Block[] {
  const blocks: Block[] = [];
  while (reader.at < reader.lines.length) {
    if (blank(reader.lines[reader.at])) reader.at += 1;
    else blocks.push(readBlock(reader));
  }
  return blocks;
}

/** The blocks of a markdown text as plain data. HTML in it is ordinary text. */
export function parseMarkdown(text: string, grammar: Grammar): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  return readAll({ lines, at: 0, depth: 0, grammar });
}
