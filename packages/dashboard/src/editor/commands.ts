import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { Node, NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

export type MarkName = 'strong' | 'em' | 'strike' | 'code';

/** Whether the selection, or the next typed text, has the mark. */
export function hasMark({ selection, doc, storedMarks }: EditorState, name: MarkName | 'link'): boolean {
  const type = marks[name];
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

/** The innermost block around the selection that satisfies the condition, with its position. */
export function blockAround(
  { selection: { $from } }: EditorState,
  passes: (node: Node) => boolean,
): { node: Node; pos: number } | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if (passes($from.node(depth))) return { node: $from.node(depth), pos: $from.before(depth) };
  return undefined;
}

export const isIn = (state: EditorState, type: NodeType, attrs: object = {}): boolean =>
  blockAround(state, (node) => node.hasMarkup(type, { ...node.attrs, ...attrs })) !== undefined;

const isListType = (type: NodeType): boolean => type === nodes.bullet_list || type === nodes.ordered_list;

/** Toggles bold, italic and the like. Does nothing in code. */
export const mark = (name: MarkName): Command => toggleMark(marks[name], null, { removeWhenPresent: false });

/** A heading, or a paragraph if it already is one. */
export const heading =
  (level: number): Command =>
  (state, dispatch) =>
    isIn(state, nodes.heading, { level })
      ? setBlockType(nodes.paragraph)(state, dispatch)
      : setBlockType(nodes.heading, { level })(state, dispatch);

/** A code block, or a paragraph again. */
export const codeBlock: Command = (state, dispatch) =>
  isIn(state, nodes.code_block)
    ? setBlockType(nodes.paragraph)(state, dispatch)
    : setBlockType(nodes.code_block)(state, dispatch);

/** Toggles a quotation around the selected blocks. */
export const quote: Command = (state, dispatch) =>
  isIn(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch);

/**
 * Turns the selected blocks into a list of this kind, a list of the other kind into this one, and items back into
 * paragraphs.
 */
export const list =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const around = blockAround(state, (node) => isListType(node.type));
    if (!around) return wrapInList(type)(state, dispatch);
    if (around.node.type === type) return liftListItem(nodes.list_item)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(around.pos, type, { tight: around.node.attrs.tight }));
    return true;
  };

/** A horizontal rule, with a paragraph after it. */
export const rule: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const tr = state.tr.replaceSelectionWith(nodes.rule.create());
  const after = tr.selection.$to;
  if (after.nodeAfter === null && after.parent === tr.doc) tr.insert(after.pos, nodes.paragraph.create());
  dispatch?.(
    tr
      .setSelection(TextSelection.near(tr.doc.resolve(Math.min(after.pos + 1, tr.doc.content.size))))
      .scrollIntoView(),
  );
  return true;
};

/** A line break within a paragraph. Not in table cells and headings. */
export const lineBreak: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.parent.type !== nodes.paragraph || isInTable(state)) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** The link at the caret or in the selection, and its range. */
export function linkAt(state: EditorState): { from: number; to: number; href: string; text: string } {
  const { $from, from, to, empty } = state.selection;
  const own = marks.link.isInSet($from.marks()) ?? marks.link.isInSet($from.nodeAfter?.marks ?? []);
  const parent = $from.parent;
  let [start, end] = [from, to];
  if (own && (empty || state.doc.rangeHasMark(from, to, marks.link))) {
    let offset = $from.start();
    parent.forEach((child) => {
      const isHere = own.isInSet(child.marks) && offset <= from && from <= offset + child.nodeSize;
      if (isHere) [start, end] = [Math.min(offset, from), Math.max(offset + child.nodeSize, to)];
      offset += child.nodeSize;
    });
  }
  return { from: start, to: end, href: own?.attrs.href ?? '', text: state.doc.textBetween(start, end, ' ') };
}

/** Links the selection, or inserts a link if nothing is selected. Without an address, removes the link. */
export const link =
  (href: string, words: string): Command =>
  (state, dispatch) => {
    const { from, to } = linkAt(state);
    const { tr } = state;
    if (href === '') dispatch?.(tr.removeMark(from, to, marks.link));
    else if (from === to) {
      const text = schema.text(words || href, [marks.link.create({ href }), ...(state.storedMarks ?? [])]);
      dispatch?.(tr.insert(from, text).removeStoredMark(marks.link).scrollIntoView());
    } else dispatch?.(tr.addMark(from, to, marks.link.create({ href })).removeStoredMark(marks.link));
    return true;
  };

/** An image at the position, in its own paragraph if there is text around it. */
export const pictureNode = (src: string, alt: string): Node => nodes.image.create({ src, alt });

/** The selected image, for example to describe it. */
export const selectedPicture = ({ selection }: EditorState): Node | undefined =>
  selection instanceof NodeSelection && selection.node.type === nodes.image ? selection.node : undefined;

/** Sets the description of the selected image. */
export const describe =
  (alt: string): Command =>
  (state, dispatch) => {
    const picture = selectedPicture(state);
    if (!picture) return false;
    const { from } = state.selection;
    const tr = state.tr.setNodeMarkup(from, undefined, { ...picture.attrs, alt });
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)));
    return true;
  };
