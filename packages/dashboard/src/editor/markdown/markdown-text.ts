import { Fragment, type Node, Slice } from 'prosemirror-model';
import { schema } from '../schema.ts';
import type { Dialect } from './dialect.ts';
import { readBlocks, shownAs } from './read.ts';
import { listMark, writeBlock } from './write.ts';
import type { How } from './write-inline.ts';

/** Blocks whose source can be reused anywhere. Others depend on their surroundings. */
const KEPT = ['paragraph', 'heading', 'bullet_list', 'ordered_list', 'blockquote', 'table'];
const BETWEEN = '\n\n';

/** Stands for the caret while its position is searched. People don't type this character. */
const CARET = '\ue000';
/** How far from the caret its position is searched, if it is within markup that the document doesn't have. */
const NEAR = 12;

const near = (offset: number, length: number): number[] =>
  [0, ...Array.from({ length: NEAR }, (_, at) => [at + 1, -at - 1]).flat()]
    .map((step) => offset + step)
    .filter((at) => at >= 0 && at <= length);

function findCaret(doc: Node): number | undefined {
  let found: number | undefined;
  doc.descendants((node, pos) => {
    const at = node.text?.indexOf(CARET) ?? -1;
    if (at >= 0) found = pos + at;
    return found === undefined;
  });
  return found;
}

/** As if every block had been changed. */
const afresh = (doc: Node, dialect: Dialect): string => new MarkdownText(dialect).write(doc);

/** The characters of blocks and how they look, without white space and links. */
function looksOf(found: readonly Node[]): { text: string; marks: string[] } {
  let text = '';
  const marks: string[] = [];
  const take = (node: Node): void => {
    const shown = (node.text ?? '').replace(/\s+/g, '');
    const look = node.marks.map(({ type }) => type.name).filter((name) => name !== 'link');
    text += shown;
    for (let at = 0; at < shown.length; at += 1) marks.push(look.toSorted().join('+'));
  };
  for (const node of found) node.descendants(take);
  return { text, marks };
}

/** Several line breaks in a row end a paragraph where each line break counts. */
const isRead = (block: Node, again: readonly Node[]): boolean =>
  again.length === 1 ||
  (again.length > 1 && block.type.name === 'paragraph' && again.every(({ type }) => type === block.type));

/** Whether a block reads back as it is, and looks so. */
function check(block: Node, before: string, how: How): { written: string; reads: boolean; looks: boolean } {
  const written = writeBlock(block, before, how);
  const again = readBlocks(written, how.dialect).blocks.map(({ node }) => node);
  const [is, was] = [looksOf(again), looksOf([block])];
  const reads =
    isRead(block, again) &&
    is.text === was.text &&
    again.map((one) => writeBlock(one, before, how)).join(BETWEEN) === written;
  return { written, reads, looks: reads && is.marks.join() === was.marks.join() };
}

/** Writes a block, and again in a surer way if it doesn't read back as it is. */
function write(block: Node, before: string, dialect: Dialect): string {
  const usual = check(block, before, { dialect, strict: false });
  if (usual.looks || usual.written === '') return usual.written;
  const sure = check(block, before, { dialect, strict: true });
  // A reply can't have every emphasis within a word.
  return usual.reads && !sure.looks ? usual.written : sure.written;
}

/**
 * Markdown outside, a document inside. Unchanged blocks keep their exact source, so correcting one word changes one
 * line of the history.
 */
export class MarkdownText {
  private readonly sources = new WeakMap<Node, string>();
  private opened: { doc: Node; text: string } | undefined;
  /** The blocks of the opened text: a block that was changed and restored keeps its source. */
  private readonly kept: Node[] = [];

  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  read(text: string): Node {
    const { blocks, hasReferences } = readBlocks(text, this.dialect);
    this.kept.length = 0;
    const lines = text.replace(/\r\n?/g, '\n').split('\n');
    for (const { node, start, end } of blocks) {
      const source = lines.slice(start, end).join('\n').trimEnd();
      if (hasReferences || !KEPT.includes(node.type.name) || /^\s|\t/.test(source)) continue;
      this.sources.set(node, source);
      this.kept.push(node);
    }
    const doc = schema.nodes.doc.create(
      null,
      blocks.length > 0 ? blocks.map(({ node }) => node) : [schema.nodes.paragraph.create()],
    );
    this.opened = { doc, text };
    return doc;
  }

  write(doc: Node): string {
    if (this.opened?.doc.eq(doc)) return this.opened.text;
    return this.written(doc)
      .filter((text) => text !== '')
      .join(BETWEEN);
  }

  /**
   * Parses a text with the caret at an offset. What exists only at the caret, such as a line just begun, is part of
   * the document.
   */
  readAt(text: string, offset: number): { doc: Node; pos: number } {
    const plainDoc = this.read(text);
    const plainText = afresh(plainDoc, this.dialect);
    for (const at of near(offset, text.length)) {
      const marked = new MarkdownText(this.dialect).read(`${text.slice(0, at)}${CARET}${text.slice(at)}`);
      const pos = findCaret(marked);
      const doc = pos === undefined ? undefined : marked.replace(pos, pos + 1, Slice.empty);
      if (pos === undefined || !doc || afresh(doc, this.dialect) !== plainText) continue;
      this.opened = { doc, text };
      return { doc, pos };
    }
    return { doc: plainDoc, pos: plainDoc.content.size };
  }

  /** The offset in the written text of a position in the document. */
  offsetOf(doc: Node, pos: number): number {
    const text = this.write(doc);
    const $pos = doc.resolve(pos);
    if (!$pos.parent.inlineContent) return text.length;
    const caret = new Slice(Fragment.from(schema.text(CARET, $pos.marks())), 0, 0);
    const before = this.written(doc.replace(pos, pos, caret))
      .filter((block) => block !== '')
      .join(BETWEEN)
      .split(CARET, 1)[0];
    if (before !== undefined && text.startsWith(before)) return before.length;
    const earlier = this.written(doc)
      .slice(0, $pos.index(0))
      .filter((block) => block !== '');
    return Math.min(text.length, earlier.join(BETWEEN).length + (earlier.length > 0 ? BETWEEN.length : 0));
  }

  private sourceOfLike(block: Node): string | undefined {
    const like = this.kept.find((one) => one.eq(block));
    return like && this.sources.get(like);
  }

  private written(doc: Node): string[] {
    let before = '';
    return doc.children.map((block) => {
      const isList = block.type.name.endsWith('_list');
      const source = this.sources.get(block) ?? this.sourceOfLike(block);
      // Two adjacent lists with the same markers would become one.
      const isOne = source !== undefined && isList && listMark(source) === listMark(before);
      const text = source === undefined || isOne ? write(block, before, this.dialect) : source;
      if (!isList) this.sources.set(block, text);
      if (text !== '') before = text;
      return text;
    });
  }
}

/** Whether the visual editor can show a text without loss: written again, it looks the same to readers. */
export function isFaithful(text: string, dialect: Dialect): boolean {
  const doc = schema.nodes.doc.create(
    null,
    readBlocks(text, dialect).blocks.map(({ node }) => node),
  );
  return shownAs(afresh(doc, dialect), dialect) === shownAs(text, dialect);
}
