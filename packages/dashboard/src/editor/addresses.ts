import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { Dialect } from './markdown/dialect.ts';
import { addressesIn } from './markdown/read.ts';
import { schema } from './schema.ts';

const { marks } = schema;

interface Span {
  from: number;
  to: number;
}

/** Positions of addresses in a block, from its beginning. */
function spansIn(block: Node, dialect: Dialect): Span[] {
  const found: Span[] = [];
  block.forEach((node, offset) => {
    if (!node.isText || node.marks.some(({ type }) => type === marks.link || type === marks.code)) return;
    for (const { index, lastIndex } of addressesIn(node.text ?? '', dialect))
      found.push({ from: 1 + offset + index, to: 1 + offset + lastIndex });
  });
  return found;
}

/** Shows addresses in the text as links, as readers will see them. */
export function addresses(dialect: Dialect): Plugin<DecorationSet> {
  const known = new WeakMap<Node, Span[]>();
  const all = (doc: Node): DecorationSet => {
    const found: Decoration[] = [];
    doc.descendants((node, pos) => {
      if (!node.isTextblock) return true;
      const spans = known.get(node) ?? (node.type.spec.code ? [] : spansIn(node, dialect));
      known.set(node, spans);
      for (const { from, to } of spans)
        found.push(Decoration.inline(pos + from, pos + to, { nodeName: 'a' }));
      return false;
    });
    return DecorationSet.create(doc, found);
  };
  const plugin: Plugin<DecorationSet> = new Plugin({
    state: {
      init: (_config, { doc }) => all(doc),
      apply: (tr, set) => (tr.docChanged ? all(tr.doc) : set),
    },
    props: { decorations: (state) => plugin.getState(state) },
  });
  return plugin;
}
