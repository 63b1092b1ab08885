import { EMOJI } from '@foyer/protocol/values/emoji';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/emoji.css?inline';

adopt(style);

const COLUMNS = 8;

interface EmojiPickerProps {
  choose: (emoji: string) => void;
  close: () => void;
}

/** A grid navigated with arrow keys; Enter chooses, Escape closes. */
export const EmojiPicker = ({ choose, close }: EmojiPickerProps) => {
  const grid = useRef<HTMLFieldSetElement>(null);
  const buttons = () => [...(grid.current?.querySelectorAll('button') ?? [])];
  const focus = (index: number) => {
    const all = buttons();
    const target = all[Math.max(0, Math.min(index, all.length - 1))];
    for (const button of all) button.tabIndex = button === target ? 0 : -1;
    target?.focus();
  };

  // Before it is drawn: a key that is pressed as soon as it is seen belongs to it.
  useLayoutEffect(() => focus(0), []);
  useEffect(() => {
    const onPointer = ({ target }: Event) => {
      if (!(target instanceof Node && grid.current?.parentElement?.contains(target))) close();
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, []);

  const onKey = (event: KeyboardEvent) => {
    const at = buttons().indexOf(document.activeElement as HTMLButtonElement);
    const forward = getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? -1 : 1;
    const steps: Record<string, number> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
      Home: -at,
      End: EMOJI.length,
    };
    const step = steps[event.key];
    if (event.key === 'Escape') {
      // Only the top layer closes.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') close();
    else if (step !== undefined) {
      event.preventDefault();
      focus(at + step);
    }
  };
  return (
    <fieldset class="emoji-picker" aria-label={say('emoji')} ref={grid} onKeyDown={onKey}>
      {EMOJI.map((emoji) => (
        <button key={emoji} type="button" tabIndex={-1} onClick={() => choose(emoji)}>
          {emoji}
        </button>
      ))}
    </fieldset>
  );
};
