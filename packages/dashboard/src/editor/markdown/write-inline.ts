import type { Mark, Node } from 'prosemirror-model';
import { schema } from '../schema.ts';
import type { Dialect } from './dialect.ts';
import { escapeAll, escapeText } from './escape.ts';
import { addressesIn } from './read.ts';

/** `strict` always reads back identically, at the price of a less readable source. */
export interface How {
  dialect: Dialect;
  strict: boolean;
}

/** A part of a line: written text, or one side of an emphasis. */
interface Part {
  text: string;
  side?: 'open' | 'close';
  /** Text that can be cut anywhere. */
  isPlain?: true;
}

interface Leaf {
  node: Node;
  marks: readonly Mark[];
}

const { nodes, marks: kinds } = schema;
const SPACE = /^\s$/;
const WORD = /[\p{L}\p{N}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

const isCode = ({ type }: Mark): boolean => type === kinds.code;

/** The mark that continues longest from here. It is opened first, so that none has to be closed and reopened. */
function outermost(leaves: readonly Leaf[], at: number): { mark: Mark; end: number } | undefined {
  let longest: { mark: Mark; end: number } | undefined;
  for (const mark of leaves[at]?.marks ?? []) {
    if (isCode(mark)) continue;
    let end = at + 1;
    while (end < leaves.length && mark.isInSet(leaves[end]?.marks ?? [])) end += 1;
    if (!longest || end > longest.end) longest = { mark, end };
  }
  return longest;
}

const isBreak = ({ node }: Leaf): boolean => node.type === nodes.hard_break;

/** In markdown an emphasis can't begin or end with a space: spaces at its edges go outside. */
function trimmed(run: readonly Leaf[]): { before: Leaf[]; within: Leaf[]; after: Leaf[] } {
  const within = [...run];
  const before: Leaf[] = [];
  const after: Leaf[] = [];
  const cut = (
    leaf: Leaf,
    trim: 'trimStart' | 'trimEnd',
  ): { space: Leaf | undefined; rest: Leaf | undefined } => {
    if (isBreak(leaf)) return { space: leaf, rest: undefined };
    const text = leaf.node.isText && !leaf.marks.some(isCode) ? (leaf.node.text ?? '') : '';
    const rest = text[trim]();
    if (rest === text) return { space: undefined, rest: leaf };
    const space = trim === 'trimStart' ? text.slice(0, text.length - rest.length) : text.slice(rest.length);
    return {
      space: { node: schema.text(space), marks: [] },
      rest: rest === '' ? undefined : { ...leaf, node: schema.text(rest, leaf.node.marks) },
    };
  };
  for (let first = within.shift(); first; first = within.shift()) {
    const { space, rest } = cut(first, 'trimStart');
    if (space) before.push(space);
    if (!rest) continue;
    within.unshift(rest);
    break;
  }
  for (let last = within.pop(); last; last = within.pop()) {
    const { space, rest } = cut(last, 'trimEnd');
    if (space) after.unshift(space);
    if (!rest) continue;
    within.push(rest);
    break;
  }
  return { before, within, after };
}

/** An address within `(…)`. The desk and the widget end a reply's at the first parenthesis, escaped or not. */
const addressIn = (address: string, { hasEntities }: Dialect): string =>
  (hasEntities ? address : address.replaceAll('(', '%28').replaceAll(')', '%29'))
    .replace(/[()\\]|&(?=#?\w{1,32};)/g, '\\$&')
    .replace(/\s/g, encodeURIComponent)
    .replaceAll('<', '%3C');

const target = (address: string, title: string, dialect: Dialect): string =>
  `(${addressIn(address, dialect)}${title ? ` "${title.replace(/["\\]/g, '\\$&')}"` : ''})`;

/** Uses more backticks than the text contains. */
function codeOf(text: string): string {
  const most = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(most + 1);
  // Of three and more characters, a reader takes a space at each end for padding.
  const isSpaced = text.length > 2 && text.startsWith(' ') && text.endsWith(' ');
  const pad = isSpaced || text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** The character that a neighbour will have at the edge of it that is `near`. */
function edgeOf(leaf: Leaf | undefined, edge: string, near: typeof firstOf, { dialect }: How): string {
  if (!leaf) return edge;
  if (leaf.node.type === nodes.image) return near('!)');
  if (leaf.marks.some(({ type }) => type === kinds.link)) return near('[)');
  if (isBreak(leaf)) return near(dialect.lineBreak);
  if (leaf.marks.some(isCode)) return '`';
  if (leaf.marks.some(({ type }) => type === kinds.strike)) return '~';
  return leaf.marks.length > 0 ? '*' : near(leaf.node.text ?? '');
}

class InlineWriter {
  readonly parts: Part[] = [];
  readonly how: How;
  private inLink = false;

  constructor(how: How) {
    this.how = how;
  }

  /** `beyond` is the character behind all emphases that end with these leaves. */
  write(leaves: readonly Leaf[], before: string, after: string, beyond = after): void {
    for (let at = 0; at < leaves.length; ) {
      const found = outermost(leaves, at);
      const end = found?.end ?? at + 1;
      const behind = edgeOf(leaves[end], after, firstOf, this.how);
      const edges = [edgeOf(leaves[at - 1], before, lastOf, this.how), behind] as const;
      if (found)
        this.wrap(found.mark, leaves.slice(at, end), ...edges, end === leaves.length ? beyond : behind);
      else this.leaf(leaves[at], ...edges);
      at = end;
    }
  }

  private leaf(leaf: Leaf | undefined, before: string, after: string): void {
    if (!leaf) return;
    const { node, marks } = leaf;
    if (node.type === nodes.hard_break) this.parts.push({ text: this.how.dialect.lineBreak });
    else if (node.type === nodes.image) {
      const alt = escapeText(node.attrs.alt, { before: '[', after: ']', inLink: true });
      this.parts.push({ text: `![${alt}]${target(node.attrs.src, node.attrs.title, this.how.dialect)}` });
    } else if (marks.some(isCode)) this.parts.push({ text: codeOf(node.text ?? '') });
    else this.text((node.text ?? '').replace(/[ \t\n]+/g, ' '), before, after);
  }

  /** Addresses in a text become links, as long as nothing in them is escaped. */
  private text(text: string, before: string, after: string): void {
    const safe = (part: string, from: number): string =>
      this.how.strict
        ? escapeAll(part)
        : escapeText(part, {
            before: text[from - 1] ?? before,
            after: text[from + part.length] ?? after,
            inLink: this.inLink,
          });
    let written = '';
    let from = 0;
    for (const { index, lastIndex, url } of this.inLink ? [] : addressesIn(text, this.how.dialect)) {
      const address = text.slice(index, lastIndex);
      const isBare = !safe(text.slice(lastIndex), lastIndex).startsWith('\\');
      const plain = isBare && safe(address, index) === address;
      const label = escapeText(address, { before: '[', after: ']', inLink: true });
      written +=
        safe(text.slice(from, index), from) +
        (plain ? address : `[${label}]${target(url, '', this.how.dialect)}`);
      from = lastIndex;
    }
    // The end of the line would belong to an address before it.
    const gap = from === text.length && from > 0 && after === '\\' ? ' ' : '';
    this.parts.push({ text: written + safe(text.slice(from), from) + gap, isPlain: true });
  }

  private wrap(mark: Mark, run: readonly Leaf[], before: string, after: string, beyond: string): void {
    const inner = run.map((leaf) => ({ ...leaf, marks: mark.removeFromSet(leaf.marks) }));
    if (mark.type === kinds.link) {
      if (this.isPlainAddress(mark, inner)) {
        this.parts.push({ text: inner[0]?.node.text ?? '' });
        return;
      }
      this.parts.push({ text: '[' });
      this.inLink = true;
      this.write(inner, '[', ']');
      this.inLink = false;
      this.parts.push({ text: `]${target(mark.attrs.href, mark.attrs.title, this.how.dialect)}` });
      return;
    }
    const { before: lead, within, after: tail } = trimmed(inner);
    this.write(lead, before, '*');
    if (within.length > 0) this.emphasise(mark, within, tail.length > 0 ? ' ' : beyond);
    this.write(tail, '*', after);
  }

  /** A link whose text is its address needs no brackets, if it becomes a link without them. */
  private isPlainAddress({ attrs }: Mark, inner: readonly Leaf[]): boolean {
    const [only] = inner;
    const text = only?.node.text ?? '';
    if (inner.length !== 1 || attrs.title || this.how.strict || only?.marks.length) return false;
    const before = this.parts.at(-1)?.text.at(-1) ?? ' ';
    const [found] = addressesIn(text, this.how.dialect);
    if (!SPACE.test(before) || !found || found.url !== attrs.href || found.index !== 0) return false;
    return (
      found.lastIndex === text.length && escapeText(text, { before, after: ' ', inLink: false }) === text
    );
  }

  private emphasise(mark: Mark, within: readonly Leaf[], beyond: string): void {
    const outside = this.parts.findLast(({ side }) => side !== 'open');
    const { strict, dialect } = this.how;
    const isInWord = WORD.test(lastOf(outside?.text ?? '')) || WORD.test(beyond);
    const isStar = dialect.hasEntities ? isInWord && !strict : isInWord || strict;
    const marks = { strong: '**', strike: '~~', em: isStar ? '*' : '_' } as const;
    const text = marks[mark.type.name as keyof typeof marks];
    this.parts.push({ text, side: 'open' });
    const edge = mark.type === kinds.strike ? '~' : '*';
    this.write(within, edge, edge, beyond);
    this.parts.push({ text, side: 'close' });
  }
}

const lastOf = (text: string): string => [...text].at(-1) ?? '';
const firstOf = (text: string): string => [...text][0] ?? '';
const asEntity = (char: string): string => `&#${char.codePointAt(0)};`;
const opensNowhere = (mark: string, outside: string, inside: string): boolean =>
  outside !== '' &&
  !SPACE.test(outside) &&
  !PUNCTUATION.test(outside) &&
  (mark === '_' || PUNCTUATION.test(inside));

interface Edge {
  outside: Part | undefined;
  inside: Part | undefined;
}

/** What is around one side of an emphasis. A run of the same characters, as in `***a***`, is read as one. */
function edgesOf(parts: readonly Part[], at: number): Edge {
  const { text = '', side } = parts[at] ?? {};
  const beyond = (step: 1 | -1): Part | undefined => {
    let other = at + step;
    while (parts[other]?.side === side && parts[other]?.text[0] === text[0]) other += step;
    return parts[other];
  };
  const [before, after] = [beyond(-1), beyond(1)];
  return side === 'open' ? { outside: before, inside: after } : { outside: after, inside: before };
}

/**
 * An emphasis begins and ends only where the characters around it allow: `**Note:**x` doesn't. Then the character
 * outside is written as an entity, which counts as punctuation.
 */
function withReadableMarks(parts: readonly Part[]): string {
  const written = parts.filter(({ text }) => text !== '').map((part) => ({ ...part }));
  for (const [at, part] of written.entries()) {
    const { outside, inside } = edgesOf(written, at);
    if (!part.side || !outside || outside.side) continue;
    const [edge, near] = part.side === 'open' ? [lastOf, firstOf] : [firstOf, lastOf];
    const character = edge(outside.text);
    if (!opensNowhere(part.text, character, near(inside?.text ?? ''))) continue;
    outside.text =
      part.side === 'open'
        ? outside.text.slice(0, -character.length) + asEntity(character)
        : asEntity(character) + outside.text.slice(character.length);
  }
  return written.map(({ text }) => text).join('');
}

const EDGE_START = /^[\p{P}\p{S}\s]+/u;
const WITHIN = /[^\p{P}\p{S}\s]/u;

/** The punctuation and spaces at the end of a text. A pattern would be quadratic for long runs. */
function edgeEnd(text: string): string {
  const characters = [...text];
  return characters.slice(characters.findLastIndex((character) => WITHIN.test(character)) + 1).join('');
}

/** Without entities, punctuation at the edge moves out of the emphasis: `**Note**:x`. */
function withPunctuationOutside(parts: readonly Part[]): string {
  const written = parts.filter(({ text }) => text !== '').map((part) => ({ ...part }));
  const open: Part[] = [];
  for (const [at, part] of written.entries()) {
    if (part.side === 'open') open.push(part);
    const other = part.side === 'close' ? open.pop() : undefined;
    const { outside, inside } = edgesOf(written, at);
    if (!part.side || part.text === '' || !outside || outside.side || !inside) continue;
    const [edge, near] = part.side === 'open' ? [lastOf, firstOf] : [firstOf, lastOf];
    if (!opensNowhere(part.text, edge(outside.text), near(inside.text))) continue;
    const moved = inside.isPlain
      ? part.side === 'open'
        ? (EDGE_START.exec(inside.text)?.[0] ?? '')
        : edgeEnd(inside.text)
      : '';
    if (part.side === 'open') {
      outside.text += moved;
      inside.text = inside.text.slice(moved.length);
    } else {
      outside.text = moved + outside.text;
      inside.text = inside.text.slice(0, inside.text.length - moved.length);
    }
    // Nothing is left, or it ends with something that can't be cut.
    if (inside.text !== '' && moved !== '') continue;
    part.text = '';
    if (other) other.text = '';
    else dropClosing(written, at);
  }
  return written.map(({ text }) => text).join('');
}

/** Removes the end of the emphasis that opens there. */
function dropClosing(parts: readonly Part[], at: number): void {
  let depth = 0;
  for (const part of parts.slice(at)) {
    if (part.side) depth += part.side === 'open' ? 1 : -1;
    if (depth > 0) continue;
    part.text = '';
    return;
  }
}

/** A block's inline content as markdown, with the dialect's line breaks. */
export function writeInline(block: Node, how: How): string {
  const leaves: Leaf[] = block.children.map((node) => ({ node, marks: node.marks }));
  // A trailing line break would have no effect.
  while (leaves.at(-1)?.node.type === nodes.hard_break) leaves.pop();
  const writer = new InlineWriter(how);
  writer.write(leaves, ' ', ' ');
  return how.dialect.hasEntities ? withReadableMarks(writer.parts) : withPunctuationOutside(writer.parts);
}
