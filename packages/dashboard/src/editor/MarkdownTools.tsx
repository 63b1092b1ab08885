import { type RefObject, useEffect } from 'react';
import { applyEdit } from '../markdown/marks.ts';
import { IconButton } from '../ui/Button.tsx';
import { MarkdownSwitch } from './MarkdownSwitch.tsx';
import { pressedTool, REPLY_TOOLS } from './markdown-tools.ts';
import { t } from './t.ts';

interface MarkdownToolsProps {
  box: RefObject<HTMLTextAreaElement | null>;
  /** The keys also work while the tools are hidden. */
  isShown: boolean;
  /** Unset if there is no visual editor. */
  onVisual?: (() => void) | undefined;
}

/** Formatting tools for the selection in a plain text box. */
export function MarkdownTools({ box, isShown, onVisual }: MarkdownToolsProps) {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { current } = box;
      // Keys that work in every box were handled there.
      const tool = event.target === current && !event.defaultPrevented && pressedTool(REPLY_TOOLS, event);
      if (!tool || !current) return;
      event.preventDefault();
      applyEdit(current, tool.edit);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [box]);
  if (!isShown) return null;
  return (
    <div
      role="toolbar"
      aria-label={t('formatting')}
      className="flex items-center overflow-x-auto px-2 pt-1.5"
    >
      {REPLY_TOOLS.map((tool) => (
        <IconButton
          key={tool.label()}
          label={tool.label()}
          {...(tool.keys ? { shortcut: tool.keys } : {})}
          onClick={() => box.current && applyEdit(box.current, tool.edit)}
        >
          <tool.icon aria-hidden className="size-4" />
        </IconButton>
      ))}
      {onVisual ? <MarkdownSwitch isOn onToggle={onVisual} /> : null}
    </div>
  );
}
