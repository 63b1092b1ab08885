import type { Node } from 'prosemirror-model';
import { schema } from '../schema.ts';
import { readBlocks, shownAs } from './read.ts';
import { listMark, writeBlock } from './write.ts';

/** Blocks whose lines can stand anywhere: others depend on what stands before or behind them. */
const KEPT = ['paragraph', 'heading', 'bullet_list', 'ordered_list', 'blockquote', 'table'];
const BETWEEN = '\n\n';

const plain = (text: string): string => text.replace(/\s+/g, '');

/** Writes a block, and again in a surer way if it doesn't read back as it is. */
function write(block: Node, before: string): string {
  const written = writeBlock(block, before, { strict: false });
  const [again, ...others] = readBlocks(written).blocks;
  const isSame =
    again !== undefined &&
    others.length === 0 &&
    plain(again.node.textContent) === plain(block.textContent) &&
    writeBlock(again.node, before, { strict: false }) === written;
  return isSame || written === '' ? written : writeBlock(block, before, { strict: true });
}

/**
 * A text that is markdown outside and a document inside. Blocks that nobody changes stay as they were written, to the
 * letter: whoever corrects one word changes one line of the history.
 */
export class MarkdownText {
  private readonly sources = new WeakMap<Node, string>();
  private opened: { doc: Node; text: string } | undefined;
  /** The blocks of the text that was opened: one that was changed and is again as it was is written as it was. */
  private readonly kept: Node[] = [];

  read(text: string): Node {
    const { blocks, hasReferences } = readBlocks(text);
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

  /** Where a top-level block begins in the written text. */
  offsetOf(doc: Node, index: number): number {
    const before = this.written(doc)
      .slice(0, index)
      .filter((text) => text !== '');
    return before.reduce((sum, text) => sum + text.length + BETWEEN.length, 0);
  }

  /** The top-level block that an offset in the written text lies in. */
  indexAt(doc: Node, offset: number): number {
    let end = 0;
    const index = this.written(doc).findIndex((text) => {
      end += text === '' ? 0 : text.length + BETWEEN.length;
      return offset < end;
    });
    return index === -1 ? doc.childCount - 1 : index;
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
      // Two lists in a row with the same marks would be one.
      const isOne = source !== undefined && isList && listMark(source) === listMark(before);
      const text = source === undefined || isOne ? write(block, before) : source;
      if (!isList) this.sources.set(block, text);
      if (text !== '') before = text;
      return text;
    });
  }
}

/** Whether the visual editor can show a text with nothing lost: written again, it looks the same to its readers. */
export function isFaithful(text: string): boolean {
  const doc = schema.nodes.doc.create(
    null,
    readBlocks(text).blocks.map(({ node }) => node),
  );
  return shownAs(new MarkdownText().write(doc)) === shownAs(text);
}
