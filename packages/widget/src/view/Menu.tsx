import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './Icons.tsx';

export interface MenuEntry {
  label: string;
  run: () => void;
}

/** Where a key leads among so many entries; undefined: it is no key of the menu's. */
const stepTo = (key: string, at: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
};

/** What is done seldom, behind three dots. */
export const Menu = ({ label, entries }: { label: string; entries: MenuEntry[] }) => {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector('button')?.focus();
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && menu.current?.parentElement?.contains(event.target)) return;
      setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
      const next = stepTo(
        event.key,
        buttons.indexOf(document.activeElement as HTMLButtonElement),
        buttons.length,
      );
      if (next !== undefined) {
        event.preventDefault();
        buttons[next]?.focus();
      } else if (event.key === 'Tab') setOpen(false);
      else if (event.key === 'Escape') {
        // Only the top layer closes.
        event.preventDefault();
        setOpen(false);
        trigger.current?.focus();
      }
    };
    addEventListener('pointerdown', closeOutside);
    // Ahead of the panel's own listener.
    addEventListener('keydown', onKey, { capture: true });
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('keydown', onKey, { capture: true });
    };
  }, [isOpen]);

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
        <Icon name="more" />
      </button>
      {isOpen && (
        <div class="menu" role="menu" aria-label={label} ref={menu}>
          {entries.map((entry) => (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOpen(false);
                trigger.current?.focus();
                entry.run();
              }}
            >
              {entry.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
