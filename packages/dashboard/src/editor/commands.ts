import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { Node, NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

export type MarkName = 'strong' | 'em' | 'strike' | 'code';

/** Whether what is selected, or what is typed next, has the mark. */
export function hasMark({ selection, doc, storedMarks }: EditorState, name: MarkName | 'link'): boolean {
  const type = marks[name];
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

/** The innermost block around the selection that passes, with the place before it. */
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

/** Bold, italic and the like; in code it does nothing, for nothing in it has a meaning. */
export const mark = (name: MarkName): Command => toggleMark(marks[name], null, { removeWhenPresent: false });

/** A heading, or a paragraph again where it is one already. */
export const heading =
  (level: number): Command =>
  (state, dispatch) =>
    isIn(state, nodes.heading, { level })
      ? setBlockType(nodes.paragraph)(state, dispatch)
      : setBlockType(nodes.heading, { level })(state, dispatch);

/** Code as a block of its own, or a paragraph again. */
export const codeBlock: Command = (state, dispatch) =>
  isIn(state, nodes.code_block)
    ? setBlockType(nodes.paragraph)(state, dispatch)
    : setBlockType(nodes.code_block)(state, dispatch);

/** A quotation around the selected blocks, or none any more. */
export const quote: Command = (state, dispatch) =>
  isIn(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch);

/** Makes the selected blocks items of such a list, a list of the other kind one of this, and items paragraphs again. */
export const list =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const around = blockAround(state, (node) => isListType(node.type));
    if (!around) return wrapInList(type)(state, dispatch);
    if (around.node.type === type) return liftListItem(nodes.list_item)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(around.pos, type, { tight: around.node.attrs.tight }));
    return true;
  };

/** A line across the page, with a paragraph behind it to go on in. */
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

/** A line break within a paragraph; in a table's cell and in a heading there is none. */
export const lineBreak: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.parent.type !== nodes.paragraph || isInTable(state)) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** The link at the caret or in the selection, and how far it goes. */
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

/** Makes what is selected a link, or writes a link where nothing is; without an address it is none any more. */
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

/** A picture where the place is, in a paragraph of its own if there is text around. */
export const pictureNode = (src: string, alt: string): Node => nodes.image.create({ src, alt });

/** Selects a picture, such as one whose description is to be written. */
export const selectedPicture = ({ selection }: EditorState): Node | undefined =>
  selection instanceof NodeSelection && selection.node.type === nodes.image ? selection.node : undefined;

/** Describes the selected picture. */
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
