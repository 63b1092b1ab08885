import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Strikethrough,
} from 'lucide-react';
import { insertLink, toggleLines } from '../markdown/edits.ts';
import { type Edit, toggleMark, type Written } from '../markdown/marks.ts';
import { t } from './t.ts';

export interface MarkdownTool {
  label: () => string;
  icon: LucideIcon;
  /** Ctrl also stands for ⌘. */
  keys?: string;
  edit: (written: Written) => Edit;
}

const TEXT: readonly MarkdownTool[] = [
  { label: () => t('bold'), icon: Bold, keys: 'Ctrl B', edit: (written) => toggleMark(written, '**') },
  { label: () => t('italic'), icon: Italic, keys: 'Ctrl I', edit: (written) => toggleMark(written, '_') },
  { label: () => t('strike'), icon: Strikethrough, edit: (written) => toggleMark(written, '~~') },
  { label: () => t('code'), icon: Code, keys: 'Ctrl E', edit: (written) => toggleMark(written, '`') },
];

const LISTS: readonly MarkdownTool[] = [
  {
    label: () => t('bullets'),
    icon: List,
    keys: 'Ctrl Shift 8',
    edit: (written) => toggleLines(written, 'bullets'),
  },
  {
    label: () => t('numbers'),
    icon: ListOrdered,
    keys: 'Ctrl Shift 7',
    edit: (written) => toggleLines(written, 'numbers'),
  },
  {
    label: () => t('quote'),
    icon: Quote,
    keys: 'Ctrl Shift 9',
    edit: (written) => toggleLines(written, 'quote'),
  },
];

const LINK: MarkdownTool = {
  label: () => t('link'),
  icon: Link,
  edit: (written) => insertLink(written, t('link_text')),
};

/** For articles edited as markdown. */
export const ARTICLE_TOOLS: readonly MarkdownTool[] = [
  ...TEXT,
  { ...LINK, keys: 'Ctrl K' },
  {
    label: () => t('heading'),
    icon: Heading2,
    keys: 'Ctrl 2',
    edit: (written) => toggleLines(written, 'heading'),
  },
  {
    label: () => t('subheading'),
    icon: Heading3,
    keys: 'Ctrl 3',
    edit: (written) => toggleLines(written, 'subheading'),
  },
  ...LISTS,
];

/** For replies, where Ctrl K opens the palette. */
export const REPLY_TOOLS: readonly MarkdownTool[] = [...TEXT, LINK, ...LISTS];

/** The tool for the pressed keys. */
export const pressedTool = (
  tools: readonly MarkdownTool[],
  event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): MarkdownTool | undefined => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  return tools.find(({ keys = '' }) => {
    const key = keys.slice(-1);
    const shift = keys.includes('Shift');
    if (key === '' || event.shiftKey !== shift) return false;
    // With Shift, the digit keys report their upper character.
    return shift ? event.code === `Digit${key}` : event.key.toUpperCase() === key;
  });
};
