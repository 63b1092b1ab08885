import type { Node } from 'prosemirror-model';
import { type Command, Plugin, TextSelection, type Transaction } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
  tableEditing,
} from 'prosemirror-tables';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { PlainKey } from '../language.ts';
import type { words } from './languages/en.ts';
import { schema } from './schema.ts';
import { t } from './t.ts';

const { nodes } = schema;
const COLUMNS = 3;
const ROWS = 3;

interface TableCommand {
  label: PlainKey<typeof words>;
  run: Command;
}

/** The commands for the table at the caret. */
export const TABLE_COMMANDS: readonly TableCommand[] = [
  { label: 'row_before', run: addRowBefore },
  { label: 'row_after', run: addRowAfter },
  { label: 'column_before', run: addColumnBefore },
  { label: 'column_after', run: addColumnAfter },
  { label: 'row_delete', run: deleteRow },
  { label: 'column_delete', run: deleteColumn },
  { label: 'table_delete', run: deleteTable },
];

/** Inserts a table with a header, unless the caret is in one. */
export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const row = (type: typeof nodes.table_cell): Node =>
    nodes.table_row.create(
      null,
      Array.from({ length: COLUMNS }, () => type.create(null, nodes.paragraph.create())),
    );
  const table = nodes.table.create(null, [
    row(nodes.table_header),
    ...Array.from({ length: ROWS - 1 }, () => row(nodes.table_cell)),
  ]);
  const { from } = state.selection;
  const tr = state.tr.replaceSelectionWith(table);
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.max(0, from - 1)), 1)).scrollIntoView());
  return true;
};

/** Moves to the next cell; from the last one, into a new row. */
export const nextCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false;
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!addRowAfter(state, dispatch) || !view) return true;
  return goToNextCell(1)(view.state, view.dispatch);
};

export const previousCell: Command = (state, dispatch) =>
  isInTable(state) && (goToNextCell(-1)(state, dispatch) || true);

/** Enter in a cell moves down, because a cell has one line. */
export const cellBelow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { $from } = state.selection;
  const rowDepth = [...Array($from.depth).keys()].find((depth) => $from.node(depth).type === nodes.table_row);
  if (rowDepth === undefined) return false;
  const column = $from.index(rowDepth);
  const after = $from.after(rowDepth);
  const row = state.doc.resolve(after).nodeAfter;
  const inNext = row?.children.slice(0, column).reduce((sum, cell) => sum + cell.nodeSize, after + 1);
  const target = TextSelection.near(state.doc.resolve(inNext === undefined ? after : inNext + 2));
  dispatch?.(state.tr.setSelection(target).scrollIntoView());
  return true;
};

/** The first row of a markdown table is its header, no other cell is one, and no cell spans two. */
function asMarkdown(tr: Transaction): Transaction | null {
  tr.doc.descendants((node, pos) => {
    if (node.type !== nodes.table) return !node.isTextblock;
    node.forEach((row, rowOffset, at) => {
      row.forEach((cell, offset) => {
        const type = at === 0 ? nodes.table_header : nodes.table_cell;
        const { colspan, rowspan, align } = cell.attrs;
        if (cell.type === type && colspan === 1 && rowspan === 1) return;
        tr.setNodeMarkup(pos + 1 + rowOffset + 1 + offset, type, { align });
      });
    });
    return false;
  });
  return tr.docChanged ? tr : null;
}

/** An empty header cell gets a number as its label for screen readers. */
function named(doc: Node): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, pos, _row, at) => {
    if (node.type !== nodes.table_header) return !node.isTextblock;
    const label = { role: 'cell', 'aria-label': t('column', { number: at + 1 }) };
    if (node.textContent === '') found.push(Decoration.node(pos, pos + node.nodeSize, label));
    return false;
  });
  return DecorationSet.create(doc, found);
}

/** Table editing that always stays within what markdown can express. */
export const tables = (): Plugin[] => [
  new Plugin({
    props: { decorations: ({ doc }) => named(doc) },
    appendTransaction: (transactions, _before, state) =>
      transactions.some(({ docChanged }) => docChanged) ? asMarkdown(state.tr) : null,
  }),
  tableEditing(),
];
