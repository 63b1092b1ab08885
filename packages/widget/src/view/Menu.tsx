import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, MORE } from './Icons.tsx';

export interface MenuEntry {
  label: string;
  run: () => void;
}

/** The entry that a key moves to; undefined: not one of the menu's keys. */
const stepTo = (key: string, at: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
};

interface MenuProps {
  label: string;
  entries: MenuEntry[];
}

/** Rarely used actions, behind three dots. */
export const Menu = ({ label, entries }: MenuProps) => {
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  if (entries.length === 0) return null;
  return (
    <div class="more">
      <button
        ref={trigger}
        type="button"
        class="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon path={MORE} class="icon-more" />
      </button>
      {isOpen && (
        <Entries
          label={label}
          entries={entries}
          leave={() => setOpen(false)}
          close={() => {
            setOpen(false);
            trigger.current?.focus();
          }}
        />
      )}
    </div>
  );
};

interface EntriesProps extends MenuProps {
  leave: () => void;
  /** Closes the menu and restores the focus. */
  close: () => void;
}

const Entries = ({ label, entries, leave, close }: EntriesProps) => {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.querySelector('button')?.focus();
    const leaveOutside = ({ target }: Event) => {
      if (!(target instanceof Node && menu.current?.parentElement?.contains(target))) leave();
    };
    const onKey = (event: KeyboardEvent) => {
      const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const next = stepTo(event.key, at, buttons.length);
      if (event.key === 'Tab') return leave();
      if (next !== undefined) buttons[next]?.focus();
      // Only the top layer closes.
      else if (event.key === 'Escape') close();
      else return;
      event.preventDefault();
    };
    addEventListener('pointerdown', leaveOutside);
    // Before the panel's own listener.
    addEventListener('keydown', onKey, { capture: true });
    return () => {
      removeEventListener('pointerdown', leaveOutside);
      removeEventListener('keydown', onKey, { capture: true });
    };
  }, []);
  return (
    <div class="menu" role="menu" aria-label={label} ref={menu}>
      {entries.map((entry) => (
        <button
          key={entry.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            close();
            entry.run();
          }}
        >
          {entry.label}
        </button>
      ))}
    </div>
  );
};
