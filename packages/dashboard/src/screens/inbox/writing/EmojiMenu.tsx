import { Popover } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { store } from '../../../storage.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { EMOJI_NAMES } from './emoji-names.ts';
import { findEmoji, noteEmoji, recentEmoji } from './emoji-search.ts';
import { t } from './t.ts';

const COLUMNS = 8;

/** Puts an emoji where the caret stands. */
export function EmojiMenu({ onChoose }: { onChoose: (emoji: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        render={
          <IconButton label={t('emoji')}>
            <Smile aria-hidden className="size-4" />
          </IconButton>
        }
      />
      <Popover.Portal>
        <Popover.Positioner side="top" align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={t('emoji')}
            className="appear w-80 max-w-[calc(100vw-16px)] rounded-lg bg-raised p-2 shadow-float outline-none"
          >
            <EmojiGrid
              onChoose={(emoji) => {
                noteEmoji(store, emoji);
                setOpen(false);
                onChoose(emoji);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The field keeps the focus, and arrows walk through what it finds. */
function EmojiGrid({ onChoose }: { onChoose: (emoji: string) => void }) {
  const id = useId();
  const [q, setQ] = useState('');
  const [at, setAt] = useState(0);
  const [recent] = useState(() => recentEmoji(store));
  const found =
    q.trim() === '' ? [...recent, ...findEmoji('').filter((one) => !recent.includes(one))] : findEmoji(q);
  const chosen = found[at];
  const press = (event: KeyboardEvent): void => {
    const isForward = getComputedStyle(event.currentTarget).direction !== 'rtl';
    // In a field with words the arrows to the sides belong to its caret.
    const side = q === '' ? (isForward ? 1 : -1) : 0;
    const steps: Record<string, number> = {
      ArrowRight: side,
      ArrowLeft: -side,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
    };
    const step = steps[event.key];
    if (event.key === 'Enter' && chosen !== undefined && !event.nativeEvent.isComposing) onChoose(chosen);
    else if (step) setAt(Math.max(0, Math.min(found.length - 1, at + step)));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${at}`}
        aria-label={t('emoji_find')}
        placeholder={t('emoji_find')}
        value={q}
        onChange={(event) => {
          setQ(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="mb-2 h-9 w-full rounded-lg border border-line-strong bg-field px-3 max-md:text-[16px]"
      />
      <div id={id} role="listbox" aria-label={t('emoji')} className="scroll-y grid max-h-56 grid-cols-8">
        {found.map((emoji, place) => (
          <div
            key={emoji}
            id={`${id}-${place}`}
            ref={place === at ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            aria-label={`${emoji} ${EMOJI_NAMES[emoji]?.split(' ')[0] ?? ''}`}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(emoji);
            }}
            className={cx(
              'flex aspect-square cursor-default items-center justify-center rounded-md text-lg',
              place === at ? '-outline-offset-2 bg-hover outline-2 outline-accent' : 'hover:bg-hover',
            )}
          >
            {emoji}
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="px-1 py-4 text-center text-soft">{t('emoji_none')}</p> : null}
    </>
  );
}
