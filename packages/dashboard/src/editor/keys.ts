import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import type { Command } from 'prosemirror-state';
import { codeBlock, heading, lineBreak, list, mark, quote } from './commands.ts';
import { schema } from './schema.ts';
import { cellBelow, nextCell, previousCell } from './tables.ts';

const { nodes } = schema;

const inList: Command = (state) => {
  const { $from } = state.selection;
  return $from.depth > 1 && $from.node($from.depth - 1).type === nodes.list_item;
};

/** In a list, Tab never leaves the editor, even if an item can't be nested deeper. */
const deeper: Command = (state, dispatch) =>
  inList(state) && (sinkListItem(nodes.list_item)(state, dispatch) || true);

/** Backspace at the beginning of a heading turns it into a paragraph. */
const plainBlock: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { type } = $from.parent;
  if (!empty || $from.parentOffset > 0 || (type !== nodes.heading && type !== nodes.code_block)) return false;
  dispatch?.(state.tr.setNodeMarkup($from.before(), nodes.paragraph, {}));
  return true;
};

/** The editor's keys, matching the toolbar's. `Mod` is Ctrl, or ⌘ on a Mac. */
export const REPLY_KEYS: Readonly<Record<string, Command>> = {
  'Mod-b': mark('strong'),
  'Mod-i': mark('em'),
  'Mod-e': mark('code'),
  'Mod-Shift-x': mark('strike'),
  'Mod-Shift-8': list(nodes.bullet_list),
  'Mod-Shift-7': list(nodes.ordered_list),
  'Mod-Shift-9': quote,
  'Mod-Shift-6': codeBlock,
  'Mod-z': undo,
  'Mod-y': redo,
  'Mod-Shift-z': redo,
  Enter: chainCommands(cellBelow, splitListItem(nodes.list_item)),
  'Shift-Enter': chainCommands(exitCode, lineBreak, cellBelow),
  Tab: chainCommands(nextCell, deeper),
  'Shift-Tab': chainCommands(previousCell, liftListItem(nodes.list_item)),
  Backspace: chainCommands(undoInputRule, plainBlock),
};

/** Articles also have headings. `Mod-Enter` sends a reply. */
export const ARTICLE_KEYS: Readonly<Record<string, Command>> = {
  ...REPLY_KEYS,
  'Mod-2': heading(2),
  'Mod-3': heading(3),
  'Mod-Enter': chainCommands(exitCode, lineBreak),
};

export { baseKeymap };
