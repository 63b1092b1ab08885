import { Type } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { applyEdit } from '../markdown/marks.ts';
import { store } from '../storage.ts';
import { IconButton } from '../ui/Button.tsx';
import { pressedTool, REPLY_TOOLS } from './markdown-tools.ts';
import { t } from './t.ts';

const SHOWN = 'foyer.reply-formatting';

/** Bold, lists, links and the like for the selected text, shown on demand; the browser remembers that. */
export function FormatTools({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const [isShown, setShown] = useState(() => store.getItem(SHOWN) === 'true');
  const toggle = (): void => {
    store.setItem(SHOWN, String(!isShown));
    setShown(!isShown);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { current } = box;
      // Those that work in every box were heard there.
      const tool = event.target === current && !event.defaultPrevented && pressedTool(REPLY_TOOLS, event);
      if (!tool || !current) return;
      event.preventDefault();
      applyEdit(current, tool.edit);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [box]);
  return (
    <>
      <IconButton label={t('formatting')} aria-expanded={isShown} onClick={toggle}>
        <Type aria-hidden className="size-4" />
      </IconButton>
      {isShown ? (
        <div role="toolbar" aria-label={t('formatting')} className="flex flex-wrap rounded-lg bg-hover">
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
        </div>
      ) : null}
    </>
  );
}
