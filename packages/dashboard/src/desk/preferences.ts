import { useSyncExternalStore } from 'react';
import { store } from '../storage.ts';

export type Theme = 'auto' | 'light' | 'dark';
const THEME = 'foyer.theme';
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function readTheme(): Theme {
  const value = store.getItem(THEME);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** The frame's background, for the bar that the system draws around an installed desk. */
const BAR: Readonly<Record<Exclude<Theme, 'auto'>, string>> = { light: '#f5f7f7', dark: '#0c0f0f' };

/** Applies the theme chosen in this browser; `auto` follows the system. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const scheme of ['light', 'dark'] as const)
    document
      .querySelector(`meta[name=theme-color][media*=${scheme}]`)
      ?.setAttribute('content', BAR[theme === 'auto' ? scheme : theme]);
}

/** Stores the theme on this device and applies it. */
export function setTheme(theme: Theme): void {
  store.setItem(THEME, theme);
  applyTheme();
  tell();
}

/** The theme chosen on this device. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme);

/** Where the desk goes after closing a chat, or solving or snoozing a ticket. */
type AfterDone = 'stay' | 'next';
const AFTER_DONE = 'foyer.after_done';

/** Where the desk goes once a conversation is done. */
export const afterDone = (): AfterDone => (store.getItem(AFTER_DONE) === 'next' ? 'next' : 'stay');

/** Stores on this device where the desk goes once a conversation is done. */
export function setAfterDone(after: AfterDone): void {
  store.setItem(AFTER_DONE, after);
  tell();
}

/** `afterDone`, kept up to date. */
export const useAfterDone = (): AfterDone => useSyncExternalStore(subscribe, afterDone);

/** The height of the inbox's rows: three lines, or two to fit more rows. */
export type Density = 'comfortable' | 'compact';
const DENSITY = 'foyer.density';

const density = (): Density => (store.getItem(DENSITY) === 'compact' ? 'compact' : 'comfortable');

/** Stores on this device how high the inbox's rows are. */
export function setDensity(chosen: Density): void {
  store.setItem(DENSITY, chosen);
  tell();
}

/** The row height chosen on this device. Phones always use the high one. */
export const useDensity = (): Density => useSyncExternalStore(subscribe, density);
