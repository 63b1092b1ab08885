/** How long to wait for a requested layer: one that never appears must not swallow keys. */
const HELD_MS = 5_000;

let end: (() => string) | undefined;

/**
 * Holds what is typed from now on for a requested layer. It opens once its code is loaded: until its box has the focus,
 * a letter would run a command, or go into the box below.
 */
export function holdTyped(): void {
  takeTyped();
  let typed = '';
  const press = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'Backspace') typed = typed.slice(0, -1);
    else if ([...key].length === 1) typed += key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('keydown', press, { capture: true });
  const timer = setTimeout(takeTyped, HELD_MS);
  end = () => {
    clearTimeout(timer);
    removeEventListener('keydown', press, { capture: true });
    end = undefined;
    return typed;
  };
}

/** Returns what was typed before the layer was open, and stops holding keys. */
export const takeTyped = (): string => end?.() ?? '';
