import { useEffect, useState } from 'react';

/** Who types on has not paused: the rest of the sentence belongs where it was begun, and into no field of a password. */
const PAUSE_MS = 1_000;

let ask: (() => void) | undefined;

/** Loads the dialog that asks for the password over the desk. */
export const loadSignInAgain = () => import('../../screens/welcome/SignInAgain.tsx');

/** The session has ended. @returns whether the desk is on the screen, which then asks over itself who one is. */
export function askAtDesk(): boolean {
  ask?.();
  return ask !== undefined;
}

/**
 * Whether the desk has to ask who one is, and how it is told that somebody is in again. It asks once whoever is typing
 * pauses: until then what is written and sent is kept as without a line.
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
      // While it is fetched somebody may begin to type. Where it can't be, its place says so.
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
