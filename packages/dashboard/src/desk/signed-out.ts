import { useEffect, useState } from 'react';

let ask: (() => void) | undefined;

/** The session has ended. @returns whether the desk is on the screen, which then asks over itself who one is. */
export function askAtDesk(): boolean {
  ask?.();
  return ask !== undefined;
}

/** Whether the desk has to ask who one is, and how it is told that somebody is in again. */
export function useSignedOut(): [isOut: boolean, onIn: () => void] {
  const [isOut, setIsOut] = useState(false);
  useEffect(() => {
    const mine = (): void => setIsOut(true);
    ask = mine;
    return () => {
      if (ask === mine) ask = undefined;
    };
  }, []);
  return [isOut, () => setIsOut(false)];
}
