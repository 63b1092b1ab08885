import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  List,
  ListOrdered,
  type LucideIcon,
  Minus,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Undo2,
} from 'lucide-react';
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import { codeBlock, hasMark, heading, isIn, list, type MarkName, mark, quote, rule } from './commands.ts';
import { schema } from './schema.ts';
import { t } from './t.ts';

export interface Tool {
  label: () => string;
  icon: LucideIcon;
  /** Ctrl also stands for ⌘. */
  keys?: string;
  run: Command;
  /** For tools that can be on. */
  isOn?: (state: EditorState) => boolean;
  /** Unset: whenever the command doesn't apply. */
  isOff?: (state: EditorState) => boolean;
}

const { nodes } = schema;

const marking = (name: MarkName): Pick<Tool, 'run' | 'isOn'> => ({
  run: mark(name),
  isOn: (state) => hasMark(state, name),
});

export const MARKS: readonly Tool[] = [
  { label: () => t('bold'), icon: Bold, keys: 'Ctrl B', ...marking('strong') },
  { label: () => t('italic'), icon: Italic, keys: 'Ctrl I', ...marking('em') },
  { label: () => t('strike'), icon: Strikethrough, keys: 'Ctrl Shift X', ...marking('strike') },
  { label: () => t('code'), icon: Code, keys: 'Ctrl E', ...marking('code') },
];

/** For articles; replies have no headings. */
export const HEADINGS: readonly Tool[] = [
  {
    label: () => t('heading'),
    icon: Heading2,
    keys: 'Ctrl 2',
    run: heading(2),
    isOn: (state) => isIn(state, nodes.heading, { level: 2 }),
  },
  {
    label: () => t('subheading'),
    icon: Heading3,
    keys: 'Ctrl 3',
    run: heading(3),
    isOn: (state) => isIn(state, nodes.heading, { level: 3 }),
  },
];

export const BLOCKS: readonly Tool[] = [
  {
    label: () => t('bullets'),
    icon: List,
    keys: 'Ctrl Shift 8',
    run: list(nodes.bullet_list),
    isOn: (state) => isIn(state, nodes.bullet_list),
  },
  {
    label: () => t('numbers'),
    icon: ListOrdered,
    keys: 'Ctrl Shift 7',
    run: list(nodes.ordered_list),
    isOn: (state) => isIn(state, nodes.ordered_list),
  },
  {
    label: () => t('quote'),
    icon: Quote,
    keys: 'Ctrl Shift 9',
    run: quote,
    isOn: (state) => isIn(state, nodes.blockquote),
  },
  {
    label: () => t('code_block'),
    icon: SquareCode,
    keys: 'Ctrl Shift 6',
    run: codeBlock,
    isOn: (state) => isIn(state, nodes.code_block),
  },
];

/** Opens a dialog, so it isn't a tool that just runs. */
export const LINK = { keys: 'Ctrl K' };

export const RULE: Tool = { label: () => t('rule'), icon: Minus, run: rule };

export const HISTORY: readonly Tool[] = [
  {
    label: () => t('undo'),
    icon: Undo2,
    keys: 'Ctrl Z',
    run: undo,
    isOff: (state) => undoDepth(state) === 0,
  },
  {
    label: () => t('redo'),
    icon: Redo2,
    keys: 'Ctrl Shift Z',
    run: redo,
    isOff: (state) => redoDepth(state) === 0,
  },
];
