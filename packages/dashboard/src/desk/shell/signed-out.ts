import { useEffect, useState } from 'react';

/**
 * Typing has paused after this long. Until then the rest of the sentence belongs where it was begun, not in a
 * password field.
 */
const PAUSE_MS = 1_000;

let ask: (() => void) | undefined;

/** Loads the sign-in dialog over the desk. */
export const loadSignInAgain = () => import('../../screens/welcome/SignInAgain.tsx');

/** The session has ended. @returns whether the desk is on the screen, which then shows the sign-in dialog */
export function askAtDesk(): boolean {
  ask?.();
  return ask !== undefined;
}

/**
 * Whether the desk must show the sign-in dialog, and the callback for a successful sign-in. Waits until typing
 * pauses: what is written and sent until then is kept, as when offline.
 */
export function useSignedOut(): [isOut: boolean, onIn: () => void] {
  const [isOut, setIsOut] = useState(false);
  useEffect(() => {
    const ends = new AbortController();
    const options = { signal: ends.signal, capture: true, passive: true };
    let pausedAt = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const typed = (): void => {
      pausedAt = performance.now() + PAUSE_MS;
    };
    const rise = (): void => {
      clearTimeout(timer);
      const left = pausedAt - performance.now();
      if (left > 0) timer = setTimeout(rise, left);
      else setIsOut(true);
    };
    const mine = (): void => {
      // The agent may start typing while it loads. If it can't be loaded, its place says so.
      void loadSignInAgain().then(rise, rise);
    };
    document.addEventListener('keydown', typed, options);
    document.addEventListener('input', typed, options);
    ask = mine;
    return () => {
      ends.abort();
      clearTimeout(timer);
      if (ask === mine) ask = undefined;
    };
  }, []);
  return [isOut, () => setIsOut(false)];
}
