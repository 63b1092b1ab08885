import { useSyncExternalStore } from 'react';
import type { CommandId } from './commands.ts';
import { holdTyped, takeTyped } from './typed-ahead.ts';

/** What the palette shows: everything, or one command's choices. */
interface Asked {
  command: CommandId | null;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

function put(next: Asked | null): void {
  asked = next;
  if (next) holdTyped();
  else takeTyped();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Opens the palette, or the choices of a command. */
export const openPalette = (command: CommandId | null = null): void => put({ command });
/** Closes the palette, if it is open. */
export const closePalette = (): void => put(null);
/** Opens the palette on everything, or closes it. */
export const togglePalette = (): void => put(asked ? null : { command: null });

/** Null while it is closed. */
export const useAsked = (): Asked | null => useSyncExternalStore(subscribe, () => asked);
