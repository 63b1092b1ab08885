import { Popover } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { useId, useState } from 'react';
import { store } from '../../../../storage.ts';
import { IconButton } from '../../../../ui/Button.tsx';
import { cx } from '../../../../ui/classes.ts';
import { t } from '../t.ts';
import { EMOJI_NAMES } from './emoji-names.ts';
import { noteEmoji } from './emoji-search.ts';
import { useEmojiSearch } from './use-emoji-search.ts';

/** Inserts an emoji at the caret. */
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

/** The field keeps the focus, and arrow keys move through the results. */
function EmojiGrid({ onChoose }: { onChoose: (emoji: string) => void }) {
  const id = useId();
  const { q, search, found, at, press } = useEmojiSearch(onChoose);
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        aria-label={t('emoji_find')}
        placeholder={t('emoji_find')}
        value={q}
        onChange={(event) => search(event.target.value)}
        onKeyDown={press}
        className="mb-2 h-9 w-full rounded-lg border border-line-strong bg-field px-3 max-md:text-[16px]"
      />
      <div id={id} role="listbox" aria-label={t('emoji')} className="scroll-y grid max-h-56 grid-cols-8">
        {found.map((emoji, place) => (
          <EmojiOption
            key={emoji}
            id={`${id}-${place}`}
            emoji={emoji}
            isChosen={place === at}
            onChoose={onChoose}
          />
        ))}
      </div>
      {found.length === 0 ? <p className="px-1 py-4 text-center text-soft">{t('emoji_none')}</p> : null}
    </>
  );
}

interface EmojiOptionProps {
  id: string;
  emoji: string;
  /** Enter chooses it. */
  isChosen: boolean;
  onChoose: (emoji: string) => void;
}

function EmojiOption({ id, emoji, isChosen, onChoose }: EmojiOptionProps) {
  return (
    <div
      id={id}
      ref={isChosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-label={`${emoji} ${EMOJI_NAMES[emoji]?.split(' ')[0] ?? ''}`}
      onMouseDown={(event) => {
        event.preventDefault();
        onChoose(emoji);
      }}
      className={cx(
        'flex aspect-square cursor-default items-center justify-center rounded-md text-lg',
        isChosen ? '-outline-offset-2 bg-hover outline-2 outline-accent' : 'hover:bg-hover',
      )}
    >
      {emoji}
    </div>
  );
}
